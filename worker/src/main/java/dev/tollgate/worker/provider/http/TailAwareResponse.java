package dev.tollgate.worker.provider.http;

import java.io.IOException;
import java.io.InputStream;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpResponseFactory;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.DefaultHttpResponseParser;
import org.apache.hc.core5.http.io.HttpMessageParser;
import org.apache.hc.core5.http.io.HttpMessageParserFactory;
import org.apache.hc.core5.http.io.SessionInputBuffer;
import org.apache.hc.core5.http.message.BasicClassicHttpResponse;
import org.apache.hc.core5.http.message.BasicLineParser;
import org.jspecify.annotations.Nullable;

/**
 * A response that can tell whether bytes follow it in the connection's buffer. A peer that sends
 * more than its framing says would otherwise have the surplus read as the answer to the next
 * request, which belongs to another operation.
 */
final class TailAwareResponse extends BasicClassicHttpResponse {
  private @Nullable SessionInputBuffer buffer; // set once by the parser, before anyone reads it

  private TailAwareResponse(int status, @Nullable String phrase) {
    super(status, phrase);
  }

  /** Whether something came behind the part that was read. */
  boolean hasTail() {
    return buffer != null && buffer.length() > 0;
  }

  /** Makes parsers that give out such responses. */
  static final class ParserFactory implements HttpMessageParserFactory<ClassicHttpResponse> {
    private final Http1Config limits;

    ParserFactory(Http1Config limits) {
      this.limits = limits;
    }

    @Override
    public HttpMessageParser<ClassicHttpResponse> create() {
      return new Parser(limits);
    }

    @Override
    @SuppressWarnings("deprecation") // abstract in the interface all the same
    public HttpMessageParser<ClassicHttpResponse> create(Http1Config ignored) {
      return new Parser(limits);
    }
  }

  private static final class Parser extends DefaultHttpResponseParser {
    Parser(Http1Config limits) {
      super(limits, BasicLineParser.INSTANCE, new Factory());
    }

    @Override
    public ClassicHttpResponse parse(SessionInputBuffer buffer, InputStream in)
        throws IOException, HttpException {
      ClassicHttpResponse response = super.parse(buffer, in);
      if (response instanceof TailAwareResponse aware) {
        aware.buffer = buffer;
      }
      return response;
    }
  }

  private static final class Factory implements HttpResponseFactory<ClassicHttpResponse> {
    @Override
    public ClassicHttpResponse newHttpResponse(int status, @Nullable String phrase) {
      return new TailAwareResponse(status, phrase);
    }

    @Override
    public ClassicHttpResponse newHttpResponse(int status) {
      return new TailAwareResponse(status, null);
    }
  }
}
