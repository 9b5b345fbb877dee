package dev.tollgate.cli.dlt;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a run is told to do, so that another process can go on with it. Immutable.
 *
 * @param selection which letters
 * @param force whether to send what would be refused again
 * @param discardedToo whether to replay what was discarded
 * @param replaysMax how often one message may be replayed
 * @param limit most letters that are dealt with; 0 for all
 */
public record Terms(
    Selection selection, boolean force, boolean discardedToo, int replaysMax, long limit) {
  private static final JsonMapper JSON = JsonMapper.shared();

  public String toJson() {
    return JSON.writeValueAsString(this);
  }

  /**
   * The terms that were stored.
   *
   * @throws IllegalArgumentException if another build stored them, and this one cannot read them
   */
  public static Terms fromJson(String json) {
    try {
      return JSON.readValue(json, Terms.class);
    } catch (JacksonException e) {
      throw new IllegalArgumentException("another build stored what this run was told", e);
    }
  }
}
