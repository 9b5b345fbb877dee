package dev.tollgate.worker.provider;

/** The states of a remote task that the task API knows. */
public enum TaskState {
  QUEUED,
  PROCESSING,
  SUCCEEDED,
  FAILED
}
