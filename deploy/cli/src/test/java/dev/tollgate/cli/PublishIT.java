package dev.tollgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.event.Decoded;
import dev.tollgate.schema.event.RequestDecoder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PublishIT {
  @TempDir Path folder;
  private KafkaStage stage;

  @BeforeEach
  void open() throws IOException {
    stage =
        KafkaStage.open(
            PublishIT.class, folder, "tollgate.database.url=jdbc:postgresql://unused/unused");
  }

  @AfterEach
  void close() {
    stage.close();
  }

  @Test
  void goodRequests_areAcknowledgedInOrder_andDecode() throws IOException {
    Typed typed = publish("--verbose", lines(50));
    assertThat(typed.code()).as(typed.err()).isZero();
    assertThat(typed.err()).isEmpty();
    assertThat(typed.outLines()).hasSize(51);
    assertThat(typed.outLines().getLast())
        .isEqualTo("50 acknowledged by %s, 0 refused, 0 not acknowledged", stage.topics.requests());
    List<ConsumerRecord<byte[], byte[]>> records = stage.records(stage.topics.requests());
    assertThat(records)
        .allSatisfy(
            record ->
                assertThat(RequestDecoder.decode(record.key(), record.value(), record.headers()))
                    .isInstanceOf(Decoded.Request.class));
    assertThat(records.stream().map(r -> new String(r.key(), StandardCharsets.UTF_8)))
        .containsExactlyInAnyOrderElementsOf(typed.outLines().subList(0, 50));
    assertThat(typed.outLines().subList(0, 50)).isEqualTo(key(lines(50)).outLines());
  }

  @Test
  void refusedLines_areToldAndStopNothing() throws IOException {
    Typed typed = publish("-v", "{}\n" + lines(1) + "\n\nnonsense\n");
    assertThat(typed.code()).isEqualTo(Failure.REFUSED);
    assertThat(typed.errLines()).hasSize(2);
    assertThat(typed.errLines().get(0)).startsWith("line 1: INVALID_EVENT: ");
    assertThat(typed.errLines().get(1)).startsWith("line 4: INVALID_EVENT: ");
    assertThat(typed.outLines().getLast()).startsWith("1 acknowledged").contains("2 refused");
    assertThat(stage.records(stage.topics.requests())).hasSize(1);
  }

  @Test
  void topicThatIsNotThere_isStatus3() throws IOException {
    Files.writeString(
        stage.config, Files.readString(stage.config).replace("topic-prefix=", "topic-prefix=not"));
    Typed typed = publish("-v", lines(1));
    assertThat(typed.code()).isEqualTo(Failure.UNREACHABLE);
    assertThat(typed.err()).contains("not" + stage.topics.requests());
    assertThat(typed.errLines()).hasSize(1);
  }

  private static String lines(int count) {
    return IntStream.range(0, count)
        .mapToObj(
            i ->
                "{\"kind\":\"video\",\"product\":\"p-%s\",\"provider\":\"keyed\",\"params\":{\"seed\":%s}}"
                    .formatted(String.valueOf(i), String.valueOf(i)))
        .collect(Collectors.joining("\n"));
  }

  private Typed publish(String option, String text) throws IOException {
    return Typed.type("publish", option, "--config", stage.config.toString(), file(text));
  }

  private Typed key(String text) throws IOException {
    return Typed.type("key", file(text));
  }

  private String file(String text) throws IOException {
    Path file = folder.resolve("requests.jsonl");
    Files.writeString(file, text);
    return file.toString();
  }
}
