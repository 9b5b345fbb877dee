/**
 * Request signers that descriptors can name: AWS Signature Version 4, and a bearer token that is a
 * JWT signed with a shared secret. Both compute with a well-kept library and send nothing.
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.worker.provider.signing;
