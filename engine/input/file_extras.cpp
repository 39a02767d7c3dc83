#include "engine/input/file_extras.h"

#include <algorithm>

#include "engine/base/place.h"
#include "engine/base/translate.h"
#include "engine/base/utf8.h"
#include "engine/input/json.h"
#include "engine/input/json_reader.h"
#include "engine/input/mapped_file.h"

namespace streamscope::input {
namespace {

void add_arguments(std::string_view text, std::uint64_t event, std::vector<Argument>& out) {
  if (event >= text.size()) return;
  JsonReader json(text, {});
  json.seek(event);
  if (json.peek() != JsonReader::Kind::object) return;
  json.object([&](std::string_view key) {
    if (key != "args" || json.peek() != JsonReader::Kind::object) return;
    json.object([&](std::string_view name) {
      Argument made{valid_utf8(name), {}};
      std::string buffer;
      made.value = json.peek() == JsonReader::Kind::string ? valid_utf8(json.string(buffer)) : valid_utf8(json.raw());
      if (!json.failed() && std::find(out.begin(), out.end(), made) == out.end()) out.push_back(std::move(made));
    });
  });
}

// As the reader of events has it, whose places these are.
std::string_view text_of(const MappedFile& file) {
  std::string_view text = file.text();
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return text;
}

}  // namespace

Result<FileExtras> read_extras(const std::filesystem::path& path, const OpenControl& control) {
  auto mapped = TRY(MappedFile::open(path));
  const std::string_view text = text_of(mapped);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || (text[first] != '{' && text[first] != '[')) return FileExtras{};
  auto extras = read_chrome_extras(text, path.string(),
                                   ReadControl(control, [&](std::size_t offset) { mapped.discard_before(offset); }));
  if (mapped.shortened())
    return fail(ErrorKind::bad_input,
                error_at(path.string(), tr("it was shortened while it was read; open it again when it is whole")));
  return extras;
}

Result<std::vector<Argument>> read_arguments(const std::filesystem::path& path, const FileExtras& extras,
                                             OperationIndex operation) {
  std::vector<Argument> out;
  if (operation >= extras.events.size()) return out;
  auto mapped = TRY(MappedFile::open(path));
  add_arguments(text_of(mapped), extras.events[operation], out);
  if (const auto execution = extras.executions.find(operation); execution != extras.executions.end())
    add_arguments(text_of(mapped), execution->second, out);
  return out;
}

}  // namespace streamscope::input
