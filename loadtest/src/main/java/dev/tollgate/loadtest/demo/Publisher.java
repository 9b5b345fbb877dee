package dev.tollgate.loadtest.demo;

import dev.tollgate.schema.event.EventMessage;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;

/** Publishes messages in order, evenly over a time. {@link #run} is for one thread. */
final class Publisher implements Runnable {
  private final Producer<byte[], byte[]> producer;
  private final String topic;
  private final List<EventMessage> messages;
  private final Duration over;
  private final LongSupplier nanoTime;
  private final AtomicInteger acknowledged = new AtomicInteger();

  /** Written by the producer's thread, read by all. */
  private volatile @Nullable Exception failure;

  /** Written by the publishing thread, read by all. */
  private volatile boolean done;

  private volatile boolean stopped;

  Publisher(
      Producer<byte[], byte[]> producer,
      String topic,
      List<EventMessage> messages,
      Duration over,
      LongSupplier nanoTime) {
    this.producer = producer;
    this.topic = topic;
    this.messages = messages;
    this.over = over;
    this.nanoTime = nanoTime;
  }

  @Override
  public void run() {
    try {
      publish();
    } catch (RuntimeException e) {
      failure = e;
    } finally {
      done = true;
    }
  }

  private void publish() {
    long began = nanoTime.getAsLong();
    for (int i = 0; i < messages.size() && failure == null; i++) {
      long due = began + over.toNanos() / messages.size() * i;
      for (long wait = due - nanoTime.getAsLong(); wait > 0; wait = due - nanoTime.getAsLong()) {
        if (stopped) {
          return;
        }
        LockSupport.parkNanos(this, Math.min(wait, 100_000_000));
      }
      // the callback hears what the future would tell
      Future<?> _ = producer.send(messages.get(i).toRecord(topic), (_, e) -> answered(e));
    }
    producer.flush();
  }

  private void answered(@Nullable Exception e) {
    if (e == null) {
      acknowledged.incrementAndGet();
    } else {
      failure = e;
    }
  }

  void stop() {
    stopped = true;
  }

  /** Messages that the broker has. */
  int acknowledged() {
    return acknowledged.get();
  }

  /** Whether it has ended, well or not. */
  boolean done() {
    return done;
  }

  /** Why a message was not acknowledged, if one was not. */
  @Nullable Exception failure() {
    return failure;
  }
}
