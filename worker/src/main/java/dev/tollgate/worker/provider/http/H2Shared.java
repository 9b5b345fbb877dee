package dev.tollgate.worker.provider.http;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * What an HTTP/2 engine and its few connections have in common.
 *
 * @param lock guards the engine, its connections and their streams; held for microseconds, never
 *     during input or output
 * @param room signalled whenever a request that waits for room might find some
 */
record H2Shared(
    HttpSettings settings,
    LongSupplier nanoTime,
    Deadlines deadlines,
    ReentrantLock lock,
    Condition room) {}
