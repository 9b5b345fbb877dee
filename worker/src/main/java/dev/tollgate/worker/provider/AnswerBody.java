package dev.tollgate.worker.provider;

import dev.tollgate.worker.provider.AnswerReading.Form;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads an answer of the task API token by token, so that what stands before a cut is found and
 * what the cut goes through is not.
 */
final class AnswerBody {
  private static final JsonFactory JSON = new JsonFactory();
  private static final Set<String> HINT_NAMES = Set.of("id", "task_id", "job_id");

  private AnswerBody() {}

  /** Reads {@code bytes}; never fails. */
  static AnswerReading read(byte[] bytes) {
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

    AnswerReading result() {
      String fault =
          id.map(text -> text.matches("\\.{1,2}") ? "its status cannot be asked for" : "")
              .orElse(idFault);
      return new AnswerReading(form, id, fault, errorCode, error, hint);
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
        } else if (AnswerReading.usableId(text)) {
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
          errorCode = Optional.of(json.getString()).filter(AnswerReading::usableCode);
        } else {
          readHint(json, name, value);
        }
      }
    }

    private void readHint(JsonParser json, String name, JsonToken value) {
      if (value == JsonToken.VALUE_STRING && HINT_NAMES.contains(name)) {
        hint = hint.or(() -> Optional.of(json.getString()).filter(AnswerReading::usableId));
      } else {
        json.skipChildren();
      }
    }
  }
}
