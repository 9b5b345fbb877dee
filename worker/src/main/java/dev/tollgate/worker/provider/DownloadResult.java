package dev.tollgate.worker.provider;

import dev.tollgate.schema.Code;

/** What became of a download. Unless it is {@link Downloaded}, what the sink holds is rubbish. */
public sealed interface DownloadResult {
  /**
   * Every byte arrived, and length and digest are those the provider named.
   *
   * @param length the bytes written to the sink; positive
   * @param sha256 their digest, 64 lower-case hex digits
   */
  record Downloaded(long length, String sha256) implements DownloadResult {}

  /** The output could not be had now. */
  record Unavailable(String reason) implements DownloadResult {}

  /**
   * Nothing lies at its address, or the address is no longer good: a fresh status call may name
   * another one.
   */
  record Gone(String reason) implements DownloadResult {}

  /**
   * What came is not the output, and would not be at a second try.
   *
   * @param code {@link Code#OUTPUT_INVALID} or {@link Code#CHECKSUM_MISMATCH}
   */
  record Invalid(Code code, String reason) implements DownloadResult {}
}
