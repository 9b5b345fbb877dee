package dev.tollgate.schema.store;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/** Runs steps at the same moment. */
final class Together {
  record Both<T>(T first, T second) {}

  /** What two lists or sets hold together, repeats included. */
  static <E> List<E> all(Both<? extends Collection<E>> both) {
    List<E> all = new ArrayList<>(both.first());
    all.addAll(both.second());
    return all;
  }

  private Together() {}

  static <T> Both<T> run(Supplier<T> first, Supplier<T> second) {
    CyclicBarrier start = new CyclicBarrier(2);
    CompletableFuture<T> a = begin(start, first);
    CompletableFuture<T> b = begin(start, second);
    return new Both<>(a.join(), b.join());
  }

  /** Runs a step so many times at the same moment, each with its number. */
  static void run(int times, IntConsumer step) {
    CyclicBarrier start = new CyclicBarrier(times);
    List<CompletableFuture<Boolean>> steps = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      int n = i;
      steps.add(
          begin(
              start,
              () -> {
                step.accept(n);
                return true;
              }));
    }
    steps.forEach(CompletableFuture::join);
  }

  private static <T> CompletableFuture<T> begin(CyclicBarrier start, Supplier<T> step) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                start.await();
                result.complete(step.get());
              } catch (InterruptedException | BrokenBarrierException | RuntimeException e) {
                result.completeExceptionally(e);
              }
            });
    return result;
  }
}
