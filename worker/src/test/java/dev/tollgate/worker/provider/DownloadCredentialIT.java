package dev.tollgate.worker.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.worker.provider.descriptor.Descriptor;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whoever names an output names an address: which of them get the provider's credential. */
class DownloadCredentialIT {
  private static final String ENDPOINT = "/v1";

  @ParameterizedTest
  @EnumSource
  void belowTheEndpoint_carriesIt_andElsewhereNot(Made made) throws IOException {
    try (RawServer server = answering(RawServer.answer(200, "output"));
        ProviderAdapter adapter = made.open(server.base(ENDPOINT), Recourse.NONE)) {
      for (String path : List.of("/v1/outputs/1?s=1", "/v1/", "/outputs/1", "/v10/o", "/", "/v1")) {
        assertThat(download(adapter, server.base(path)))
            .isInstanceOf(DownloadResult.Downloaded.class);
      }
      assertThat(proofs(server)).containsExactly(true, true, false, false, false, false);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/v1/../admin",
        "/v1/./o",
        "/v1/..;/admin",
        "/v1/%2e%2E/admin",
        "/v1/..%2fadmin",
        "/v1/%5c..",
        "/v1/%252e%252e/admin",
        "/v1//o",
        "/v1/x/.."
      })
  void pathThatMayLeadAway_carriesNone(String path) throws IOException {
    try (RawServer server = answering(RawServer.answer(200, "output"));
        ProviderAdapter adapter = Made.BY_DESCRIPTOR.open(server.base(ENDPOINT), Recourse.NONE)) {
      download(adapter, server.base(path));
      assertThat(proofs(server)).containsExactly(false);
    }
  }

  @Test
  void descriptorThatNamesPaths_isKeptTo() throws IOException {
    assertThat(proofs("credential-below: [/files/, /r/]"))
        .containsExactly(true, true, false, false, false);
    assertThat(proofs("hosts: []")).as("it says nothing").doesNotContain(true);
  }

  /** With another line in the place of the one that names all paths. */
  private static List<Boolean> proofs(String line) throws IOException {
    Descriptor descriptor = Adapters.descriptor("http-json", "credential-below: [/]", line);
    try (RawServer server = answering(RawServer.answer(200, "output"));
        ProviderAdapter adapter =
            Adapters.described(
                descriptor, server.base(ENDPOINT), Recourse.NONE, Adapters.NOWHERE)) {
      for (String path : List.of("/v1/files/1", "/v1/r/1", "/v1/r", "/files/1", "/v1/orders/1")) {
        download(adapter, server.base(path));
      }
      return proofs(server);
    }
  }

  @ParameterizedTest
  @EnumSource
  void redirectToAnotherOrigin_isRefused(Made made) throws IOException {
    try (RawServer other = answering(RawServer.answer(200, "output"));
        RawServer server =
            answering(
                RawServer.answer(302, "Location: " + other.base("/v1/outputs/1") + "\r\n", ""));
        ProviderAdapter adapter = made.open(server.base(ENDPOINT), Recourse.NONE)) {
      assertThat(download(adapter, server.base("/v1/outputs/1")))
          .isInstanceOf(DownloadResult.Invalid.class);
      assertThat(other.connections()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void redirectToAnotherPlace_carriesNone(Made made) throws IOException {
    try (RawServer server =
            new RawServer(
                (request, socket) ->
                    RawServer.write(
                        socket,
                        request.line().startsWith("GET /v1/")
                            ? RawServer.answer(302, "Location: /admin\r\n", "")
                            : RawServer.answer(200, "output")));
        ProviderAdapter adapter = made.open(server.base(ENDPOINT), Recourse.NONE)) {
      assertThat(download(adapter, server.base("/v1/outputs/1")))
          .isInstanceOf(DownloadResult.Downloaded.class);
      assertThat(proofs(server)).containsExactly(true, false);
    }
  }

  private static RawServer answering(String answer) throws IOException {
    return new RawServer((_, socket) -> RawServer.write(socket, answer));
  }

  /** Of each request, whether it carried the credential. */
  private static List<Boolean> proofs(RawServer server) {
    return server.requests().stream()
        .map(request -> request.header("Authorization").isPresent())
        .toList();
  }

  private static DownloadResult download(ProviderAdapter adapter, URI url) throws IOException {
    OutputRef ref = new OutputRef(url, Optional.empty(), OptionalLong.of(6), Optional.empty());
    return adapter.download(ref, (_, _, _) -> {}, 100);
  }
}
