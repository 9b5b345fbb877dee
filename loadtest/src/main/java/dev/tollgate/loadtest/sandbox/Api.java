package dev.tollgate.loadtest.sandbox;

import java.util.function.IntSupplier;

/** Routes one request to what answers it. Thread-safe. */
final class Api {
  private final Creation creation;
  private final Reads reads;
  private final Texts texts;
  private final Stats stats;
  private final IntSupplier openConnections;
  private final String bearer;

  Api(
      String apiKey,
      Creation creation,
      Reads reads,
      Texts texts,
      Stats stats,
      IntSupplier openConnections) {
    this.creation = creation;
    this.reads = reads;
    this.texts = texts;
    this.stats = stats;
    this.openConnections = openConnections;
    this.bearer = "Bearer " + apiKey;
  }

  /**
   * Answers one request.
   *
   * @throws InterruptedException when the server closes meanwhile
   */
  Reply reply(HttpRequest request) throws InterruptedException {
    int slash = request.path.indexOf('/', 1);
    String first = slash < 0 ? "" : request.path.substring(1, slash);
    String rest = slash < 0 ? "" : request.path.substring(slash);
    Kind kind = Kind.ofPath(first);
    if (kind != null
        && (rest.equals(kind.collection()) || rest.startsWith(kind.collection() + "/"))) {
      return tasks(kind, rest, request);
    }
    if (!request.method.equals("GET")) {
      return Reply.read(false, notFound());
    }
    return Reply.read(
        false,
        switch (first) {
          case "outputs" -> reads.outputBytes(rest.substring(1));
          case "admin" -> admin(rest);
          default -> notFound();
        });
  }

  private Reply tasks(Kind kind, String rest, HttpRequest request) throws InterruptedException {
    boolean authorized = bearer.equals(request.headers.authorization);
    boolean collection = rest.equals(kind.collection());
    if (collection && request.method.equals("POST")) {
      return creation.create(kind, request, authorized);
    }
    stats.read();
    String id = collection ? "" : rest.substring(kind.collection().length() + 1);
    HttpAnswer answer;
    if (!authorized) {
      answer = HttpAnswer.error(401, "unauthorized", "a valid bearer token is needed");
    } else if (!request.method.equals("GET")) {
      answer = HttpAnswer.error(405, "method_not_allowed", "only GET and POST are served");
    } else if (kind == Kind.TEXT) {
      return Reply.read(true, texts.resumed(id, Reads.parameters(request.query)));
    } else if (collection) {
      if (!Reads.namesTasks(request.query)) {
        stats.search(kind);
      }
      answer = reads.search(kind, request.query);
    } else {
      answer = reads.status(kind, id);
    }
    return Reply.read(true, answer);
  }

  private HttpAnswer admin(String rest) {
    return switch (rest) {
      case "/health" -> HttpAnswer.json(200, "{\"status\":\"ok\"}");
      case "/stats" -> HttpAnswer.json(200, stats.json(openConnections.getAsInt()));
      default -> notFound();
    };
  }

  private static HttpAnswer notFound() {
    return HttpAnswer.error(404, "not_found", "nothing is served here");
  }
}
