package dev.tollgate.loadtest.wire;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;

/**
 * What a provider does with one request, and what has to come of it.
 *
 * @param name unique within its fixture
 * @param create answers to its creates in order, the last for all that follow
 * @param status answers to questions about its task in order, the last for all that follow
 * @param state the state in which it ends, or stays
 * @param review why it waits for a person; none if it does not
 * @param evidence what its evidence must hold
 * @param never what its evidence must not hold
 * @param creates how many creates are seen
 * @param tasks how many tasks are made
 * @param cancelled how many of them are cancelled
 * @param polls after how many questions about its task it is judged
 */
record WireCase(
    String name,
    List<String> create,
    List<String> status,
    String state,
    Optional<String> review,
    List<String> evidence,
    List<String> never,
    int creates,
    int tasks,
    int cancelled,
    int polls) {

  static WireCase of(String name, JsonNode spec) {
    List<String> create = Json.texts(spec.path("create"));
    List<String> status = Json.texts(spec.path("status"));
    return new WireCase(
        name,
        create.isEmpty() ? List.of("created") : create,
        status.isEmpty() ? List.of("running", "succeeded") : status,
        spec.path("state").asText(),
        spec.has("review") ? Optional.of(spec.path("review").asText()) : Optional.empty(),
        Json.texts(spec.path("evidence")),
        Json.texts(spec.path("never")),
        spec.path("creates").asInt(1),
        spec.path("tasks").asInt(1),
        spec.path("cancelled").asInt(0),
        spec.path("polls").asInt(0));
  }

  /** The answer to the n-th create, counted from 0. */
  String createAnswer(int n) {
    return create.get(Math.min(n, create.size() - 1));
  }

  /** The answer to the n-th question about the task, counted from 0. */
  String statusAnswer(int n) {
    return status.get(Math.min(n, status.size() - 1));
  }
}
