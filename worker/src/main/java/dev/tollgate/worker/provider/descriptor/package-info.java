/**
 * Providers as data: the format of descriptors, how they are found, read and checked.
 *
 * <p><b>Model.</b> A descriptor is one YAML file. {@link
 * dev.tollgate.worker.provider.descriptor.DescriptorReader} holds it against a JSON Schema,
 * compiles its expressions and checks what a schema cannot: that every promise names the document
 * that makes it, that no credential stands in it, that no address is plain http, that no rule is
 * hidden by another. Everything that is wrong is reported at once, with its line; a descriptor with
 * a fault is not used at all.
 *
 * <p><b>Promises.</b> What a provider only happens to do is not in a descriptor. A capability or an
 * answer without a source does not load; an answer without a rule means "unknown".
 *
 * <p><b>Refusals.</b> No include, no inheritance, no anchors: a reviewer sees one file and knows
 * all of it. No expression that could run for ever ({@link dev.tollgate.worker.provider.jq}).
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.worker.provider.descriptor;
