/**
 * The expressions of provider descriptors: jq, with what could run for ever or reach outside taken
 * out.
 *
 * <p><b>Model.</b> {@link dev.tollgate.worker.provider.jq.Jq#compile} checks an expression's words
 * and compiles it; {@link dev.tollgate.worker.provider.jq.Jq#one} applies it to a JSON value.
 *
 * <p><b>Bounds.</b> An expression is at most 4,000 characters. It may not define functions, fold,
 * recurse, count up, name a label, import, multiply (a string times a number is a long string) or
 * read clocks, the environment or a second input, so that every expression ends, after work that
 * its own text and the size of its input bound. Inputs are bounded by whoever reads them. Regular
 * expressions are left out: some take exponential time. What an expression may call is a list
 * ({@link dev.tollgate.worker.provider.jq.JqWords}), not what is left after taking some out.
 *
 * <p><b>Failure.</b> An expression that fails on some input has no value there; the caller treats
 * that as "not seen", which never proves anything.
 *
 * <p>Jackson 2 is used here and in what hands values to this package, since the jq library's stable
 * line is built on it; the rest of the project uses Jackson 3.
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.worker.provider.jq;
