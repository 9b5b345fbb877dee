/**
 * The command line: one program with a command for each thing that an operator, a developer or a
 * script does with Tollgate.
 *
 * <p><b>It owns</b> words and exit codes, and no rule: each command wires what the other modules
 * offer and says what came of it. Results go to standard output, complaints to standard error.
 *
 * <p><b>Exit codes</b> ({@link dev.tollgate.cli.Failure}): 0 done; 1 an item was refused or failed;
 * 2 the command or the configuration is wrong; 3 a server cannot be reached. A failure is one line;
 * {@code --debug} adds the stack trace.
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.cli;
