package dev.tollgate.loadtest.sandbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * A text made from a task's id, and the events in which it comes, as OpenAI's responses have them:
 * one that names the task, one for each word, one that says how it ended. Immutable.
 */
final class TextStream {
  private static final int WORDS_MIN = 100;
  private static final int WORDS_MAX = 200;

  /** A sentence ends behind one word in so many. */
  private static final int SENTENCE = 9;

  /** Some have more bytes than characters, so that a cut can fall between the two. */
  private static final String[] WORDS = {
    "the",
    "a",
    "kite",
    "dune",
    "wind",
    "red",
    "over",
    "sea",
    "and",
    "string",
    "cloud",
    "rises",
    "falls",
    "slowly",
    "café",
    "Küste",
    "凧",
    "shore",
    "light",
    "turns",
    "under",
    "sky",
    "\uD83E\uDE81"
  };

  private final String id;
  private final boolean fails;
  private final List<String> words;

  private TextStream(String id, boolean fails, List<String> words) {
    this.id = id;
    this.fails = fails;
    this.words = words;
  }

  /**
   * @param fails whether its last event says that it failed
   */
  static TextStream of(String id, boolean fails) {
    SplittableRandom random = new SplittableRandom(FaultPlan.hash(id));
    int length = random.nextInt(WORDS_MIN, WORDS_MAX + 1);
    List<String> words = new ArrayList<>(length);
    boolean begins = true;
    for (int i = 1; i <= length; i++) {
      String word = WORDS[random.nextInt(WORDS.length)];
      boolean ends = i == length || random.nextInt(SENTENCE) == 0;
      words.add((begins ? capital(word) : word) + (ends ? "." : "") + (i == length ? "" : " "));
      begins = ends;
    }
    return new TextStream(id, fails, words);
  }

  private static String capital(String word) {
    int first = word.offsetByCodePoints(0, 1);
    return word.substring(0, first).toUpperCase(Locale.ROOT) + word.substring(first);
  }

  /** How many there are; they are numbered from 0. */
  int events() {
    return words.size() + 2;
  }

  /** One event as a server-sent one. */
  byte[] event(int number) {
    if (number == 0) {
      return event("response.created", number, response("queued"));
    }
    if (number == events() - 1) {
      return fails
          ? event("response.failed", number, response("failed"))
          : event("response.completed", number, response("completed"));
    }
    String delta = Json.quoted(words.get(number - 1));
    return event(
        "response.output_text.delta",
        number,
        "\"item_id\":\"msg_%s\",\"output_index\":0,\"content_index\":0,\"delta\":%s"
            .formatted(id, delta));
  }

  private String response(String status) {
    return "\"response\":{\"id\":\"%s\",\"object\":\"response\",\"status\":\"%s\"%s}"
        .formatted(
            id,
            status,
            status.equals("failed")
                ? ",\"error\":{\"code\":\"server_error\",\"message\":\"the text did not succeed\"}"
                : "");
  }

  private static byte[] event(String type, int number, String fields) {
    return "event: %1$s\ndata: {\"type\":\"%1$s\",\"sequence_number\":%2$d,%3$s}\n\n"
        .formatted(type, number, fields)
        .getBytes(UTF_8);
  }

  /** Of the whole text in UTF-8, in hex. */
  String sha256() {
    return CreateRequest.sha256(String.join("", words).getBytes(UTF_8));
  }
}
