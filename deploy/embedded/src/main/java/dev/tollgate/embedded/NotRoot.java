package dev.tollgate.embedded;

import dev.tollgate.embedded.ServicesException.Reason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileOwnerAttributeView;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How to run PostgreSQL, which refuses to run as root.
 *
 * @param prefix goes before the command
 * @param owner who must own the data folder; empty: whoever made it
 */
record NotRoot(List<String> prefix, Optional<String> owner) {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final List<String> USERS = List.of("postgres", "nobody");

  /** The way that works here; the first of: not root anyway, a user namespace, another user. */
  static NotRoot here() {
    if (!root()) {
      return new NotRoot(List.of(), Optional.empty());
    }
    return namespace()
        .or(NotRoot::otherUser)
        .orElseThrow(
            () ->
                new ServicesException(
                    Reason.UNSUPPORTED_PLATFORM,
                    "PostgreSQL refuses to run as root, and neither unshare -U nor setpriv works"
                        + " here; run as another user, or use containers"));
  }

  static boolean root() {
    return Programs.run(List.of("id", "-u"), PATIENCE).output().strip().equals("0");
  }

  /**
   * A namespace in which nobody is mapped: the process does not see that it is root, while outside
   * its files stay root's.
   */
  static Optional<NotRoot> namespace() {
    return Programs.onPath("unshare")
        .filter(unshare -> Programs.run(List.of(unshare, "-U", "true"), PATIENCE).succeeded())
        .map(unshare -> new NotRoot(List.of(unshare, "-U"), Optional.empty()));
  }

  /** One of the usual users without rights, who then owns the data folder. */
  static Optional<NotRoot> otherUser() {
    Optional<String> setpriv = Programs.onPath("setpriv");
    return setpriv.flatMap(
        program ->
            USERS.stream()
                .map(
                    user ->
                        new NotRoot(
                            List.of(
                                program,
                                "--reuid=" + user,
                                "--regid=" + group(user),
                                "--clear-groups"),
                            Optional.of(user)))
                .filter(NotRoot::works)
                .findFirst());
  }

  private static String group(String user) {
    String printed = Programs.run(List.of("id", "-g", user), PATIENCE).output().strip();
    return printed.isEmpty() ? user : printed;
  }

  private boolean works() {
    return Programs.run(command(List.of("true")), PATIENCE).succeeded();
  }

  List<String> command(List<String> arguments) {
    return Stream.concat(prefix.stream(), arguments.stream()).toList();
  }

  /** Gives a folder and all in it to the user that will work in it. */
  void hand(Path folder) throws IOException {
    if (owner.isEmpty()) {
      return;
    }
    UserPrincipal user =
        folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(owner.get());
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.toList()) {
        Files.getFileAttributeView(file, FileOwnerAttributeView.class, LinkOption.NOFOLLOW_LINKS)
            .setOwner(user);
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }
}
