package dev.tollgate.worker.provider.descriptor;

import dev.tollgate.worker.provider.AnswerRule;
import dev.tollgate.worker.provider.descriptor.Descriptor.Create;
import dev.tollgate.worker.provider.descriptor.Descriptor.Documented;
import dev.tollgate.worker.provider.jq.Jq;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
        at.part("outputs", outputs -> DescriptorReader.outputs(outputs, READING)));
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
