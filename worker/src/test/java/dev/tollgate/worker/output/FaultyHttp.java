package dev.tollgate.worker.output;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpFullResponse;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.utils.AttributeMap;

/**
 * What stands between a client and its object store, and does to the next requests what a test
 * says. Thread-safe.
 *
 * <p>It also makes good what S3Mock does otherwise than S3: there, a condition is checked and an
 * object is made in one step, so requests that make one wait for each other here; and aborting an
 * upload leaves the object alone that lies at its key, so such an abort is not carried out here.
 */
final class FaultyHttp implements SdkHttpClient {
  private final SdkHttpClient real;
  private final ReentrantLock making = new ReentrantLock();
  private final Queue<Planned> planned = new ConcurrentLinkedQueue<>();
  private final List<String> seen = new CopyOnWriteArrayList<>();

  private record Planned(String word, Fault fault) {}

  enum Fault {
    /** The request never arrives. */
    LOST_REQUEST,
    /** It is carried out, and nobody hears of it. */
    LOST_ANSWER,
    /** It is carried out, and answered with an error. */
    ERROR_AFTER,
    /** It is not carried out, and answered with an error. */
    ERROR_BEFORE,
    /** 409: somebody else is at it. */
    CONFLICT,
    /** It is carried out whatever its condition says. */
    UNCONDITIONAL,
    /** Half of it is stored, and answered as if it were all. */
    HALF,
    /** The process dies: no code of it runs any more. */
    KILLED_BEFORE,
    KILLED_AFTER
  }

  /** A process that died. No handler of failures knows it. */
  static final class Killed extends Error {
    Killed() {
      super("killed");
    }
  }

  /** Gives this to a client that wants to make its own. */
  record Maker(FaultyHttp http) implements SdkHttpClient.Builder<Maker> {
    @Override
    public SdkHttpClient buildWithDefaults(AttributeMap defaults) {
      return http;
    }
  }

  FaultyHttp() {
    this.real = Apache5HttpClient.builder().build();
  }

  /**
   * Does something to the next request of a kind.
   *
   * @param word as in {@link #seen()}
   */
  FaultyHttp next(String word, Fault fault) {
    planned.add(new Planned(word, fault));
    return this;
  }

  /** What was asked: {@code put, create, part, complete, abort, head, get}. */
  List<String> seen() {
    return List.copyOf(seen);
  }

  @Override
  public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
    String word = word(request.httpRequest());
    seen.add(word);
    Planned due = planned.peek();
    boolean meant = due != null && due.word.equals(word);
    if (meant) {
      planned.remove();
    }
    return new ExecutableHttpRequest() {
      @Override
      public HttpExecuteResponse call() throws IOException {
        return meant ? faulty(request, due.fault) : real(request);
      }

      @Override
      public void abort() {}
    };
  }

  private HttpExecuteResponse faulty(HttpExecuteRequest request, Fault fault) throws IOException {
    return switch (fault) {
      case LOST_REQUEST -> throw new IOException("reset before anything arrived");
      case LOST_ANSWER -> {
        drain(real(request));
        throw new IOException("reset after everything arrived");
      }
      case ERROR_AFTER -> {
        drain(real(request));
        yield error(500, "InternalError");
      }
      case ERROR_BEFORE -> error(503, "SlowDown");
      case CONFLICT -> error(409, "ConditionalRequestConflict");
      case UNCONDITIONAL ->
          real(
              HttpExecuteRequest.builder()
                  .request(request.httpRequest().toBuilder().removeHeader("If-None-Match").build())
                  .contentStreamProvider(request.contentStreamProvider().orElseThrow())
                  .build());
      case HALF -> real(half(request));
      case KILLED_BEFORE -> throw new Killed();
      case KILLED_AFTER -> {
        drain(real(request));
        throw new Killed();
      }
    };
  }

  private HttpExecuteResponse real(HttpExecuteRequest request) throws IOException {
    switch (word(request.httpRequest())) {
      case "put", "complete" -> {
        making.lock();
        try {
          return real.prepareRequest(request).call();
        } finally {
          making.unlock();
        }
      }
      case "abort" -> {
        SdkHttpRequest head =
            request.httpRequest().toBuilder()
                .method(SdkHttpMethod.HEAD)
                .clearQueryParameters()
                .build();
        HttpExecuteResponse there =
            real.prepareRequest(HttpExecuteRequest.builder().request(head).build()).call();
        return there.httpResponse().isSuccessful()
            ? answer(204, "")
            : real.prepareRequest(request).call();
      }
      default -> {
        return real.prepareRequest(request).call();
      }
    }
  }

  private static HttpExecuteRequest half(HttpExecuteRequest request) {
    byte[] all;
    try (InputStream in = request.contentStreamProvider().orElseThrow().newStream()) {
      all = in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    int length = all.length / 2;
    SdkHttpRequest shorter =
        request.httpRequest().toBuilder()
            .putHeader("Content-Length", Integer.toString(length))
            .removeHeader("x-amz-checksum-sha256")
            .removeHeader("x-amz-content-sha256")
            .build();
    return HttpExecuteRequest.builder()
        .request(shorter)
        .contentStreamProvider(() -> new ByteArrayInputStream(all, 0, length))
        .build();
  }

  private static void drain(HttpExecuteResponse response) throws IOException {
    if (response.responseBody().isPresent()) {
      try (InputStream in = response.responseBody().get()) {
        in.transferTo(OutputStream.nullOutputStream());
      }
    }
  }

  private static HttpExecuteResponse error(int status, String code) {
    return answer(status, "<Error><Code>" + code + "</Code></Error>");
  }

  private static HttpExecuteResponse answer(int status, String text) {
    byte[] body = text.getBytes(StandardCharsets.US_ASCII);
    return HttpExecuteResponse.builder()
        .response(
            SdkHttpFullResponse.builder()
                .statusCode(status)
                .putHeader("Content-Type", "application/xml")
                .putHeader("Content-Length", Integer.toString(body.length))
                .build())
        .responseBody(AbortableInputStream.create(new ByteArrayInputStream(body)))
        .build();
  }

  private static String word(SdkHttpRequest request) {
    boolean upload = request.rawQueryParameters().containsKey("uploadId");
    return switch (request.method()) {
      case PUT -> upload ? "part" : "put";
      case POST -> upload ? "complete" : "create";
      case DELETE -> "abort";
      case HEAD -> "head";
      case GET -> "get";
      default -> request.method().name();
    };
  }

  @Override
  public void close() {
    real.close();
  }
}
