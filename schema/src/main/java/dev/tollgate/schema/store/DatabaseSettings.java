package dev.tollgate.schema.store;

/** Where the database is. The password is never printed. */
public record DatabaseSettings(String url, String user, String password) {
  @Override
  public String toString() {
    return "DatabaseSettings[" + user + "@" + url.replaceFirst("\\?.*", "") + "]";
  }
}
