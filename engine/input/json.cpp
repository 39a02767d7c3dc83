#include "engine/input/json.h"

#include "engine/input/chrome_trace.h"
#include "engine/input/json_reader.h"
#include "engine/input/saved_run.h"

namespace streamscope::input {

Result<trace::Run> read_json(std::string_view text, const std::string& file, const ReadControl& control) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // the mark of a text from Windows
  // Trace events may be gigabytes, so the whole is looked over only where it begins as to_json()'s text does.
  const std::size_t first = text.find('"');
  if (first != std::string_view::npos && text.substr(first).starts_with("\"schema\"")) {
    JsonReader json(text, file);
    if (json.peek() == JsonReader::Kind::object) {
      const std::size_t whole = json.offset();
      bool spans = false, beside_events = false;
      json.object([&](std::string_view key) {
        spans |= key == "spans";
        beside_events |= key == "streamscope" && json.peek() == JsonReader::Kind::object;
      });
      json.expect_end();
      if (json.failed()) return fail(json.error());
      if (spans && !beside_events) return read_saved_run(text, file, whole, control);
    }
  }
  return read_chrome_trace(text, file, control);
}

}  // namespace streamscope::input
