package dev.tollgate.worker.provider.described;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tollgate.worker.provider.Credentials;
import dev.tollgate.worker.provider.ProviderProfile;
import dev.tollgate.worker.provider.Recourse;
import dev.tollgate.worker.provider.descriptor.Descriptor;
import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What an operator adds to a descriptor.
 *
 * @param profile name, recourses in use, slots, timing
 * @param endpoint the base address, without a slash at its end
 * @param settings by name, defaults filled in, as {@link #settings(Map)} gives them; not to be
 *     changed
 * @param callbacks where callbacks reach this installation, if they do
 * @param outputHosts hosts of outputs besides those that the descriptor names
 * @param keptIn where answers are kept that are results themselves
 * @param statusBatch most tasks that one call asks about; absent: as documented
 */
public record DescribedConfig(
    ProviderProfile profile,
    URI endpoint,
    ObjectNode settings,
    Credentials credentials,
    Optional<Callbacks> callbacks,
    List<String> outputHosts,
    KeptIn keptIn,
    OptionalInt statusBatch) {

  /**
   * Where answers are kept that are results themselves.
   *
   * @param folder shared by all workers
   */
  public record KeptIn(Path folder, InstantSource clock) {}

  /**
   * Where callbacks reach this installation.
   *
   * @param base the public address
   */
  public record Callbacks(URI base, CallbackAddresses addresses) {}

  KeptAnswers keptAnswers() {
    return new KeptAnswers(keptIn.folder(), keptIn.clock());
  }

  /** Most tasks that one call asks about. */
  int statusBatch(Descriptor.Many many) {
    return statusBatch.orElse(many.documented() ? many.most() : 1);
  }

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /** Where the provider reports an operation, if it is asked to. */
  Optional<String> callback(String operation) {
    return callbacks
        .filter(_ -> profile.recourses().contains(Recourse.CALLBACK_PER_REQUEST))
        .map(to -> to.addresses().of(to.base(), profile.name(), operation));
  }

  /** The variables that every expression has. */
  Map<String, JsonNode> variables() {
    Map<String, JsonNode> variables = new HashMap<>();
    variables.put("settings", settings);
    variables.put("offers", offers(profile.recourses()));
    return variables;
  }

  /** Settings as expressions see them. */
  public static ObjectNode settings(Map<String, String> settings) {
    ObjectNode node = NODES.objectNode();
    settings.forEach(node::put);
    return node;
  }

  private static ArrayNode offers(List<Recourse> recourses) {
    ArrayNode node = NODES.arrayNode();
    recourses.forEach(recourse -> node.add(recourse.word()));
    return node;
  }
}
