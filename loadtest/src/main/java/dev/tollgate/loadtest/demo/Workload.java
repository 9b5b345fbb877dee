package dev.tollgate.loadtest.demo;

import dev.tollgate.loadtest.audit.Intended;
import dev.tollgate.loadtest.sandbox.Kind;
import dev.tollgate.schema.event.EventMessage;
import dev.tollgate.schema.event.Refused;
import dev.tollgate.schema.event.RequestWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * What is asked for, and every time it is said. Immutable.
 *
 * <p>One in ten is a streamed text; the others go round the other kinds of provider. Each is said
 * one to three times, two on average, somewhere within a window: some repeats meet their first one
 * in the same batch, some in another worker's hands, some when all is done.
 *
 * @param intended the operations
 * @param messages their requests, repeats included, in the order of publication
 */
public record Workload(List<Intended> intended, List<EventMessage> messages) {
  private static final int COPIES_MAX = 3;

  /** How many operations later a repeat may come. */
  private static final int WINDOW = 200;

  private static final int TEXT_EVERY = 10;

  private static final List<Kind> OTHERS =
      Arrays.stream(Kind.values()).filter(kind -> kind != Kind.TEXT).toList();

  private record Said(double at, EventMessage message) {}

  public Workload {
    intended = List.copyOf(intended);
    messages = List.copyOf(messages);
  }

  /** The workload of a seed. */
  public static Workload of(int operations, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Intended> intended = new ArrayList<>(operations);
    List<Said> said = new ArrayList<>(2 * operations);
    for (int i = 0; i < operations; i++) {
      Kind kind =
          i % TEXT_EVERY == TEXT_EVERY - 1
              ? Kind.TEXT
              : OTHERS.get((i - i / TEXT_EVERY) % OTHERS.size());
      String prompt = String.format(Locale.ROOT, "\"kite number %d of run %d\"", i, seed);
      // canonical as it stands, so that the ledger's text can be compared with it
      String params =
          kind == Kind.TEXT
              ? "{\"model\":\"sandbox\",\"prompt\":" + prompt + "}"
              : String.format(Locale.ROOT, "{\"prompt\":%s,\"seed\":%d}", prompt, i);
      RequestWriter.Ready ready = request(kind, i, params);
      intended.add(new Intended(ready.key(), kind.path(), kind == Kind.TEXT ? prompt : params));
      int copies = random.nextInt(1, COPIES_MAX + 1);
      for (int copy = 0; copy < copies; copy++) {
        said.add(new Said(i + random.nextDouble(WINDOW), ready.message()));
      }
    }
    said.sort(Comparator.comparingDouble(Said::at));
    return new Workload(intended, said.stream().map(Said::message).toList());
  }

  private static RequestWriter.Ready request(Kind kind, int number, String params) {
    String line =
        String.format(
            Locale.ROOT,
            "{\"kind\":\"%s\",\"product\":\"demo-%d\",\"variant\":\"a\",\"provider\":\"%s\",\"params\":%s}",
            kind == Kind.TEXT ? "text" : "image",
            number,
            kind.path(),
            params);
    return switch (RequestWriter.fromJsonLine(line)) {
      case RequestWriter.Ready ready -> ready;
      case Refused refused -> throw new IllegalStateException(refused.message() + ": " + line);
    };
  }
}
