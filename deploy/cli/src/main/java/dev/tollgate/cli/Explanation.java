package dev.tollgate.cli;

import dev.tollgate.cli.local.ChildFailed;
import dev.tollgate.embedded.ServicesException;
import dev.tollgate.schema.config.ConfigFile;
import dev.tollgate.schema.store.StoreUnavailable;
import dev.tollgate.schema.store.UnsafeDatabase;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.file.NoSuchFileException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Objects;
import org.apache.kafka.common.errors.TimeoutException;
import org.flywaydb.core.api.FlywayException;
import picocli.CommandLine;

/**
 * What a person is told about an exception that ended a command.
 *
 * @param exitCode of the process
 * @param line without a stack trace
 * @param cause for {@code --debug}
 */
record Explanation(int exitCode, String line, Throwable cause) {
  static Explanation of(Throwable e) {
    return switch (e) {
      case Failure failure -> new Explanation(failure.exitCode(), whole(e), e);
      case ConfigFile.Invalid _ -> new Explanation(Failure.USAGE, whole(e), e);
      case ServicesException _ -> new Explanation(Failure.UNREACHABLE, whole(e), e);
      case UnsafeDatabase _ -> new Explanation(Failure.REFUSED, whole(e), e);
      case ChildFailed _ -> new Explanation(Failure.REFUSED, whole(e), e);
      case FlywayException _ ->
          new Explanation(
              Failure.REFUSED,
              "the database's schema was made by another build, and this one cannot go on from it ("
                  + String.join(" ", whole(e).lines().limit(2).map(String::strip).toList())
                  + "); a local data folder that nobody needs can be removed",
              e);
      case IllegalArgumentException _ -> new Explanation(Failure.USAGE, said(e), e);
      default ->
          unreachable(e)
              ? new Explanation(
                  Failure.UNREACHABLE, "a server cannot be reached: " + said(root(e)), e)
              : new Explanation(
                  Failure.REFUSED, "failed: " + said(e) + " (--debug shows where)", e);
    };
  }

  private static String whole(Throwable e) {
    return Objects.requireNonNullElse(e.getMessage(), e.getClass().getSimpleName());
  }

  private static boolean unreachable(Throwable e) {
    for (Throwable t = e; t != null; t = t.getCause()) {
      if (t instanceof StoreUnavailable
          || t instanceof SQLTransientConnectionException
          || t instanceof ConnectException
          || t instanceof UnknownHostException
          || t instanceof TimeoutException
          || (t instanceof SQLException sql && connectionLost(sql))) {
        return true;
      }
    }
    return false;
  }

  /** SQLSTATE classes 08 (connection), 28 (who are you), 53 (too many), 57 (shutting down). */
  static boolean connectionLost(SQLException e) {
    String state = e.getSQLState();
    return state != null
        && (state.startsWith("08")
            || state.startsWith("28")
            || state.startsWith("53")
            || state.startsWith("57")
            || state.equals("3D000"));
  }

  private static Throwable root(Throwable e) {
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }

  /** The first line of a message, or the exception's name where it says nothing. */
  static String said(Throwable e) {
    if (e instanceof NoSuchFileException) {
      return "there is no such file";
    }
    String message = e.getMessage();
    if (message == null || message.isBlank()) {
      return e.getClass().getSimpleName();
    }
    String first = message.lines().findFirst().orElse(message).strip();
    return e instanceof IOException ? e.getClass().getSimpleName() + ": " + first : first;
  }

  int print(CommandLine command) {
    command.getErr().println("tollgate: " + line);
    if (debug(command)) {
      trace(command.getErr());
    }
    command.getErr().flush();
    return exitCode;
  }

  private void trace(PrintWriter err) {
    String lead = "";
    for (Throwable t = cause; t != null; t = t.getCause()) {
      err.println(lead + t);
      for (StackTraceElement frame : t.getStackTrace()) {
        err.println("\tat " + frame);
      }
      lead = "caused by ";
    }
  }

  private static boolean debug(CommandLine command) {
    CommandLine top = command;
    while (top.getParent() != null) {
      top = top.getParent();
    }
    return top.getCommand() instanceof TollgateCommand root && root.debug;
  }
}
