#include "engine/remedy/edit.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/base/quantity.h"
#include "engine/base/translate.h"
#include "engine/experiment/build.h"
#include "engine/experiment/check.h"
#include "engine/experiment/experiment_file.h"
#include "engine/program/read_changed.h"
#include "engine/program/syntax/parse.h"
#include "engine/program/syntax/print.h"
#include "engine/remedy/text_edits.h"

namespace streamscope::remedy {
namespace {

using experiment::Experiment;
using verdict::Cause;

// Of an experiment: each a key with another value. What does nothing beside the other keys is no valid or no different
// program, and is left out with these.
class ExperimentEditor {
 public:
  explicit ExperimentEditor(const Experiment& experiment) : experiment_(experiment) {}

  std::vector<Edit> all() {
    using experiment::IssueOrder;
    using experiment::StreamFlags;
    const Experiment& now = experiment_;
    if (now.host != program::HostMemory::pinned) {
      const Cause cause = now.host == program::HostMemory::pageable  ? Cause::pageable_copy
                          : now.host == program::HostMemory::managed ? Cause::page_migration
                                                                     : Cause::mapped_access;
      change(cause, tr("pinned host memory"), [](Experiment& to) { to.host = program::HostMemory::pinned; });
    }
    if (!now.peer_access) {
      if (const auto program = program::read_changed(source_of(now).program, "experiment"))
        change(Cause::peer_staged, peer_access_words(*program), [](Experiment& to) { to.peer_access = true; });
    }
    if (now.stream_flags != StreamFlags::nonblocking) {
      change(Cause::legacy_barrier, tr("streams that are nonblocking"),
             [](Experiment& to) { to.stream_flags = StreamFlags::nonblocking; });
    }
    if (now.mode == experiment::Mode::sync) {
      change(Cause::host_sync, tr("asynchronous copies, and one wait at the end"), [](Experiment& to) {
        to.mode = experiment::Mode::async;
        to.stream_flags = StreamFlags::nonblocking;
      });
    }
    const bool depth = now.order == IssueOrder::depth_first;
    change(Cause::issue_order,
           depth ? tr("breadth-first: each step for all chunks, then the next")
                 : tr("depth-first: all steps for a chunk, then the next chunk"),
           [&](Experiment& to) { to.order = depth ? IssueOrder::breadth_first : IssueOrder::depth_first; });
    for (const std::uint64_t by : {2, 4}) {
      if (now.chunk <= now.bytes / by) chunk(Cause::chunks_too_small, now.chunk * by);
      chunk(Cause::chunks_too_large, now.chunk / by);
    }
    if (now.streams == 1) streams(Cause::one_stream, 4);
    streams(Cause::one_stream, now.streams * 2);
    streams(Cause::sm_full, now.streams / 2);
    kernel_option("stages", Cause::tile_stages, 2, 1);
    kernel_option("buffers", Cause::tile_stages, 2, 1);
    kernel_choice("copy", Cause::tile_stages, "sync", "cp.async");
    for (const std::string_view key : {"wait", "smem-align", "bytes"}) kernel_standard(key, Cause::tile_stages);
    kernel_value("diverge", Cause::divergence, 1);
    // A kernel without data does less where it has fewer blocks; the others share the same work among them.
    if (now.kernel.kernel != nullptr && now.kernel.kernel->operands != kernels::Operands::none) {
      kernel_option("blocks", Cause::sm_full, 1, 2);
      kernel_option("blocks", Cause::sm_full, 1, 4);
    }
    return std::move(edits_);
  }

 private:
  void change(Cause cause, std::string words, const auto& apply) {
    Experiment changed = experiment_;
    apply(changed);
    if (changed == experiment_ || !experiment::check(changed)) return;
    edits_.push_back({cause, std::move(words), source_of(changed), 0});
  }
  void chunk(Cause cause, std::uint64_t bytes) {
    change(cause, tr("chunks of {}", exact_bytes(bytes)), [&](Experiment& to) { to.chunk = bytes; });
  }
  void streams(Cause cause, std::uint32_t count) {
    change(cause, tr_n("{} stream", "{} streams", count, count), [&](Experiment& to) { to.streams = count; });
  }
  void kernel_option(std::string_view key, Cause cause, std::int64_t times, std::int64_t over) {
    if (const auto now = value_of(key)) kernel_value(key, cause, *now * times / over);
  }
  void kernel_standard(std::string_view key, Cause cause) {
    if (!value_of(key)) return;
    const auto options = experiment_.kernel.kernel->options;
    const auto found = std::ranges::find(options, key, &kernels::Option::key);
    const auto index = static_cast<std::size_t>(found - options.begin());
    change(cause, tr("{} as the kernel has it by itself", key),
           [&](Experiment& to) { to.kernel.values[index] = found->standard; });
  }
  void kernel_value(std::string_view key, Cause cause, std::int64_t value) {
    if (!value_of(key)) return;
    const auto options = experiment_.kernel.kernel->options;
    const auto found = std::ranges::find(options, key, &kernels::Option::key);
    if (value < std::max<std::int64_t>(1, found->least) || value > found->most) return;
    const auto index = static_cast<std::size_t>(found - options.begin());
    change(cause, fmt::format("{}={}", key, value), [&](Experiment& to) { to.kernel.values[index] = value; });
  }
  void kernel_choice(std::string_view key, Cause cause, std::string_view from, std::string_view to) {
    const auto now = value_of(key);
    if (!now) return;
    const auto options = experiment_.kernel.kernel->options;
    const auto found = std::ranges::find(options, key, &kernels::Option::key);
    const auto word = std::ranges::find(found->words, to);
    if (word == found->words.end() || found->words[static_cast<std::size_t>(*now)] != from) return;
    const auto index = static_cast<std::size_t>(found - options.begin());
    change(cause, fmt::format("{}={}", key, to),
           [&](Experiment& changed) { changed.kernel.values[index] = word - found->words.begin(); });
  }
  std::optional<std::int64_t> value_of(std::string_view key) const {
    if (experiment_.kernel.kernel == nullptr) return std::nullopt;
    const auto options = experiment_.kernel.kernel->options;
    const auto found = std::ranges::find(options, key, &kernels::Option::key);
    if (found == options.end()) return std::nullopt;
    return experiment_.kernel.values[static_cast<std::size_t>(found - options.begin())];
  }

  const Experiment& experiment_;
  std::vector<Edit> edits_;
};

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// The lines that differ. The longest common part is looked for in what lies between the first and the last that do.
std::string difference(std::vector<std::string_view> before, std::vector<std::string_view> after) {
  constexpr std::size_t kMostCompared = 4'000'000, kMostBetween = 3;
  std::size_t head = 0;
  while (head < before.size() && head < after.size() && before[head] == after[head]) ++head;
  before.erase(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(head));
  after.erase(after.begin(), after.begin() + static_cast<std::ptrdiff_t>(head));
  while (!before.empty() && !after.empty() && before.back() == after.back()) {
    before.pop_back();
    after.pop_back();
  }
  std::string out;
  const auto goes = [&](std::size_t i) { out += fmt::format("- {}\n", before[i]); };
  const auto comes = [&](std::size_t j) { out += fmt::format("+ {}\n", after[j]); };
  const std::size_t rows = before.size() + 1, columns = after.size() + 1;
  if (rows * columns > kMostCompared) {
    for (std::size_t i = 0; i < before.size(); ++i) goes(i);
    for (std::size_t j = 0; j < after.size(); ++j) comes(j);
    return out;
  }
  std::vector<std::uint32_t> common(rows * columns, 0);  // of what is behind i and j
  const auto at = [&](std::size_t i, std::size_t j) -> std::uint32_t& { return common[i * columns + j]; };
  for (std::size_t i = before.size(); i-- > 0;) {
    for (std::size_t j = after.size(); j-- > 0;) {
      at(i, j) = before[i] == after[j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
    }
  }
  std::size_t same = 0;  // lines since the last that differs
  for (std::size_t i = 0, j = 0; i < before.size() || j < after.size();) {
    if (i < before.size() && j < after.size() && before[i] == after[j]) {
      // What stands between two that differ shows where they are.
      if (++same <= kMostBetween) out += fmt::format("  {}\n", before[i]);
      if (same == kMostBetween + 1) out += "  …\n";
      ++i;
      ++j;
      continue;
    }
    same = 0;
    if (i < before.size() && (j == after.size() || at(i + 1, j) >= at(i, j + 1))) {
      goes(i++);
    } else {
      comes(j++);
    }
  }
  return out;
}

// Those that are programs.
std::vector<Edit> valid(TextEdits edits) {
  std::vector<Edit> out;
  for (TextEdit& each : edits) {
    Source changed{"", program::print(each.changed)};
    if (program::read_changed(changed.program, "changed")) {
      out.push_back({each.cause, std::move(each.change), std::move(changed), each.fits_at_once});
    }
  }
  return out;
}

}  // namespace

Source source_of(const Experiment& experiment) {
  if (!experiment.program.empty()) return {"", experiment.program};
  return {experiment::toml_for_run(experiment), experiment::build(experiment)};
}

Source source_of(const trace::Run& run) {
  if (!run.experiment.empty()) {
    if (const auto file = experiment::parse_experiment(run.experiment, "experiment"); file) {
      return source_of(file->experiment);
    }
  }
  return {"", run.program};
}

std::vector<Edit> orderings(const Source& source, std::uint32_t first_line, std::uint32_t second_line) {
  if (!source.experiment.empty()) return {};
  return valid(ordering_edits(program::parse(source.program).syntax, first_line, second_line));
}

std::vector<Edit> edits(const Source& source, const std::vector<verdict::Evidence>& evidence) {
  std::vector<Edit> all;
  if (!source.experiment.empty()) {
    const auto file = experiment::parse_experiment(source.experiment, "experiment");
    if (file) all = ExperimentEditor(file->experiment).all();
  } else {
    constexpr std::size_t kSmall = 64;
    const bool is_small = std::ranges::count(source.program, '\n') <= static_cast<std::ptrdiff_t>(kSmall);
    std::vector<Cause> causes;
    const auto is_evident = [&](Cause cause) {
      return std::ranges::find(evidence, cause, &verdict::Evidence::cause) != evidence.end();
    };
    for (std::size_t i = 0; i < kNames<Cause>.size(); ++i) {
      const auto cause = static_cast<Cause>(i);
      // One that the path does not show may yet be what keeps it from being another.
      // A graph does more than to gather calls, so it is no answer where calls and hand-overs cost nothing.
      const bool only_evident = cause == Cause::copy_engine_shared || cause == Cause::host_late;
      const bool short_operations = cause == Cause::host_late && is_evident(Cause::chunks_too_small);
      if (is_evident(cause) || short_operations || (is_small && !only_evident)) causes.push_back(cause);
    }
    all = valid(text_edits(program::parse(source.program).syntax, causes));
  }
  std::ranges::stable_sort(all, {}, &Edit::cause);
  return all;
}

std::string difference(const Source& before, const Source& after) {
  if (!before.experiment.empty() && !after.experiment.empty()) {
    return difference(split_lines(before.experiment), split_lines(after.experiment));
  }
  // What is only written in another way is no difference.
  const std::string old_text = program::print(program::parse(before.program).syntax);
  return difference(split_lines(old_text), split_lines(after.program));
}

}  // namespace streamscope::remedy
