package dev.tollgate.worker.provider;

/** The states of a remote task, whatever words a provider has for them. */
public enum TaskState {
  QUEUED,
  PROCESSING,
  SUCCEEDED,
  FAILED,
  CANCELLED,
  /** Its time at the provider was over before it was done. */
  EXPIRED
}
