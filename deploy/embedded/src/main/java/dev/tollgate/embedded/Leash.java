package dev.tollgate.embedded;

import dev.tollgate.embedded.ServicesException.Reason;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Ties a child process to the life of its parent, however the parent ends.
 *
 * <p>The child's standard input is a pipe that only the parent holds open. Before the program takes
 * the place of the shell that starts it, the shell leaves a watcher behind that waits for the end
 * of that pipe and then signals the program. So a parent that is killed takes its children along,
 * on every Unix and whichever thread started them (which a parent-death signal, bound to a thread,
 * cannot do), even children that are frozen, if the signal is KILL.
 *
 * <p>Where {@code setsid} exists the program runs in a session of its own, so that Ctrl-C in a
 * terminal reaches the parent only, which then stops its children in order. Stateless.
 */
public final class Leash {
  private static final Path SHELL = Path.of("/bin/sh");

  /** {@code $1} signal, then the command. The shell's own id becomes the program's. */
  private static final String SCRIPT =
      """
      signal=$1; shift; server=$$
      exec 3<&0 </dev/null
      ( ( trap '' HUP INT TERM; read -r _ <&3; kill -s "$signal" "$server" ) >/dev/null 2>&1 & )
      exec 3<&-
      exec "$@"
      """;

  private Leash() {}

  /**
   * The command that runs another on a leash. It has to be started with a pipe as its standard
   * input and keeps its process id; the program itself reads {@code /dev/null}.
   *
   * @param name for messages and process lists
   * @param orphanSignal what the program gets when its parent is gone, named without SIG
   * @param command program and arguments
   * @throws ServicesException {@code UNSUPPORTED_PLATFORM} where there is no {@code /bin/sh}
   */
  public static List<String> command(String name, String orphanSignal, List<String> command) {
    if (!Files.isExecutable(SHELL)) {
      throw new ServicesException(
          Reason.UNSUPPORTED_PLATFORM,
          "%s cannot be started without %s; use containers here".formatted(name, SHELL));
    }
    List<String> leashed = new ArrayList<>(Programs.onPath("setsid").stream().toList());
    leashed.addAll(List.of(SHELL.toString(), "-c", SCRIPT, name, orphanSignal));
    leashed.addAll(command);
    return leashed;
  }
}
