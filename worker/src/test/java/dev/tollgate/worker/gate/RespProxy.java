package dev.tollgate.worker.gate;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Stands between a client and a Redis, reads each command, and does with it what the test's script
 * says. Commands of one connection are handled one after another, so a script sees them in order.
 */
final class RespProxy implements AutoCloseable {

  /** What becomes of one command. */
  sealed interface Action {
    /** Redis carries it out, the client gets the reply. */
    record Pass() implements Action {}

    /** Redis carries it out, the reply is dropped and the client's connection closed. */
    record PassThenCut() implements Action {}

    /**
     * Redis carries it out twice, as if something on the way had repeated it; the client gets the
     * second reply.
     */
    record PassTwice() implements Action {}

    /** Redis never sees it, the client never gets a reply, the connection stays. */
    record Hang() implements Action {}

    /** Redis never sees it, the client gets these bytes. */
    record Reply(String bytes) implements Action {}
  }

  private final int redisPort;
  private final ServerSocket listener;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final List<String> commands = new CopyOnWriteArrayList<>();
  private final AtomicLong replyBytes = new AtomicLong();
  private volatile Function<List<String>, Action> script = _ -> new Action.Pass();
  private volatile int repliesHeld = 1;

  RespProxy(int redisPort) {
    this.redisPort = redisPort;
    try {
      this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().name("resp-proxy").start(this::accept);
  }

  URI uri() {
    return URI.create("redis://127.0.0.1:" + listener.getLocalPort());
  }

  /** The script gets a command with its arguments, one character for each byte. */
  void script(Function<List<String>, Action> next) {
    script = next;
  }

  void always(Action action) {
    script = _ -> action;
  }

  /**
   * Replies go out only in groups of this size: a client that waits for one before it has sent all
   * waits for ever.
   */
  void holdReplies(int group) {
    repliesHeld = group;
  }

  /** Names of the commands seen so far, in order. */
  List<String> commands() {
    return List.copyOf(commands);
  }

  long count(String command) {
    return commands.stream().filter(command::equals).count();
  }

  /** Bytes of replies that came from Redis so far. */
  long replyBytes() {
    return replyBytes.get();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        sockets.add(client);
        Thread.ofVirtual().name("resp-proxy-connection").start(() -> serve(client));
      } catch (IOException e) {
        return; // closed
      }
    }
  }

  private void serve(Socket client) {
    try (client;
        Socket redis = new Socket(InetAddress.getLoopbackAddress(), redisPort)) {
      sockets.add(redis);
      InputStream fromClient = new BufferedInputStream(client.getInputStream());
      InputStream fromRedis = new BufferedInputStream(redis.getInputStream());
      var held = new ByteArrayOutputStream();
      int heldCount = 0;
      while (true) {
        List<String> command = readCommand(fromClient);
        commands.add(command.getFirst().toUpperCase(Locale.ROOT));
        byte[] reply = act(command, fromRedis, redis.getOutputStream());
        if (reply == null) {
          return;
        }
        if (reply.length == 0) {
          continue;
        }
        held.write(reply);
        if (++heldCount >= repliesHeld) {
          held.writeTo(client.getOutputStream());
          held.reset();
          heldCount = 0;
        }
      }
    } catch (IOException e) {
      // the client or Redis went away: so does the pair
    }
  }

  /**
   * The bytes for the client; none where nothing is to be said, null where its connection is to be
   * closed.
   */
  private byte @Nullable [] act(List<String> command, InputStream fromRedis, OutputStream toRedis)
      throws IOException {
    return switch (script.apply(command)) {
      case Action.Pass() -> exchange(command, fromRedis, toRedis);
      case Action.PassThenCut() -> {
        exchange(command, fromRedis, toRedis);
        yield null;
      }
      case Action.PassTwice() -> {
        exchange(command, fromRedis, toRedis);
        yield exchange(command, fromRedis, toRedis);
      }
      case Action.Hang() -> new byte[0];
      case Action.Reply(String bytes) -> bytes.getBytes(ISO_8859_1);
    };
  }

  private byte[] exchange(List<String> command, InputStream fromRedis, OutputStream toRedis)
      throws IOException {
    var request = new ByteArrayOutputStream();
    request.writeBytes(("*" + command.size() + "\r\n").getBytes(ISO_8859_1));
    for (String argument : command) {
      request.writeBytes(
          ("$" + argument.length() + "\r\n" + argument + "\r\n").getBytes(ISO_8859_1));
    }
    request.writeTo(toRedis);
    var reply = new ByteArrayOutputStream();
    copyReply(fromRedis, reply);
    replyBytes.addAndGet(reply.size());
    return reply.toByteArray();
  }

  private static void copyReply(InputStream in, ByteArrayOutputStream copy) throws IOException {
    String line = readLine(in);
    copy.writeBytes((line + "\r\n").getBytes(ISO_8859_1));
    int length =
        switch (line.charAt(0)) {
          case '$', '*' -> Integer.parseInt(line.substring(1));
          case '+', '-', ':' -> -1;
          default -> throw new IOException("not RESP2: " + line);
        };
    if (line.charAt(0) == '$' && length >= 0) {
      copy.writeBytes(in.readNBytes(length + 2));
    } else if (line.charAt(0) == '*') {
      for (int i = 0; i < length; i++) {
        copyReply(in, copy);
      }
    }
  }

  private static List<String> readCommand(InputStream in) throws IOException {
    int size = Integer.parseInt(readLine(in).substring(1));
    List<String> command = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      int length = Integer.parseInt(readLine(in).substring(1));
      byte[] argument = in.readNBytes(length + 2);
      if (argument.length < length + 2) {
        throw new EOFException();
      }
      command.add(new String(argument, 0, length, ISO_8859_1));
    }
    return command;
  }

  private static String readLine(InputStream in) throws IOException {
    var line = new StringBuilder();
    for (int b = in.read(); b != '\r'; b = in.read()) {
      if (b < 0) {
        throw new EOFException();
      }
      line.append((char) b);
    }
    if (in.read() != '\n') {
      throw new IOException("not RESP");
    }
    return line.toString();
  }

  /** Closes every connection; new ones are welcome. */
  void cutConnections() {
    try {
      for (Socket socket : sockets) {
        socket.close();
      }
      sockets.clear();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      listener.close();
      cutConnections();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
