package dev.tollgate.worker.webhook;

import dev.tollgate.worker.provider.Bytes;

/**
 * What is answered.
 *
 * @param body JSON, mostly empty: a sender gets no reasons
 */
record WebhookAnswer(int status, Bytes body) {
  static WebhookAnswer of(int status) {
    return new WebhookAnswer(status, Bytes.copyOf(new byte[0]));
  }
}
