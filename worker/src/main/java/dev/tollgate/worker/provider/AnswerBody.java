package dev.tollgate.worker.provider;

import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * What the bytes of a create answer say, read token by token, so that what stands before a cut is
 * found and what the cut goes through is not.
 *
 * @param form whether the bytes are one whole JSON object, and if not, what they are
 * @param id the task's id
 * @param idFault why there is none; empty if there is
 * @param errorCode the code of an error object in the provider's shape
 * @param error whether {@code error} is there and not null, in whatever shape
 * @param hint something else that looks like the id of a task
 */
record AnswerBody(
    Form form,
    Optional<String> id,
    String idFault,
    Optional<String> errorCode,
    boolean error,
    Optional<String> hint) {

  /** What the bytes are as a whole. */
  enum Form {
    OBJECT("an object"),
    BROKEN_OBJECT("not whole JSON"),
    OTHER_JSON("JSON, but no object"),
    NOT_JSON("not JSON"),
    EMPTY("empty");

    private final String words;

    Form(String words) {
      this.words = words;
    }

    String words() {
      return words;
    }
  }

  private static final JsonFactory JSON = new JsonFactory();
  private static final Set<String> HINT_NAMES = Set.of("id", "task_id", "job_id");
  private static final Predicate<String> USABLE_ID =
      Pattern.compile("[\\x21-\\x7e]{1,256}").asMatchPredicate();
  private static final Predicate<String> USABLE_CODE =
      Pattern.compile("[A-Za-z0-9_.-]{1,64}").asMatchPredicate();

  /** Whether {@code id} can be stored, logged and put into a path. */
  static boolean usableId(String id) {
    return USABLE_ID.test(id);
  }

  /** Whether {@code code} can stand in a reason. */
  static boolean usableCode(String code) {
    return USABLE_CODE.test(code);
  }

  /** Reads {@code bytes}; never fails. */
  static AnswerBody read(byte[] bytes) {
    Reader reader = new Reader();
    reader.read(bytes);
    return reader.result();
  }

  /** The fields found so far. Confined to one call. */
  private static final class Reader {
    private Form form = Form.NOT_JSON;
    private Optional<String> id = Optional.empty();
    private String idFault = "no id";
    private boolean idSeen;
    private Optional<String> errorCode = Optional.empty();
    private boolean error;
    private Optional<String> hint = Optional.empty();

    void read(byte[] bytes) {
      try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), bytes)) {
        JsonToken first = json.nextToken();
        if (first == null) {
          form = Form.EMPTY;
        } else if (first == JsonToken.START_OBJECT) {
          form = Form.BROKEN_OBJECT; // until its end was seen
          readObject(json);
          form = json.nextToken() == null ? Form.OBJECT : Form.BROKEN_OBJECT;
        } else {
          json.skipChildren();
          form = json.nextToken() == null ? Form.OTHER_JSON : Form.NOT_JSON;
        }
      } catch (JacksonException _) {
        // the form and the fields seen until here say it all
      }
    }

    AnswerBody result() {
      return new AnswerBody(form, id, id.isPresent() ? "" : idFault, errorCode, error, hint);
    }

    private void readObject(JsonParser json) {
      for (JsonToken t = json.nextToken(); t != JsonToken.END_OBJECT; t = json.nextToken()) {
        String name = json.currentName();
        JsonToken value = json.nextToken();
        switch (name) {
          case "id" -> readId(json, value);
          case "error" -> readError(json, value);
          default -> readOther(json, name, value);
        }
      }
    }

    private void readId(JsonParser json, JsonToken value) {
      if (value == JsonToken.VALUE_STRING) {
        String text = json.getString(); // fails here if the closing quote did not come
        if (idSeen && !id.equals(Optional.of(text))) {
          id = Optional.empty();
          idFault = "two ids";
        } else if (usableId(text)) {
          id = Optional.of(text);
        } else {
          idFault = "unusable id";
        }
      } else {
        json.skipChildren();
        id = Optional.empty();
        idFault = value == JsonToken.VALUE_NULL ? "id is null" : "id is not a string";
      }
      idSeen = true;
    }

    private void readError(JsonParser json, JsonToken value) {
      error = value != JsonToken.VALUE_NULL;
      if (value == JsonToken.START_OBJECT) {
        readNested(json, true);
      } else {
        json.skipChildren();
      }
    }

    private void readOther(JsonParser json, String name, JsonToken value) {
      if (value == JsonToken.START_OBJECT) {
        readNested(json, false);
      } else {
        readHint(json, name, value);
      }
    }

    private void readNested(JsonParser json, boolean inError) {
      for (JsonToken t = json.nextToken(); t != JsonToken.END_OBJECT; t = json.nextToken()) {
        String name = json.currentName();
        JsonToken value = json.nextToken();
        if (inError && name.equals("code") && value == JsonToken.VALUE_STRING) {
          errorCode = Optional.of(json.getString()).filter(AnswerBody::usableCode);
        } else {
          readHint(json, name, value);
        }
      }
    }

    private void readHint(JsonParser json, String name, JsonToken value) {
      if (value == JsonToken.VALUE_STRING && HINT_NAMES.contains(name)) {
        hint = hint.or(() -> Optional.of(json.getString()).filter(AnswerBody::usableId));
      } else {
        json.skipChildren();
      }
    }
  }
}
