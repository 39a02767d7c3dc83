#include "engine/input/open.h"

#include <fmt/format.h>

#include <fstream>

#include "engine/base/memory.h"
#include "engine/base/place.h"
#include "engine/base/translate.h"
#include "engine/input/json.h"
#include "engine/input/mapped_file.h"
#include "engine/input/nsys_sqlite.h"

namespace streamscope::input {
namespace {

constexpr std::string_view kSqlite = "SQLite format 3";

bool ends_with(const std::filesystem::path& path, std::string_view ending) {
  return path.filename().string().ends_with(ending);
}

bool is_nsys_report(const std::filesystem::path& path) {
  return ends_with(path, ".nsys-rep") || ends_with(path, ".qdrep");
}

tl::unexpected<Error> wrong(const std::filesystem::path& path, std::string_view why) {
  return fail(ErrorKind::bad_input, error_at(path.string(), why));
}

// What a file holds that is neither JSON nor SQLite; empty: it may be JSON.
std::string_view not_readable(std::string_view text) {
  if (text.empty()) return tr("the file is empty");
  if (text.starts_with("\x1f\x8b")) return tr("it is compressed; unpack it first: gunzip FILE");
  if (text.starts_with("PK\x03\x04")) return tr("it is a ZIP archive; unpack it first: unzip FILE");
  if (text.starts_with("\x28\xb5\x2f\xfd")) return tr("it is compressed; unpack it first: unzstd FILE");
  return {};
}

Result<trace::Run> read(const std::filesystem::path& path, const OpenControl& control) {
  if (is_nsys_report(path)) {
    return wrong(path, tr("a report of Nsight Systems cannot be read as it is; export it first: nsys export "
                          "--type sqlite {}",
                          path.string()));
  }
  auto mapped = TRY(MappedFile::open(path));
  const std::string_view text = mapped.text();
  if (text.starts_with(kSqlite)) return read_nsys(path, ReadControl(control));
  if (const std::string_view why = not_readable(text); !why.empty()) return wrong(path, why);
  if (ends_with(path, ".sqlite")) return wrong(path, tr("this is no SQLite database; is the file whole?"));
  auto run =
      read_json(text, path.string(), ReadControl(control, [&](std::size_t offset) { mapped.discard_before(offset); }));
  if (mapped.shortened()) return wrong(path, tr("it was shortened while it was read; open it again when it is whole"));
  return run;
}

}  // namespace

bool looks_like_trace(const std::filesystem::path& path, std::string_view first_bytes) {
  if (ends_with(path, ".toml") || ends_with(path, ".streams")) return false;
  for (const char* ending : {".json", ".json.gz", ".sqlite", ".sqlite3", ".db"})
    if (ends_with(path, ending)) return true;
  if (is_nsys_report(path) || first_bytes.starts_with(kSqlite)) return true;
  if (first_bytes.starts_with("\xEF\xBB\xBF")) first_bytes.remove_prefix(3);
  const std::size_t begin = first_bytes.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return false;
  first_bytes.remove_prefix(begin);
  if (first_bytes.front() == '{') return true;  // no program and no TOML begins so
  // TOML may begin with "[table]", an array of events goes on with an object or ends.
  if (first_bytes.front() != '[') return false;
  const std::size_t next = first_bytes.find_first_not_of(" \t\r\n", 1);
  return next != std::string_view::npos && (first_bytes[next] == '{' || first_bytes[next] == ']');
}

bool looks_like_trace(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  std::string first(kFirstBytes, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(first.data(), static_cast<std::streamsize>(first.size()));
  first.resize(static_cast<std::size_t>(file.gcount()));
  return looks_like_trace(path, first);
}

Result<trace::Run> open_trace(const std::filesystem::path& path, const OpenControl& control) {
  auto run = read(path, control);
  give_back_memory();
  return run;
}

}  // namespace streamscope::input
