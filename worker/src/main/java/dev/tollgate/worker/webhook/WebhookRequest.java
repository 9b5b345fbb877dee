package dev.tollgate.worker.webhook;

import java.util.Map;

/**
 * What came in, before its body.
 *
 * @param path decoded nowhere: our addresses need no escapes
 * @param headers by lower-case name; one that came twice is not among them
 */
record WebhookRequest(String method, String path, Map<String, String> headers) {}
