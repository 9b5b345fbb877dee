/**
 * PostgreSQL, Redis and Kafka for tests and for running Tollgate on one machine: as child processes
 * from Maven Central jars, or as containers.
 *
 * <p><b>It owns</b> the processes it starts, the data folder it was given or made, and nothing
 * else: it knows no table, key or topic of Tollgate's. {@link dev.tollgate.embedded.Services} is
 * the entry; {@link dev.tollgate.embedded.SharedServices} is one such set for all tests of a JVM.
 *
 * <p><b>Layout.</b> One data folder holds {@code postgres}, {@code redis}, {@code kafka}, {@code
 * logs} (one file per server) and, where the folder stays, the unpacked {@code programs}; a
 * temporary one shares programs in the system's temporary folder. With a port base, Kafka has that
 * port, its controller the next, PostgreSQL the one after, Redis the fourth. Everything listens on
 * 127.0.0.1 only. PostgreSQL's superuser is {@code tollgate} with password {@code tollgate}: a
 * fence against accidents, not against people with access to the machine.
 *
 * <p><b>Promises.</b> PostgreSQL runs with {@code fsync} and {@code synchronous_commit} on.
 * PostgreSQL and Kafka keep what they acknowledged over a crash and restart; Redis keeps nothing.
 * Ports stay the same over a restart.
 *
 * <p><b>When things fail.</b> A server that does not come up is killed, and the {@link
 * dev.tollgate.embedded.ServicesException} names the server, its port and the last lines of its
 * log. A port that is taken is said so, with the port, after a second of waiting for an orphan to
 * go. A data folder that another process of ours uses is refused. Closing is bounded: a server that
 * does not end in time is killed.
 *
 * <p><b>When the parent dies</b>, even by kill -9, each server gets a signal from a watcher that
 * noticed the end of a pipe: PostgreSQL an immediate stop, Redis and Kafka a kill. Temporary
 * folders of a killed parent stay on disk. If the watcher is killed too, its server lives on. With
 * containers, Testcontainers' reaper does this.
 *
 * <p><b>As root</b>, PostgreSQL runs in a user namespace in which it does not see that it is root;
 * where that is forbidden, as user {@code postgres} or {@code nobody}, who then owns its data.
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.embedded;
