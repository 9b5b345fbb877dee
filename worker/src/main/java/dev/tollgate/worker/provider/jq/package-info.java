/**
 * The expressions of provider descriptors: jq, with what could run for ever or reach outside taken
 * out.
 *
 * <p><b>Model.</b> {@link dev.tollgate.worker.provider.jq.Jq#compile} checks an expression's words
 * and compiles it; {@link dev.tollgate.worker.provider.jq.Jq#one} applies it to a JSON value.
 *
 * <p><b>Bounds.</b> An expression is at most 4,000 characters. It may not define functions, fold,
 * recurse, count up, name a label, import, multiply (a string times a number is a long string),
 * assign (each place that is changed copies what is beside it, and an index makes an array as long)
 * or read clocks, the environment or a second input, so that every expression ends. Regular
 * expressions are left out: some take exponential time. What an expression may call is a list
 * ({@link dev.tollgate.worker.provider.jq.JqWords}), not what is left after taking some out.
 *
 * <p>An expression that ends can still fan out or double with each stage, {@code (.,.)|(.,.)} or
 * {@code .+.|.+.}. So each step, each value that is made and each copy of it counts, and past eight
 * million in one application the expression fails ({@link dev.tollgate.worker.provider.jq.Budget}):
 * about a second, and half a gigabyte of text, at the most. One text, or all text within one value,
 * has at most 64 Mi characters.
 *
 * <p>What is not bounded: time by the clock, and what one call of a library function takes beyond
 * the value that it gives. Functions whose work is far more than that are counted by their input
 * ({@link dev.tollgate.worker.provider.jq.Foreseen}); the others take about as long as their input
 * is large, which is bounded by whoever read it. The same holds for sums and differences that grow
 * a value step by step ({@code add}, {@code flatten} and {@code -}, {@code del} of many places):
 * they count each copy, and so fail on arrays of a few thousand elements.
 *
 * <p><b>Failure.</b> An expression that fails on some input has no value there; the caller treats
 * that as "not seen", which never proves anything.
 *
 * <p>Jackson 2 is used here and in what hands values to this package, since the jq library's stable
 * line is built on it; the rest of the project uses Jackson 3.
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.worker.provider.jq;
