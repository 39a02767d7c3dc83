// From a file's values and the settings after it to an experiment, with all that is wrong at once.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "engine/base/quantity.h"
#include "engine/experiment/source.h"

namespace streamscope {
namespace {

using keys::Draft;
using keys::Given;

class Assembly {
 public:
  Assembly(std::string_view file, const std::vector<Setting>& settings) : file_(file), settings_(settings) {}

  Result<ExperimentFile> assemble(std::string_view toml) {
    ExperimentFile result;
    if (const auto file = read_toml(toml, file_)) {
      for (const Complaint& complaint : file->complaints) complaints_.push_back(complaint);
      for (const Given& given : file->values) apply(given);
      check_both_counts();
      result.program_line = file->program_line;
    } else {
      lines_.push_back(file.error().message);
    }
    for (const Setting& setting : settings_) set(setting, result);
    if (draft_.places.contains("program")) {
      check_program();
    } else {
      check_together();
    }
    if (!lines_.empty() || !complaints_.empty()) return fail(ErrorKind::bad_input, message());
    result.experiment = std::move(draft_.experiment);
    if (draft_.chunks) result.experiment.chunk = result.experiment.bytes / *draft_.chunks;
    result.program = std::move(draft_.program);
    return result;
  }

 private:
  void complain(const std::string& place, std::string text) { complaints_.push_back({place, std::move(text)}); }

  void apply(const Given& given) {
    draft_.places[given.key] = given.place;
    if (keys::Problem problem = keys::find(given.key)->read(draft_, given)) {
      complain(given.place, std::move(*problem));
      failed_.insert(given.key);
    } else {
      failed_.erase(given.key);
      if (given.key == "chunk") file_chunk_ = draft_.experiment.chunk;
      if (given.key == "chunks") file_chunks_ = draft_.chunks;
    }
  }

  void set(const Setting& setting, ExperimentFile& result) {
    if (keys::find(setting.key) == nullptr) {
      complain("--set " + setting.key, setting.key == "kernel" ? "kernel is a table; set kernel.name, kernel.fma, ..."
                                                               : keys::unknown(setting.key));
      return;
    }
    const auto given = read_setting(setting);
    if (!given) {
      lines_.push_back(given.error().message);
      return;
    }
    // One takes the place of the other, also where the file had that one.
    if (setting.key == "chunk") draft_.places.erase("chunks");
    if (setting.key == "chunks") draft_.places.erase("chunk");
    if (setting.key == "program") result.program_line = 0;
    apply(*given);
  }

  // A file may give both, but then they must agree.
  void check_both_counts() {
    if (!file_chunk_ || !file_chunks_ || failed_.contains("bytes")) return;
    const std::uint64_t bytes = draft_.experiment.bytes;
    if (bytes % *file_chunk_ == 0 && bytes / *file_chunk_ == *file_chunks_) return;
    complain(draft_.places["chunks"],
             fmt::format("chunks is {} and chunk is {}, but bytes is {}; remove chunk or chunks", *file_chunks_,
                         exact_bytes(*file_chunk_), exact_bytes(bytes)));
    failed_.insert("chunks");
  }

  void check_program() {
    for (const keys::Key& key : keys::all()) {
      const auto place = draft_.places.find(key.help.key);
      if (key.with_program || place == draft_.places.end()) continue;
      complain(
          place->second,
          fmt::format("{} means nothing beside program: this experiment is a stream program of its own; remove one "
                      "of the two, or change the program",
                      key.help.key));
    }
    const bool blank = draft_.program.find_first_not_of(" \t\r\n") == std::string::npos;
    if (blank && !failed_.contains("program")) {
      complain(draft_.places["program"], "program is empty; write a stream program, or remove the key");
    }
  }

  bool any_failed(std::initializer_list<const char*> names) const {
    return std::any_of(names.begin(), names.end(), [&](const char* name) { return failed_.contains(name); });
  }

  void check_together() {
    const bool sizes_unknown = any_failed({"bytes", "chunk", "chunks"});
    const bool work_unknown = any_failed({"h2d", "d2h", "kernel.name", "mode"});
    for (Violation& violation : violations(draft_.experiment, draft_.chunks)) {
      const bool of_work = violation.key == "kernel.name";
      if (of_work ? work_unknown : sizes_unknown) continue;
      complain(of_work ? place_of({"kernel.name", "h2d", "d2h"}) : place_of({violation.key, "bytes", "kernel.name"}),
               std::move(violation.message));
    }
  }

  // Of the keys that the complaint is about, the one that was set last.
  std::string place_of(std::initializer_list<std::string_view> names) const {
    std::string first;
    for (const std::string_view name : names) {
      const auto found = draft_.places.find(name);
      if (found == draft_.places.end()) continue;
      if (found->second.starts_with("--set ")) return found->second;
      if (first.empty()) first = found->second;
    }
    return first.empty() ? fmt::format("{}:1:1", file_) : first;
  }

  // Line and column of a place in the file; settings come after all of it.
  static std::pair<std::uint64_t, std::uint64_t> position(const std::string& place) {
    if (place.starts_with("--set ")) return {~0ull, 0};
    const std::size_t column = place.rfind(':');
    const std::size_t line = place.rfind(':', column - 1);
    return {std::stoull(place.substr(line + 1)), std::stoull(place.substr(column + 1))};
  }

  std::string message() {
    std::stable_sort(complaints_.begin(), complaints_.end(),
                     [](const Complaint& a, const Complaint& b) { return position(a.place) < position(b.place); });
    for (const Complaint& complaint : complaints_) {
      lines_.push_back(fmt::format("{}: error: {}", complaint.place, complaint.message));
    }
    return fmt::format("{}", fmt::join(lines_, "\n"));
  }

  std::string_view file_;
  const std::vector<Setting>& settings_;
  Draft draft_;
  std::set<std::string, std::less<>> failed_;  // keys whose last value could not be read
  std::optional<std::uint64_t> file_chunk_, file_chunks_;
  std::vector<Complaint> complaints_;
  std::vector<std::string> lines_;
};

}  // namespace

Result<ExperimentFile> parse_experiment(std::string_view toml, std::string_view file,
                                        const std::vector<Setting>& settings) {
  return Assembly(file, settings).assemble(toml);
}

Result<Setting> parse_setting(std::string_view text) {
  const auto trim = [](std::string_view word) {
    while (!word.empty() && (word.front() == ' ' || word.front() == '\t')) word.remove_prefix(1);
    while (!word.empty() && (word.back() == ' ' || word.back() == '\t')) word.remove_suffix(1);
    return std::string(word);
  };
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || trim(text.substr(0, equals)).empty()) {
    return fail(ErrorKind::bad_input, fmt::format("--set {}: error: write key=value, such as streams=8", text));
  }
  return Setting{trim(text.substr(0, equals)), trim(text.substr(equals + 1))};
}

}  // namespace streamscope
