package dev.tollgate.worker.provider.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.worker.provider.http.RawH2Server.Manners;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HTTP/2 over TLS: by ALPN or not at all. */
class Http2TlsIT extends Http2Fixture {
  private static final String PASSWORD = "changeit";
  private static final RawH2Server.Script OK = (r, peer) -> peer.answer(r.streamId(), 202, "ok");

  @TempDir private static Path folder;
  private static SSLContext here; // of a certificate for 127.0.0.1
  private static SSLContext elsewhere;

  @BeforeAll
  static void certificates() throws Exception {
    here = context("here", "ip:127.0.0.1");
    elsewhere = context("elsewhere", "dns:elsewhere.invalid");
  }

  @Test
  void serverThatSelectsH2_isSpokenTo() throws IOException {
    try (RawH2Server server = new RawH2Server(OK, Manners.GOOD.tls(here, "h2"));
        HttpEngine engine = trusting(here, server.base(""))) {
      assertThat(text(send(engine, PLENTY))).isEqualTo("ok");
      assertThat(text(send(engine, PLENTY))).isEqualTo("ok");
      assertThat(server.requests().getFirst().headers()).containsEntry(":scheme", "https");
      assertThat(server.connections()).isEqualTo(1);
      assertThat(server.posts()).isEqualTo(2);
    }
  }

  @Test
  void answerOverTlsCutByClose_isCut() throws IOException {
    RawH2Server.Script script =
        (r, peer) -> {
          peer.head(r.streamId(), 202, false);
          peer.data(r.streamId(), "half", false);
          peer.fin();
        };
    try (RawH2Server server = new RawH2Server(script, Manners.GOOD.tls(here, "h2"));
        HttpEngine engine = trusting(here, server.base(""))) {
      HttpAnswer answer = send(engine, PLENTY);
      assertThat(answer.end()).isEqualTo(BodyEnd.CUT);
      assertThat(text(answer)).isEqualTo("half");
    }
  }

  @Test
  void serverWithoutAlpn_isNotSent() throws IOException {
    assertNotSent(Manners.GOOD.tls(here, ""), here, "by ALPN it selected nothing");
  }

  @Test
  void serverThatSpeaksOnlyHttp11_isNotSent() throws IOException {
    assertNotSent(Manners.GOOD.tls(here, "http/1.1"), here, "SSL");
  }

  @Test
  void certificateNobodyTrusts_isNotSent() throws Exception {
    assertNotSent(Manners.GOOD.tls(here, "h2"), SSLContext.getDefault(), "SSLHandshakeException");
  }

  @Test
  void certificateForAnotherName_isNotSent() throws IOException {
    assertNotSent(Manners.GOOD.tls(elsewhere, "h2"), elsewhere, "SSLHandshakeException");
  }

  @Test
  void plainServer_isNotSentTo() throws IOException {
    try (RawH2Server server = new RawH2Server(OK);
        HttpEngine engine =
            trusting(here, URI.create("https://127.0.0.1:" + server.base("").getPort()))) {
      HttpAnswer answer = send(engine, PLENTY);
      assertThat(answer.firstByteSent()).isFalse();
      assertThat(server.posts()).isZero();
    }
  }

  private static void assertNotSent(Manners manners, SSLContext trusted, String because)
      throws IOException {
    try (RawH2Server server = new RawH2Server(OK, manners);
        HttpEngine engine = trusting(trusted, server.base(""))) {
      HttpAnswer answer = send(engine, PLENTY);
      assertThat(answer.firstByteSent()).isFalse();
      assertThat(answer.error()).contains(because);
      assertThat(server.frames()).isEmpty();
    }
  }

  private static HttpEngine trusting(SSLContext context, URI origin) {
    ReentrantLock lock = new ReentrantLock();
    return Http2Engine.open(
        origin,
        context,
        Resolver.SYSTEM,
        new H2Shared(settings(4), System::nanoTime, DEADLINES, lock, lock.newCondition()));
  }

  /** Keeps a key and its self-signed certificate, and trusts it. */
  private static SSLContext context(String name, String alternative) throws Exception {
    Path store = folder.resolve(name + ".p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD,
                "-alias",
                name,
                "-dname",
                "CN=" + name,
                "-keyalg",
                "EC",
                "-ext",
                "san=" + alternative)
            .inheritIO()
            .start();
    assertThat(keytool.waitFor()).isZero();
    return context(store);
  }

  private static SSLContext context(Path store) throws GeneralSecurityException, IOException {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(keys, PASSWORD.toCharArray());
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(keys);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(own.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }
}
