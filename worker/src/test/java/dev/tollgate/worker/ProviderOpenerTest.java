package dev.tollgate.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tollgate.schema.config.ConfigFile;
import dev.tollgate.schema.config.ProviderConfig;
import dev.tollgate.schema.config.TollgateConfig;
import dev.tollgate.worker.provider.ProviderAdapter;
import dev.tollgate.worker.provider.Recourse;
import dev.tollgate.worker.provider.SendsTo;
import dev.tollgate.worker.provider.described.CallbackAddresses;
import dev.tollgate.worker.provider.described.DescribedConfig;
import dev.tollgate.worker.provider.descriptor.Catalogue;
import dev.tollgate.worker.provider.http.Deadlines;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an operator sets, and what becomes of it. */
class ProviderOpenerTest {
  private static final String SECRET = "secret-value-0123";

  @TempDir Path folder;
  private final Deadlines deadlines = new Deadlines();
  private Optional<URI> callbacks = Optional.empty();

  @AfterEach
  void close() {
    deadlines.close();
  }

  @Test
  void descriptorIsTheProvidersNameUnlessAnotherIsNamed() {
    assertThat(recourses("runway", "api-key", "env:KEY")).isEmpty();
    assertThat(recourses("render", "descriptor", "runway", "api-key", "env:KEY")).isEmpty();
  }

  @Test
  void documentedCapabilities_areInUse_inTheDescriptorsOrder() {
    assertThat(recourses("kling", "secrets.access-key", "env:KEY", "secrets.secret-key", "env:KEY"))
        .containsExactly(Recourse.LOOKUP_BY_REFERENCE);
    callbacks = Optional.of(URI.create("https://hooks.example.com"));
    assertThat(recourses("kling", "secrets.access-key", "env:KEY", "secrets.secret-key", "env:KEY"))
        .containsExactly(Recourse.LOOKUP_BY_REFERENCE, Recourse.CALLBACK_PER_REQUEST);
  }

  @Test
  void keyThatTravelsInTheCallbackOnly_isNoCapabilityWithoutOne() {
    assertThat(recourses("luma", "api-key", "env:KEY")).isEmpty();
    callbacks = Optional.of(URI.create("https://hooks.example.com"));
    assertThat(recourses("luma", "api-key", "env:KEY"))
        .containsExactly(Recourse.ECHOED_REFERENCE, Recourse.CALLBACK_PER_REQUEST);
    assertThat(recourses("luma", "api-key", "env:KEY", "offers", "callback-per-request"))
        .containsExactly(Recourse.CALLBACK_PER_REQUEST);
  }

  /** How long a token lives is not published: nobody but the operator can vouch for it. */
  @Test
  void unpublishedRetention_allowsAResendOnlyIfTheOperatorNamesOne() {
    String[] keys = {
      "settings.region", "us-east-1",
      "secrets.access-key-id", "env:KEY",
      "secrets.secret-access-key", "env:KEY"
    };
    assertThat(recourses("aws-bedrock", keys)).containsExactly(Recourse.ECHOED_REFERENCE);
    assertThat(recourses("aws-bedrock", with(keys, "promise-retention", "1h")))
        .containsExactly(Recourse.ECHOED_REFERENCE, Recourse.IDEMPOTENT_CREATE);
    assertThatThrownBy(() -> recourses("aws-bedrock", with(keys, "offers", "idempotent-create")))
        .hasMessageContaining("promise-retention");
  }

  @Test
  void offers_canLeaveOut_neverAdd() {
    assertThat(recourses("replicate", "api-key", "env:KEY", "offers", "none")).isEmpty();
    assertThatThrownBy(
            () -> recourses("runway", "api-key", "env:KEY", "offers", "lookup-by-reference"))
        .hasMessageContaining("lookup-by-reference")
        .hasMessageContaining("runway does not have");
  }

  @Test
  void operatorsEndpoint_promisesWhatItsOperatorSays() {
    String[] own = {"endpoint", "http://127.0.0.1:1/x", "api-key", "env:KEY"};
    assertThat(recourses("http-json", own)).isEmpty();
    assertThat(recourses("http-json", with(own, "offers", "list-by-time")))
        .containsExactly(Recourse.LIST_BY_TIME);
  }

  @Test
  void faults_areNamed_andNeverTheSecret() {
    assertThatThrownBy(() -> open("nope")).hasMessageContaining("no descriptor nope");
    assertThatThrownBy(() -> open("runway")).hasMessageContaining("secrets.api-key=env:NAME");
    assertThatThrownBy(() -> open("runway", "api-key", SECRET))
        .hasMessageContaining("env:NAME or file:PATH")
        .hasMessageNotContaining(SECRET);
    assertThatThrownBy(() -> open("runway", "api-key", "env:KEY", "secrets.other", "env:KEY"))
        .hasMessageContaining("there is no secret 'other'");
    assertThatThrownBy(() -> open("runway", "api-key", "env:KEY", "settings.x", "y"))
        .hasMessageContaining("there is no setting 'x'");
    assertThatThrownBy(() -> open("http-json", "api-key", "env:KEY"))
        .hasMessageContaining("endpoint is missing");
    assertThatThrownBy(
            () -> open("runway", "api-key", "env:KEY", "endpoint", "http://a.example.com"))
        .hasMessageContaining("plain http");
    assertThatThrownBy(
            () -> open("runway", "api-key", "env:KEY", "endpoint", "https://u:p@a.example.com"))
        .hasMessageContaining("without user");
    assertThatThrownBy(() -> open("x", "adapter", "nope", "endpoint", "https://a.example.com"))
        .hasMessageContaining("no adapter 'nope'");
  }

  @Test
  void everyFault_isNamedAtOnce() {
    assertThat(
            faults(
                "aws-bedrock",
                "settings.regoin",
                "us-east-1",
                "secrets.access-key-id",
                "env:NOPE",
                "secrets.session-token",
                SECRET,
                "secrets.other",
                "env:KEY",
                "endpoint",
                "https://u:p@a.example.com",
                "offers",
                "idempotent-create,list-by-time,luck",
                "submit-deadline",
                "0s",
                "longest-hold",
                "PT-1S",
                "concurrency",
                "0"))
        .allMatch(line -> line.startsWith("  provider aws-bedrock: "))
        .extracting(line -> line.substring("  provider aws-bedrock: ".length()))
        .satisfiesExactlyInAnyOrder(
            line -> assertThat(line).startsWith("there is no setting 'regoin'; there are region"),
            line -> assertThat(line).startsWith("setting 'region' is missing: "),
            line -> assertThat(line).startsWith("endpoint must be an http(s) address"),
            line -> assertThat(line).startsWith("offers names 'list-by-time', which "),
            line -> assertThat(line).startsWith("offers names 'luck', which aws-bedrock does not"),
            line -> assertThat(line).startsWith("idempotent-create needs promise-retention"),
            line -> assertThat(line).isEqualTo("submit-deadline must be positive"),
            line -> assertThat(line).isEqualTo("longest-hold must not be negative"),
            line -> assertThat(line).isEqualTo("concurrency must be positive"),
            line -> assertThat(line).startsWith("secret 'secret-access-key' is missing"),
            line -> assertThat(line).startsWith("there is no secret 'other'; there are access-key"),
            line -> assertThat(line).startsWith("secret access-key-id from env:NOPE: "),
            line -> assertThat(line).startsWith("secret session-token from (no env: or file:"));
  }

  @Test
  void descriptorThatIsNotThere_hidesNothingElse() {
    assertThat(faults("nope", "endpoint", "http://a.example.com", "api-key", "env:NOPE"))
        .satisfiesExactlyInAnyOrder(
            line -> assertThat(line).contains("there is no descriptor nope; there are "),
            line -> assertThat(line).contains("plain http"),
            line -> assertThat(line).contains("env:NOPE"));
    assertThat(faults("x", "adapter", "nope", "api-key", "env:NOPE", "offers", "luck"))
        .satisfiesExactlyInAnyOrder(
            line -> assertThat(line).contains("no adapter 'nope' on the class path; there are "),
            line -> assertThat(line).endsWith("endpoint is missing"),
            line -> assertThat(line).contains("'luck' is no capability"),
            line -> assertThat(line).contains("env:NOPE"));
  }

  @Test
  void malformedName_isToldBesideAnUnknownDescriptor() {
    assertThat(faults("My-Own", "concurrency", "0", "longest-hold", "PT-1S"))
        .satisfiesExactlyInAnyOrder(
            line -> assertThat(line).contains("there is no descriptor My-Own; there are "),
            line -> assertThat(line).contains("its name must be up to 24 of "),
            line -> assertThat(line).endsWith("concurrency must be positive"),
            line -> assertThat(line).endsWith("longest-hold must not be negative"));
  }

  /** One of them would win, and nobody could say which. */
  @Test
  void credentialThatIsGivenTwice_isAFault() {
    String both = "api-key and secrets.api-key are the same credential: give one of them";
    assertThat(faults("runway", "api-key", "env:KEY", "secrets.api-key", "env:KEY"))
        .containsExactly("  provider runway: " + both);
    assertThat(
            faults(
                "mine",
                "adapter",
                "task-api",
                "endpoint",
                "http://127.0.0.1:1",
                "api-key",
                "env:KEY",
                "secrets.api-key",
                "env:KEY"))
        .containsExactly("  provider mine: " + both);
  }

  /** A signer would otherwise say so with the first request, which is never sent then. */
  @Test
  void signer_isHeldAgainstWhatItAsksFor() throws IOException {
    String text = new Catalogue(Optional.empty()).find("aws-bedrock").orElseThrow().text();
    String with = "with: {service: bedrock, region: \"{$settings.region}\"}";
    String secrets =
        "secrets: {access-key-id: access-key-id, secret-access-key: secret-access-key,"
            + " session-token: session-token}";
    assertThat(text).contains(with, secrets);
    Files.writeString(
        folder.resolve("mine.yaml"),
        text.replace(with, "with: {service: bedrock, regoin: eu}")
            .replace(
                secrets,
                "secrets: {access-key: access-key-id, secret-access-key: session-token,"
                    + " session-token: secret-access-key}")
            .replace("name: aws-bedrock", "name: mine"));
    assertThat(
            faults(
                "mine",
                "settings.region",
                "us-east-1",
                "secrets.access-key-id",
                "env:KEY",
                "secrets.secret-access-key",
                "env:KEY"))
        .satisfiesExactlyInAnyOrder(
            line ->
                assertThat(line)
                    .contains("signer aws-sigv4 has no setting 'regoin', which its descriptor's")
                    .endsWith("auth.with names; there are region, service"),
            line -> assertThat(line).contains("signer aws-sigv4 needs the setting 'region'"),
            line -> assertThat(line).contains("signer aws-sigv4 has no secret 'access-key'"),
            line ->
                assertThat(line)
                    .contains("secret 'session-token' is missing: signer aws-sigv4 needs it"));
    Files.writeString(
        folder.resolve("mine.yaml"),
        text.replace("signer: aws-sigv4", "signer: nope")
            .replace("name: aws-bedrock", "name: mine"));
    assertThat(faults("mine", "settings.region", "us-east-1"))
        .anyMatch(
            line ->
                line.endsWith(
                    "no request signer 'nope' on the class path; there are "
                        + "aws-sigv4, jwt-hs256"))
        .hasSize(3);
  }

  /** Temporary credentials have a token besides, others have none. */
  @Test
  void optionalSecretOfASigner_mayBeLeftOut() {
    String[] keys = {
      "settings.region", "us-east-1",
      "secrets.access-key-id", "env:KEY",
      "secrets.secret-access-key", "env:KEY"
    };
    open("aws-bedrock", keys);
    open("aws-bedrock", with(keys, "secrets.session-token", "env:KEY"));
  }

  @Test
  void faultsOfSeveralProviders_areOneMessage() {
    Map<String, String> given = new HashMap<>();
    given.put("tollgate.kafka.bootstrap-servers", "127.0.0.1:9092");
    given.put("tollgate.database.url", "jdbc:postgresql://127.0.0.1/tollgate");
    given.put("tollgate.providers.runway.concurrency", "2");
    given.put("tollgate.providers.nope.concurrency", "0");
    TollgateConfig config = ConfigFile.read(Optional.empty(), given);
    assertThatThrownBy(() -> Providers.check(config, InstantSource.system(), System::nanoTime))
        .isInstanceOf(ConfigFile.Invalid.class)
        .hasMessageStartingWith("the configuration has faults:")
        .hasMessageContaining("provider nope: there is no descriptor")
        .hasMessageContaining("provider runway: secret 'api-key' is missing");
  }

  @Test
  void plainHttp_isForThisMachineOrAllowedOnPurpose() {
    open("runway", "api-key", "env:KEY", "endpoint", "http://[::1]:8080");
    open("runway", "api-key", "env:KEY", "endpoint", "http://localhost:8080");
    open("runway", "api-key", "env:KEY", "endpoint", "http://a.internal", "plain-http", "true");
  }

  @Test
  void codedAdapter_isFoundByItsName() {
    ProviderAdapter adapter =
        open(
            "mine",
            "adapter",
            "task-api",
            "endpoint",
            "http://127.0.0.1:1",
            "api-key",
            "env:KEY",
            "offers",
            "list-by-time");
    assertThat(adapter.profile().name()).isEqualTo("mine");
    assertThat(adapter.profile().recourses()).containsExactly(Recourse.LIST_BY_TIME);
  }

  @Test
  void fileOfYourOwn_comesBeforeTheShippedOne() throws IOException {
    String text = new Catalogue(Optional.empty()).find("runway").orElseThrow().text();
    Files.writeString(folder.resolve("runway.yaml"), text.replace("pattern:", "pattern :"));
    open("runway", "api-key", "env:KEY");
    Files.writeString(folder.resolve("runway.yaml"), text.replace("states:", "stats:"));
    assertThatThrownBy(() -> open("runway", "api-key", "env:KEY"))
        .hasMessageContaining(folder.resolve("runway.yaml").toString())
        .hasMessageContaining("stats");
  }

  @Test
  void documentedLimitsAndTimes_areTheProfiles_unlessSet() {
    ProviderAdapter adapter =
        open("replicate", "api-key", "env:KEY", "visibility-lag", "7s", "callback-wait", "2m");
    assertThat(adapter.profile().limits().creates()).contains("600/min");
    assertThat(adapter.profile().timing().visibilityLag()).isEqualTo(Duration.ofSeconds(7));
    assertThat(adapter.profile().timing().callbackWait()).isEqualTo(Duration.ofMinutes(2));
    assertThat(adapter.profile().timing().listedFor()).contains(Duration.ofHours(24));
  }

  /** What is only about webhooks can be set while something is in flight. */
  @Test
  void settingThatSaysNothingOfThePlace_doesNotChangeIt() {
    String[] usual = {"api-key", "env:KEY", "settings.model", "fal-ai/veo3"};
    String[] more = {
      "api-key", "env:KEY", "settings.model", "fal-ai/veo3", "settings.account", "u"
    };
    assertThat(open("fal", more).profile().sendsTo())
        .isEqualTo(open("fal", usual).profile().sendsTo());
  }

  /** A look-up by whoever is at another place, or reads in another way, proves nothing. */
  @Test
  void place_isTheAddressTheSettingsAndTheAccount_andTheFormIsTheDescriptorsOwn()
      throws IOException {
    String[] own = {"api-key", "env:KEY", "endpoint", "https://a.example.com/v1"};
    SendsTo place = sendsTo("http-json", own);
    assertThat(
            sendsTo("http-json", "api-key", "env:KEY", "endpoint", "https://A.example.com:443/v1/"))
        .isEqualTo(place);
    for (String[] other :
        List.of(
            with(own, "settings.tasks", "orders"),
            with(own, "account", "second"),
            new String[] {"api-key", "env:KEY", "endpoint", "https://a.example.com/v2"},
            new String[] {"api-key", "env:KEY", "endpoint", "https://a.example.com:8443/v1"})) {
      SendsTo elsewhere = sendsTo("http-json", other);
      assertThat(elsewhere.digest()).isNotEqualTo(place.digest());
      assertThat(elsewhere.isPlaceOf(place.digest())).isFalse();
    }
    String text = new Catalogue(Optional.empty()).find("http-json").orElseThrow().text();
    Files.writeString(
        folder.resolve("http-json.yaml"),
        text.replace("title: An", "title: One more").replace("means: quota", "means: auth"));
    assertThat(sendsTo("http-json", own)).as("nothing that is sent").isEqualTo(place);
    Files.writeString(
        folder.resolve("http-json.yaml"), text.replace("client_reference", "reference"));
    SendsTo edited = sendsTo("http-json", own);
    assertThat(edited.digest()).isNotEqualTo(place.digest());
    assertThat(edited.isPlaceOf(place.digest())).as("its tasks are followed").isTrue();
  }

  private SendsTo sendsTo(String provider, String... settings) {
    return open(provider, settings).profile().sendsTo();
  }

  private List<Recourse> recourses(String provider, String... settings) {
    return open(provider, settings).profile().recourses();
  }

  /** The lines of the message, without its first. */
  private List<String> faults(String provider, String... settings) {
    ConfigFile.Invalid refused =
        catchThrowableOfType(ConfigFile.Invalid.class, () -> open(provider, settings));
    return Objects.requireNonNull(refused.getMessage()).lines().skip(1).toList();
  }

  private ProviderAdapter open(String provider, String... settings) {
    Map<String, String> given = new HashMap<>();
    given.put("tollgate.kafka.bootstrap-servers", "127.0.0.1:9092");
    given.put("tollgate.database.url", "jdbc:postgresql://127.0.0.1/tollgate");
    given.put("tollgate.providers." + provider + ".concurrency", "2");
    for (int i = 0; i < settings.length; i += 2) {
      given.put("tollgate.providers." + provider + "." + settings[i], settings[i + 1]);
    }
    ProviderConfig config =
        Objects.requireNonNull(ConfigFile.read(Optional.empty(), given).providers().get(provider));
    ProviderOpener opener =
        new ProviderOpener(
            new Catalogue(Optional.of(folder)),
            callbacks.map(
                base -> new DescribedConfig.Callbacks(base, new CallbackAddresses(new byte[32]))),
            name -> "KEY".equals(name) ? SECRET : null,
            System::nanoTime,
            InstantSource.system(),
            deadlines,
            folder);
    List<String> faults = new ArrayList<>();
    Optional<ProviderAdapter> adapter = opener.open(provider, config, new Faults(provider, faults));
    adapter.ifPresent(ProviderAdapter::close);
    assertThat(adapter.isPresent()).isEqualTo(faults.isEmpty());
    return adapter.orElseThrow(() -> ConfigFile.Invalid.of(faults));
  }

  private static String[] with(String[] settings, String... more) {
    String[] all = new String[settings.length + more.length];
    System.arraycopy(settings, 0, all, 0, settings.length);
    System.arraycopy(more, 0, all, settings.length, more.length);
    return all;
  }
}
