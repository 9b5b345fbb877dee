package dev.tollgate.worker.provider.descriptor;

import dev.tollgate.worker.provider.AnswerRule;
import dev.tollgate.worker.provider.descriptor.Descriptor.Create;
import dev.tollgate.worker.provider.descriptor.Descriptor.Documented;
import dev.tollgate.worker.provider.descriptor.Descriptor.Stream;
import dev.tollgate.worker.provider.jq.Jq;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Reads how a task is created. Stateless. */
final class CreateReader {
  private static final Set<String> ASKING = Set.of("key", "operation", "callback");
  private static final Set<String> READING =
      Set.of("settings", "status", "headers", "request", "key");

  private CreateReader() {}

  static Create create(Cursor at) {
    List<Documented> answers = new ArrayList<>();
    for (Cursor answer : at.at("answers").elements()) {
      answers.add(new Documented(rule(answer), answer.at("source").document()));
    }
    Jq code = at.at("error-code").jq(READING);
    return new Create(
        DescriptorReader.call(at, "POST", ASKING),
        at.at("id").jq(READING),
        at.part("accepted-when", when -> when.jq(READING)),
        code,
        answers,
        at.part("outputs", outputs -> DescriptorReader.outputs(outputs, READING)),
        at.part("stream", CreateReader::stream));
  }

  private static Stream stream(Cursor at) {
    Set<String> reading = Set.of("settings", "event");
    Map<String, Stream.Word> words = new HashMap<>();
    for (Stream.Word meaning : Stream.Word.values()) {
      String name = meaning.name().toLowerCase(Locale.ROOT);
      for (String word : at.at("states").texts(name)) {
        if (words.put(word, meaning) != null) {
          at.at("states").at(name).problem("'" + word + "' stands for two states");
        }
      }
    }
    if (at.has("state") != at.has("states")) {
      at.problem("needs both state and states, or neither");
    }
    if (!at.has("done") && !words.containsValue(Stream.Word.SUCCEEDED)) {
      at.problem("nothing says how a stream ends well: needs done, or states.succeeded");
    }
    if (at.has("resume") && !at.has("cursor")) {
      at.at("resume").problem("needs the cursor to resume from");
    }
    return new Stream(
        at.at("text").jq(reading),
        at.optionalText("done"),
        at.part("state", state -> state.jq(reading)),
        Map.copyOf(words),
        at.part("note", note -> note.jq(reading)),
        at.part("cursor", cursor -> cursor.jq(reading)),
        at.at("consecutive").node().asBoolean(),
        at.part("resume", resume -> DescriptorReader.call(resume, Set.of("id", "cursor"))),
        at.at("resume").part("missing", DescriptorReader::missing),
        at.has("idle") ? at.at("idle").duration() : Duration.ofSeconds(60));
  }

  private static AnswerRule rule(Cursor at) {
    try {
      return new AnswerRule(
          at.statuses("status"), Set.copyOf(at.texts("codes")), means(at.text("means")));
    } catch (IllegalArgumentException e) {
      at.problem(String.valueOf(e.getMessage()));
      return new AnswerRule(Set.of(), Set.of(), AnswerRule.Means.UNDECIDED);
    }
  }

  private static AnswerRule.Means means(String word) {
    for (AnswerRule.Means means : AnswerRule.Means.values()) {
      if (means.word().equals(word.toLowerCase(Locale.ROOT))) {
        return means;
      }
    }
    return AnswerRule.Means.UNDECIDED; // the schema has reported the word
  }
}
