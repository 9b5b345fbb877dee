package dev.tollgate.worker.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tollgate.schema.config.ConfigFile;
import dev.tollgate.schema.config.OutputsConfig;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.worker.output.FaultyHttp.Fault;
import dev.tollgate.worker.output.FaultyHttp.Killed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/** The store against a real server, with somebody in between who loses and breaks things. */
final class S3StoreIT extends OutputStoreContract {
  private static final long PART = 5L * 1024 * 1024;
  private static final S3Place ROOT = new S3Place(S3MockServer.BUCKET, "kept/");

  private final FaultyHttp http = new FaultyHttp();
  private final S3Client client = client(http);
  private final S3Store store = new S3Store(client, ROOT, PART);

  static S3Client client(FaultyHttp http) {
    return S3Access.open(config(S3MockServer.BUCKET), new FaultyHttp.Maker(http), System::nanoTime);
  }

  private static OutputsConfig.S3 config(String bucket) {
    return ConfigFile.read(
            Optional.empty(),
            Map.of(
                "tollgate.kafka.bootstrap-servers", "127.0.0.1:9092",
                "tollgate.database.url", "jdbc:postgresql://127.0.0.1/tollgate",
                "tollgate.outputs.store", "s3",
                "tollgate.outputs.s3.bucket", bucket,
                "tollgate.outputs.s3.endpoint", S3MockServer.shared().endpoint().toString(),
                "tollgate.outputs.s3.path-style", "true",
                "tollgate.outputs.s3.access-key", "env:PATH",
                "tollgate.outputs.s3.secret-key", "env:PATH"))
        .outputs()
        .s3();
  }

  @Override
  OutputStore store() {
    return store;
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void address_namesBucketAndKey() throws IOException {
    OperationKey key = key("address");
    String hash = key.hash().toString();
    assertThat(store.keep(key, file("a film")).address())
        .hasToString("s3://outputs/kept/video/" + hash.substring(0, 2) + "/" + hash);
  }

  @Test
  void object_hasItsTypeAndTheDigestItWasMeantToHave() throws IOException {
    Verified file = file("a film");
    store.keep(key("type"), file);
    var head = client.headObject(of -> of.bucket(ROOT.bucket()).key(ROOT.key(key("type"))));
    assertThat(head.contentType()).isEqualTo("video/mp4");
    assertThat(head.metadata()).containsEntry("sha256", file.sha256());
  }

  @Test
  void ordinaryPut_costsOneRequest() throws IOException {
    store.keep(key("one"), file("a film"));
    assertThat(http.seen()).containsExactly("put");
  }

  @Test
  void ordinaryPutInParts_costsNoReading() throws IOException {
    store.keep(key("parts"), file(noise(4, LONG)));
    assertThat(http.seen()).containsExactly("create", "part", "part", "complete");
  }

  /** FC-75, the first: stored, then answered with an error, or not at all; and their neighbours. */
  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"KILLED_BEFORE", "KILLED_AFTER", "HALF", "UNCONDITIONAL"},
      mode = Mode.EXCLUDE)
  void fc75_doubtfulPut_isLookedFor_andOneObjectResults(Fault fault) throws IOException {
    OperationKey key = key("doubt-" + fault);
    Verified file = file("a film");
    http.next("put", fault);
    assertThat(store.keep(key, file).sha256()).isEqualTo(file.sha256());
    assertThat(bytes(key)).isEqualTo("a film".getBytes(StandardCharsets.UTF_8));
    boolean stored = fault == Fault.LOST_ANSWER || fault == Fault.ERROR_AFTER;
    assertThat(http.seen().stream().filter("put"::equals)).hasSize(stored ? 1 : 2);
  }

  /** FC-75, the second: half is stored, and the answer says that all is well. */
  @Test
  void fc75_halfStored_isFoundOut_andReplaced() throws IOException {
    Verified file = file("a film");
    http.next("put", Fault.HALF);
    assertThat(store.keep(key("half"), file).sha256()).isEqualTo(file.sha256());
    assertThat(bytes(key("half"))).isEqualTo("a film".getBytes(StandardCharsets.UTF_8));
  }

  /** Whoever stored half died before he found out: it is nobody's output. */
  @Test
  void halfStored_isNotFound_andReplacedByTheNext() throws IOException {
    OperationKey key = key("half-found");
    Verified file = file("a film");
    http.next("put", Fault.HALF).next("head", Fault.KILLED_BEFORE);
    assertThatThrownBy(() -> store.keep(key, file)).isInstanceOf(Killed.class);
    assertThat(store.find(key)).isEmpty();
    assertThat(store.keep(key, file).sha256()).isEqualTo(file.sha256());
    assertThat(store.find(key)).isPresent();
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"KILLED_BEFORE", "KILLED_AFTER", "HALF", "UNCONDITIONAL"},
      mode = Mode.EXCLUDE)
  void doubtfulComplete_isLookedFor_andItsPartsAreDropped(Fault fault) throws IOException {
    OperationKey key = key("doubt-parts-" + fault);
    Verified file = file(noise(5, LONG));
    http.next("complete", fault);
    assertThat(store.keep(key, file).sha256()).isEqualTo(file.sha256());
    assertThat(store.find(key).orElseThrow().sha256()).isEqualTo(file.sha256());
    assertThat(http.seen()).containsSubsequence("complete", "abort");
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"LOST_REQUEST", "ERROR_BEFORE", "LOST_ANSWER"})
  void failedPart_givesUpTheUpload_andMakesAnother(Fault fault) throws IOException {
    OperationKey key = key("part-" + fault);
    Verified file = file(noise(6, LONG));
    http.next("part", fault);
    assertThat(store.keep(key, file).sha256()).isEqualTo(file.sha256());
    assertThat(http.seen()).containsSubsequence("create", "part", "abort", "create", "complete");
    assertThat(uploadsOf(key)).isEmpty();
  }

  /** Parts that a dead process left are no object, and in nobody's way. */
  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"KILLED_BEFORE", "KILLED_AFTER"})
  void killedAtEachRequest_andRepeated_isOneObject(Fault fault) throws IOException {
    Verified whole = file("a film");
    Verified parts = file(noise(7, LONG));
    for (String word : List.of("put", "create", "part", "complete")) {
      OperationKey key = key("kill-" + fault + word);
      Verified file = word.equals("put") ? whole : parts;
      http.next(word, fault);
      assertThatThrownBy(() -> store.keep(key, file)).isInstanceOf(Killed.class);
      assertThat(store.keep(key, file).sha256()).isEqualTo(file.sha256());
      assertThat(store.find(key).orElseThrow().sha256()).isEqualTo(file.sha256());
    }
  }

  @Test
  void storeThatIsAway_isToldAsSuch() throws IOException {
    for (int i = 0; i < 3; i++) {
      http.next("put", Fault.ERROR_BEFORE);
    }
    Verified file = file("a film");
    assertThatThrownBy(() -> store.keep(key("away"), file)).isInstanceOf(IOException.class);
    http.next("head", Fault.LOST_REQUEST);
    assertThatThrownBy(() -> store.find(key("away"))).isInstanceOf(IOException.class);
  }

  /** An object that somebody else put there is neither an output nor replaced. */
  @Test
  void foreignObject_isNotFound_andStays() throws IOException {
    OperationKey key = key("foreign");
    client.putObject(
        of -> of.bucket(ROOT.bucket()).key(ROOT.key(key)), RequestBody.fromString("not ours"));
    assertThat(store.find(key)).isEmpty();
    assertThat(store.keep(key, file("a film")).sha256())
        .isEqualTo(digest("not ours".getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void storeThatKeepsToConditions_isTaken_howeverOften() {
    store.requireConditions();
    store.requireConditions();
  }

  @Test
  void storeThatIgnoresConditions_isRefused() {
    http.next("put", Fault.UNCONDITIONAL).next("put", Fault.UNCONDITIONAL);
    assertThatThrownBy(store::requireConditions)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("ignores If-None-Match");
  }

  @Test
  void bucketThatIsNotThere_isRefused_andStoreThatIsAwayIsNot() {
    S3Store nowhere = new S3Store(client, new S3Place("no-such-bucket", ""), PART);
    assertThatThrownBy(nowhere::requireConditions)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("NoSuchBucket");
    http.next("put", Fault.ERROR_BEFORE);
    store.requireConditions();
    http.next("put", Fault.LOST_REQUEST);
    store.requireConditions();
  }

  private byte[] bytes(OperationKey key) {
    return client.getObjectAsBytes(of -> of.bucket(ROOT.bucket()).key(ROOT.key(key))).asByteArray();
  }

  private List<String> uploadsOf(OperationKey key) {
    return client
        .listMultipartUploads(of -> of.bucket(ROOT.bucket()).prefix(ROOT.key(key)))
        .uploads()
        .stream()
        .map(upload -> upload.uploadId())
        .toList();
  }
}
