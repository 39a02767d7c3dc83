#include "engine/experiment/experiment_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "engine/base/place.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"
#include "engine/experiment/check.h"
#include "engine/experiment/description.h"
#include "engine/experiment/keys.h"
#include "engine/experiment/toml_reader.h"

namespace streamscope::experiment {
namespace {

using keys::Draft;
using keys::Given;

class Assembly {
 public:
  Assembly(std::string_view file, const std::vector<Setting>& settings) : file_(file), settings_(settings) {}

  Result<ExperimentFile> assemble(std::string_view toml) {
    ExperimentFile result;
    if (const auto file = read_toml(toml, file_)) {
      for (const LocatedProblem& problem : file->problems) problems_.push_back(problem);
      for (const Given& given : file->values) apply(given);
      check_both_counts();
      result.program_line = file->program_line;
    } else {
      lines_.push_back(file.error().message);
    }
    for (const Setting& setting : settings_) set(setting, result);
    keys::choose_kernel(draft_);
    if (draft_.locations.contains("program")) {
      check_program();
    } else {
      check_together();
    }
    if (!lines_.empty() || !problems_.empty()) return fail(ErrorKind::bad_input, message());
    result.experiment = draft_.experiment;
    if (const std::uint64_t count = std::exchange(result.experiment.chunks, 0); count != 0) {
      result.experiment.chunk = result.experiment.bytes / count;
    }
    if (result.experiment.program.empty()) warn_of_unused_keys(result.experiment);
    result.warnings = joined(warnings_, warning_at);
    result.locations = std::move(draft_.locations);
    return result;
  }

 private:
  void add_problem(const std::string& location, std::string text) { problems_.push_back({location, std::move(text)}); }

  void apply(const Given& given) {
    draft_.locations[given.key] = given.location;
    if (keys::Problem problem = keys::read(draft_, given)) {
      add_problem(given.location, std::move(*problem));
      failed_.insert(given.key);
    } else {
      failed_.erase(given.key);
      if (given.key == "chunk") file_chunk_ = draft_.experiment.chunk;
      if (given.key == "chunks") file_chunks_ = draft_.experiment.chunks;
    }
  }

  void set(const Setting& setting, ExperimentFile& result) {
    if (keys::find(setting.key) == nullptr) {
      add_problem("--set " + setting.key, setting.key == "kernel"
                                              ? tr("kernel is a table; set kernel.name, kernel.fma, ...")
                                              : keys::unknown(setting.key));
      return;
    }
    const auto given = read_setting(setting);
    if (!given) {
      lines_.push_back(given.error().message);
      return;
    }
    // One replaces the other, also where the file had that one.
    if (setting.key == "chunk") replace("chunks", given->location);
    if (setting.key == "chunks") replace("chunk", given->location);
    if (setting.key == "program") result.program_line = 0;
    apply(*given);
  }

  void replace(std::string_view key, const std::string& by) {
    const auto replaced = draft_.locations.find(key);
    if (replaced == draft_.locations.end()) return;
    if (replaced->second.starts_with("--set ")) {
      warnings_.push_back({replaced->second, tr("{} does nothing: {} comes after it", key, by)});
    }
    draft_.locations.erase(replaced);
  }

  // No warning for a default value in a file, as to_toml() writes all keys.
  bool is_default(std::string_view key) const {
    if (const auto value = draft_.kernel.find(key); value != draft_.kernel.end()) {
      const kernels::Option& option = *keys::any_option_behind(key);
      return value->second == option.experiment.value_or(option.standard);
    }
    const Experiment standard;
    bool same = false;
    schema::each_member<Experiment>([&](const auto& member) {
      if (member.key == key) same = member.of(draft_.experiment) == member.of(standard);
    });
    return same;
  }

  void warn_of_unused_keys(const Experiment& experiment) {
    const auto by_setting = [](const std::string& location) { return location.starts_with("--set "); };
    for (const UnusedKey& unused : unused_keys(experiment)) {
      const auto location = draft_.locations.find(unused.key);
      if (location == draft_.locations.end()) continue;
      const bool overridden = std::any_of(draft_.locations.begin(), draft_.locations.end(), [&](const auto& given) {
        const bool is_cause =
            unused.because.ends_with('.') ? given.first.starts_with(unused.because) : given.first == unused.because;
        return is_cause && by_setting(given.second);
      });
      if (!by_setting(location->second) && (overridden || is_default(unused.key))) continue;
      warnings_.push_back({location->second, tr("{} does nothing: {}", unused.key, unused.why)});
    }
  }

  // A file may give both, but then they must agree.
  void check_both_counts() {
    if (!file_chunk_ || !file_chunks_ || failed_.contains("bytes")) return;
    const std::uint64_t bytes = draft_.experiment.bytes;
    if (bytes % *file_chunk_ == 0 && bytes / *file_chunk_ == *file_chunks_) {
      // The one given first is ignored, so that `bytes` can be set without a contradiction.
      const bool counted = draft_.experiment.chunks != 0;
      const char* first = counted ? "chunk" : "chunks";
      warnings_.push_back(
          {draft_.locations[first], tr("{} does nothing: {} comes after it", first, counted ? "chunks" : "chunk")});
      return;
    }
    add_problem(draft_.locations["chunks"], tr("chunks is {} and chunk is {}, but bytes is {}; remove chunk or chunks",
                                               *file_chunks_, exact_bytes(*file_chunk_), exact_bytes(bytes)));
    failed_.insert("chunks");
  }

  void check_program() {
    for (const std::string& key : keys::all()) {
      const auto location = draft_.locations.find(key);
      if (may_stand_beside_program(key) || location == draft_.locations.end()) continue;
      add_problem(location->second,
                  tr("{} means nothing beside program: this experiment is a stream program of its own; remove one "
                     "of the two, or change the program",
                     key));
    }
    const bool blank = draft_.experiment.program.find_first_not_of(" \t\r\n") == std::string::npos;
    if (blank && !failed_.contains("program")) {
      add_problem(draft_.locations["program"], tr("program is empty; write a stream program, or remove the key"));
    }
  }

  bool any_failed(std::initializer_list<const char*> names) const {
    return std::any_of(names.begin(), names.end(), [&](const char* name) { return failed_.contains(name); });
  }

  void check_together() {
    const bool sizes_unknown = any_failed({"bytes", "chunk", "chunks"});
    const bool work_unknown = any_failed({"h2d", "d2h", "kernel.name", "mode"});
    for (Violation& violation : violations(draft_.experiment)) {
      if (violation.of_devices) {
        if (!any_failed({"devices", "across"}) && !(violation.key == "devices" && sizes_unknown))
          add_problem(location_of({violation.key, "devices", "across"}), std::move(violation.message));
        continue;
      }
      const bool of_work = violation.key == "kernel.name";
      if (violation.key.starts_with("kernel.") && !of_work) {
        const bool kernel_unknown = std::any_of(failed_.begin(), failed_.end(),
                                                [](const std::string& key) { return key.starts_with("kernel."); });
        if (kernel_unknown || (violation.of_size && sizes_unknown)) continue;
        std::vector<std::string_view> may{violation.key};
        for (const auto& [key, value] : draft_.kernel) may.push_back(key);
        may.push_back("kernel.name");
        if (violation.of_size) may.insert(may.end(), {"chunk", "chunks", "bytes"});
        add_problem(location_of(may), std::move(violation.message));
        continue;
      }
      if (of_work ? work_unknown : sizes_unknown) continue;
      add_problem(
          of_work ? location_of({"kernel.name", "h2d", "d2h"}) : location_of({violation.key, "bytes", "kernel.name"}),
          std::move(violation.message));
    }
  }

  // Of the keys that the problem may be about, the location of the one that was set last.
  std::string location_of(const std::vector<std::string_view>& names) const {
    std::string first;
    for (const std::string_view name : names) {
      const auto found = draft_.locations.find(name);
      if (found == draft_.locations.end()) continue;
      if (found->second.starts_with("--set ")) return found->second;
      if (first.empty()) first = found->second;
    }
    return first.empty() ? fmt::format("{}:1:1", file_) : first;
  }

  // Line and column of a location in the file; settings come after all of it.
  static std::pair<std::uint64_t, std::uint64_t> position(const std::string& location) {
    if (location.starts_with("--set ")) return {~0ull, 0};
    const std::size_t column = location.rfind(':');
    const std::size_t line = location.rfind(':', column - 1);
    return {std::stoull(location.substr(line + 1)), std::stoull(location.substr(column + 1))};
  }

  static std::string joined(std::vector<LocatedProblem> problems,
                            std::string (*said)(std::string_view place, std::string_view what)) {
    std::stable_sort(problems.begin(), problems.end(), [](const LocatedProblem& a, const LocatedProblem& b) {
      return position(a.location) < position(b.location);
    });
    std::vector<std::string> lines;
    for (const LocatedProblem& each : problems) lines.push_back(said(each.location, each.message));
    return fmt::format("{}", fmt::join(lines, "\n"));
  }

  std::string message() {
    if (!problems_.empty()) lines_.push_back(joined(problems_, error_at));
    return fmt::format("{}", fmt::join(lines_, "\n"));
  }

  std::string_view file_;
  const std::vector<Setting>& settings_;
  Draft draft_;
  std::set<std::string, std::less<>> failed_;  // keys whose last value could not be read
  std::optional<std::uint64_t> file_chunk_, file_chunks_;
  std::vector<LocatedProblem> problems_, warnings_;
  std::vector<std::string> lines_;
};

}  // namespace

Result<Setting> parse_setting(std::string_view text) {
  const auto trim = [](std::string_view word) {
    while (!word.empty() && (word.front() == ' ' || word.front() == '\t')) word.remove_prefix(1);
    while (!word.empty() && (word.back() == ' ' || word.back() == '\t')) word.remove_suffix(1);
    return std::string(word);
  };
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || trim(text.substr(0, equals)).empty()) {
    return fail(ErrorKind::bad_input,
                error_at(fmt::format("--set {}", text), tr("write key=value, such as streams=8")));
  }
  return Setting{trim(text.substr(0, equals)), trim(text.substr(equals + 1))};
}

Result<ExperimentFile> parse_experiment(std::string_view toml, std::string_view file,
                                        const std::vector<Setting>& settings) {
  return Assembly(file, settings).assemble(toml);
}

}  // namespace streamscope::experiment
