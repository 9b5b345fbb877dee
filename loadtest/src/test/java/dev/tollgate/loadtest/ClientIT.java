package dev.tollgate.loadtest;

import static dev.tollgate.loadtest.Stage.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.embedded.SharedServices;
import dev.tollgate.schema.Code;
import dev.tollgate.schema.client.ClientOptions;
import dev.tollgate.schema.client.Result;
import dev.tollgate.schema.client.Submission;
import dev.tollgate.schema.client.TollgateClient;
import dev.tollgate.schema.config.Money;
import dev.tollgate.schema.event.ResultEvent;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.key.Sha256;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a producer hears through the client, of a whole installation. */
final class ClientIT {
  private static final int REQUESTS = 50;

  private final Set<ResultEvent.State> seen = ConcurrentHashMap.newKeySet();
  private Stage stage;
  private TollgateClient client;

  @BeforeEach
  void open() {
    stage = Stage.open(ClientIT.class);
    stage.set("providers.keyed.price", "0.35").set("currency", "EUR").run();
    client =
        TollgateClient.open(
            ClientOptions.of(SharedServices.kafka().bootstrapServers())
                .withTopicPrefix(stage.topics().prefix())
                .withProgress(event -> seen.add(event.state())));
  }

  @AfterEach
  void close() {
    client.close();
    stage.close();
  }

  private static Result result(Submission submission) throws Exception {
    return submission.result().get(60, TimeUnit.SECONDS);
  }

  @Test
  void manyRequests_eachFutureCompletes_withTheOutputThatIsStored() throws Exception {
    List<Submission> submissions = new ArrayList<>();
    for (int n = 0; n < REQUESTS; n++) {
      String lost = n % 10 == 0 ? "accept/drop" : "accept";
      submissions.add(
          client.submit(
              request("keyed", "film-" + n, lost)
                  .replaceFirst("\\{", "{\"production_task\":\"task-" + n + "\",")));
    }
    Set<OperationKey> keys = new HashSet<>();
    for (int n = 0; n < REQUESTS; n++) {
      Result result = result(submissions.get(n));
      assertThat(result).isInstanceOf(Result.Completed.class);
      Result.Completed completed = (Result.Completed) result;
      keys.add(completed.key());
      byte[] bytes = Files.readAllBytes(Path.of(URI.create(completed.output().address())));
      assertThat(completed.output().digest()).isEqualTo(Sha256.of(bytes));
      assertThat(completed.output().length()).isEqualTo(bytes.length);
      assertThat(completed.event().code()).isEqualTo(Code.OUTPUT_STORED);
      assertThat(completed.event().provider()).isEqualTo("keyed");
      ResultEvent.Details details = completed.event().details();
      assertThat(details.productionTask()).isEqualTo("task-" + n);
      assertThat(details.price()).isEqualTo(new ResultEvent.Price(Money.of("0.35"), "EUR"));
    }
    assertThat(keys).hasSize(REQUESTS);
    assertThat(stage.ledger().tasks()).hasSize(REQUESTS);
    assertThat(seen)
        .containsExactlyInAnyOrder(ResultEvent.State.ACCEPTED, ResultEvent.State.UNKNOWN);
    Audit.check(stage);
  }

  @Test
  void whatHasNoOutput_saysWhy() throws Exception {
    Submission rejected = client.submit(request("keyed", "rejected", "400"));
    Submission ended = client.submit(request("keyed", "ended", "fail"));
    Submission nowhere = client.submit(request("nowhere", "nowhere"));
    Submission first = client.submit(request("keyed", "twice"));
    Submission other = client.submit(request("keyed", "twice").replace("\"seed\":7", "\"seed\":8"));

    Result.Failed refused = (Result.Failed) result(rejected);
    assertThat(refused.code()).isEqualTo(Code.PROVIDER_REJECTED);
    assertThat(refused.reason()).isNotBlank();
    assertThat(refused.event().details().price()).isNull();
    Result.Failed failed = (Result.Failed) result(ended);
    assertThat(failed.code()).isEqualTo(Code.PROVIDER_FAILED);
    assertThat(failed.reason()).isNotBlank();
    assertThat(((Result.Refused) result(nowhere)).code()).isEqualTo(Code.UNKNOWN_PROVIDER);
    assertThat(((Result.Refused) result(other)).code()).isEqualTo(Code.KEY_PARAMETERS_MISMATCH);
    assertThat(result(first)).isInstanceOf(Result.Completed.class);
  }
}
