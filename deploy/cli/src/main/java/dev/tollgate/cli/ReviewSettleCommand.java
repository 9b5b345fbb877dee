package dev.tollgate.cli;

import dev.tollgate.reconciler.review.Choices;
import dev.tollgate.schema.config.TollgateConfig;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.store.Database;
import dev.tollgate.schema.store.Decision;
import dev.tollgate.schema.store.Decision.What;
import dev.tollgate.schema.store.OperationDetails;
import dev.tollgate.schema.store.OperationReader;
import dev.tollgate.schema.store.PostgresReviews;
import dev.tollgate.schema.store.Reviews;
import dev.tollgate.worker.Worker;
import java.io.PrintWriter;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "settle",
    description = {
      "Stores a person's decision about operations that wait for one: those that are named, or all that fit a filter.",
      "It holds for what was seen: where somebody else decided meanwhile, nothing is changed."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  tollgate review settle 3f9a61c2 --found task_77 --why \"seen in their console\"",
      "  tollgate review settle --code OUTPUT_GONE --provider fal --again --why \"their store is back\" --dry-run"
    })
final class ReviewSettleCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();
  @Mixin ConfigOption configuration = new ConfigOption();
  @Mixin ReviewFilter filter = new ReviewFilter();

  @Parameters(paramLabel = "KEY", arity = "0..*", description = MeantKey.DESCRIPTION)
  List<String> keys = new ArrayList<>();

  @ArgGroup(multiplicity = "1")
  Chosen chosen = new Chosen();

  /** One of the decisions. */
  static final class Chosen {
    @Option(
        names = "--found",
        paramLabel = "REMOTE_ID",
        description = "Its task is this one: it is followed to its output.")
    @Nullable String found;

    @Option(names = "--absent", description = "No task of it exists: it is sent again.")
    boolean absent;

    @Option(names = "--failed", description = "It is over: nothing is done about it any more.")
    boolean failed;

    @Option(
        names = "--resend",
        description = "It is sent again, at the risk that it is paid for twice.")
    boolean resend;

    @Option(names = "--again", description = "It goes on where it was.")
    boolean again;

    What what() {
      if (found != null) {
        return What.FOUND;
      }
      if (absent) {
        return What.ABSENT;
      }
      if (failed) {
        return What.FAILED;
      }
      return resend ? What.RESEND : What.AGAIN;
    }
  }

  @Option(
      names = "--why",
      paramLabel = "TEXT",
      required = true,
      description = "Why; kept with the operation.")
  String why = "";

  @Option(
      names = "--who",
      paramLabel = "NAME",
      defaultValue = "${sys:user.name}",
      description = "Who decides (default: ${DEFAULT-VALUE}).")
  String who = "";

  @Option(
      names = {"-n", "--limit"},
      paramLabel = "N",
      defaultValue = "100",
      description = "Most operations of a filter that are decided on (default: ${DEFAULT-VALUE}).")
  int limit;

  @Option(names = "--dry-run", description = "Say what would be decided, and store nothing.")
  boolean dryRun;

  @Option(names = "--json", description = "One JSON object a line.")
  boolean json;

  @Override
  public Integer call() {
    if (keys.isEmpty() != filter.given()) {
      throw Failure.usage(
          "name operations, or a filter with --provider, --code or --older-than: one of both");
    }
    if (chosen.found != null && (keys.size() != 1 || chosen.found.isBlank())) {
      throw Failure.usage("--found names the task of one operation");
    }
    if (why.isBlank() || who.isBlank() || who.indexOf(':') >= 0) {
      throw Failure.usage("--why and --who take some text, --who without a colon");
    }
    if (limit < 1) {
      throw Failure.usage("--limit must be 1 or more");
    }
    List<String> wanted = keys.stream().map(MeantKey::checked).toList();
    TollgateConfig config = configuration.required();
    Reach.schema(config);
    try (Database database = new Database(Worker.settings(config), "tollgate-cli", 1, null)) {
      return settle(
          config, new OperationReader(database.dsl()), new PostgresReviews(database.dsl()), wanted);
    }
  }

  private int settle(
      TollgateConfig config, OperationReader reader, Reviews reviews, List<String> wanted) {
    List<OperationKey> meant = new ArrayList<>();
    for (String key : wanted) {
      meant.add(MeantKey.in(reader, key));
    }
    if (wanted.isEmpty()) {
      filter.each(reader, limit, operation -> meant.add(operation.key()));
    }
    int refused = 0;
    for (OperationKey key : meant) {
      OperationDetails details =
          reader.show(key).orElseThrow(() -> MeantKey.unknown(key.toString()));
      Told told = decide(config, reviews, details);
      print(key, told);
      refused += told.done ? 0 : 1;
    }
    PrintWriter out = spec.commandLine().getOut();
    if (!json) {
      out.println(
          "%d of %d %s"
              .formatted(
                  meant.size() - refused, meant.size(), dryRun ? "would be decided" : "decided"));
    }
    out.flush();
    return refused == 0 ? 0 : Failure.REFUSED;
  }

  /** What became of one. */
  private record Told(boolean done, String result, String text) {}

  private Told decide(TollgateConfig config, Reviews reviews, OperationDetails details) {
    What what = chosen.what();
    String objection =
        new Choices(details, InstantSource.system().instant()).objection(what).orElse(null);
    if (objection != null) {
      return new Told(false, "objection", "not decided: " + objection);
    }
    boolean two = what == What.RESEND && ReviewPage.needsTwo(config, details);
    if (dryRun) {
      String agreed = two ? ", once a second person says so too" : "";
      return new Told(true, "would_be_stored", "would be " + ReviewPage.word(what) + agreed);
    }
    Decision decision =
        new Decision(
            details.summary(),
            UUID.randomUUID(),
            what,
            chosen.found == null ? null : chosen.found.strip(),
            two,
            Shown.line(who.strip()),
            Shown.line(why.strip()));
    Decision.Outcome outcome = reviews.settle(decision);
    return switch (outcome) {
      case STORED -> new Told(true, "stored", "decided: " + ReviewPage.word(what));
      case CHANGED ->
          new Told(false, "changed", "not decided: it is no longer what was seen; look again");
      case TASK_TAKEN ->
          new Told(false, "task_taken", "not decided: that task is another operation's");
      case BEFORE_HORIZON ->
          new Told(false, "before_horizon", "not decided: an attempt may still arrive");
      case NOT_AGREED ->
          reviews.propose(decision)
              ? new Told(
                  true,
                  "proposed",
                  "proposed: it costs more than one person may risk; it is sent again when somebody"
                      + " else says so too")
              : new Told(
                  false, "changed", "not decided: it is no longer what was seen; look again");
    };
  }

  private void print(OperationKey key, Told told) {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      Map<String, Object> members = new LinkedHashMap<>();
      members.put("key", key.toString());
      members.put("decision", ReviewPage.word(chosen.what()));
      members.put("result", told.result);
      members.put("text", told.text);
      out.println(Shown.json(members));
    } else {
      out.println(key + "  " + told.text);
    }
  }
}
