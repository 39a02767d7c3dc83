// How right the full instrument's times are: programs run with CUPTI switched on beside it, in the very same passes,
// and every start and end held against CUPTI's record of it.
//
//   bench_instrument [--programs N] [--passes N] [--json FILE] [--csv FILE]
//
// Exit code: 0 where median and 95th percentile of the errors are within the bounds below, for starts and for ends; 1
// where they are not; 2 bad usage or no CUPTI; 3 no GPU; 4 a run failed.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <tuple>
#include <vector>

#include "engine/device/cuda/cupti/cupti_recorder.h"
#include "engine/device/cuda/loaded_program.h"
#include "engine/program/program.h"
#include "engine/program/read_program.h"
#include "engine/reconstruct/activity.h"
#include "tests/bench/accuracy_programs.h"

namespace streamscope::bench {
namespace {

using nlohmann::json;

constexpr Nanoseconds kMostMedian = 2'000, kMost95 = 6'000;

struct Options {
  int programs = 32;
  int passes = 5;
  std::string json_file, csv_file;
};

// One time, ours and CUPTI's.
struct Comparison {
  int program = 0, pass = 0;
  bool is_end = false;
  trace::Span span;                            // ours
  Nanoseconds cupti_start = 0, cupti_end = 0;  // CUPTI's
  Nanoseconds shift = 0;                       // of the clocks, in this pass

  Nanoseconds ours() const { return is_end ? span.end : span.start; }
  Nanoseconds cupti() const { return is_end ? cupti_end : cupti_start; }
  Nanoseconds error() const { return ours() - cupti() - shift; }
  trace::Source source() const { return is_end ? span.source : span.start_source; }
  std::uint32_t uncertainty() const { return is_end ? span.uncertainty : span.start_uncertainty; }
};

struct Walls {
  std::vector<Nanoseconds> before, off, on;  // bare, CUPTI not attached yet; attached and off; recording
};

double us(Nanoseconds time) { return static_cast<double>(time) / 1000; }

// The lower middle one, of a share `part` of the way up; 0 of none.
Nanoseconds quantile(std::vector<Nanoseconds> values, double part) {
  if (values.empty()) return 0;
  const auto place = static_cast<std::size_t>(part * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(place), values.end());
  return values[place];
}

struct Summary {
  std::size_t count = 0, within = 0;
  Nanoseconds median = 0, most_95 = 0, maximum = 0, signed_median = 0, raw_median = 0, raw_95 = 0;
};

Summary summary_of(const std::vector<const Comparison*>& some) {
  std::vector<Nanoseconds> errors, signed_errors, raw;
  Summary summary;
  for (const Comparison* one : some) {
    errors.push_back(std::abs(one->error()));
    signed_errors.push_back(one->error());
    raw.push_back(std::abs(one->ours() - one->cupti()));
    if (errors.back() <= static_cast<Nanoseconds>(one->uncertainty())) ++summary.within;
  }
  summary.count = some.size();
  summary.median = quantile(errors, 0.5);
  summary.most_95 = quantile(errors, 0.95);
  summary.maximum = quantile(errors, 1);
  summary.signed_median = quantile(signed_errors, 0.5);
  summary.raw_median = quantile(raw, 0.5);
  summary.raw_95 = quantile(raw, 0.95);
  return summary;
}

constexpr const char* kHead = "  {:<8} {:<5} {:<9} {:>7}  {:>8} {:>8} {:>9} {:>9}  {:>8} {:>8}  {:>7}\n";

void print_row(std::string_view kind, std::string_view which, std::string_view source, const Summary& summary) {
  fmt::print("  {:<8} {:<5} {:<9} {:>7}  {:>8.2f} {:>8.2f} {:>9.2f} {:>+9.2f}  {:>8.2f} {:>8.2f}  {:>6.1f}%\n", kind,
             which, source, summary.count, us(summary.median), us(summary.most_95), us(summary.maximum),
             us(summary.signed_median), us(summary.raw_median), us(summary.raw_95),
             summary.count == 0 ? 0 : 100 * static_cast<double>(summary.within) / static_cast<double>(summary.count));
}

json row_json(std::string_view kind, std::string_view which, std::string_view source, const Summary& summary) {
  return {{"kind", kind},
          {"which", which},
          {"source", source},
          {"count", summary.count},
          {"within_uncertainty", summary.within},
          {"median_ns", summary.median},
          {"p95_ns", summary.most_95},
          {"max_ns", summary.maximum},
          {"signed_median_ns", summary.signed_median},
          {"with_shift", {{"median_ns", summary.raw_median}, {"p95_ns", summary.raw_95}}}};
}

class Bench {
 public:
  explicit Bench(Options options) : options_(std::move(options)) {}

  Result<bool> run() {
    auto context = cuda::open_context(0);
    if (!context) return fail(context.error());
    context_ = *context;
    for (int p = 0; p < options_.programs; ++p) {
      generated_.push_back(ProgramGenerator::make(static_cast<std::uint32_t>(p)));
      auto read = program::read_program(generated_.back().text, fmt::format("program {}", p));
      if (!read) return fail(read.error());
      programs_.push_back(std::move(read->program));
    }
    walls_.resize(programs_.size());
    fmt::print("{} on {}, driver {}\n", programs_.size(), context_->info.name, context_->info.driver);
    fmt::print("bare runs before CUPTI is attached ...\n");
    for (std::size_t p = 0; p < programs_.size(); ++p) {
      if (auto done = bare_runs(p); !done) return fail(done.error());
    }
    auto recorder = cuda::CuptiRecorder::open(context_);
    if (!recorder) return fail(recorder.error());
    recorder_ = std::move(*recorder);
    fmt::print("CUPTI {}, {}\n", recorder_->version(), recorder_->calls());
    for (std::size_t p = 0; p < programs_.size(); ++p) {
      if (auto done = compare(p); !done) return fail(done.error());
    }
    return report();
  }

 private:
  Result<std::unique_ptr<cuda::CudaProgram>> load(std::size_t p) {
    return cuda::CudaProgram::load(context_, programs_[p], {});
  }

  Result<void> bare_runs(std::size_t p) {
    auto loaded = load(p);
    if (!loaded) return fail(loaded.error());
    for (int i = 0; i < options_.passes + 1; ++i) {
      auto pass = (*loaded)->run(device::Instrument::bare, {});
      if (!pass) return fail(pass.error());
      if (i > 0) walls_[p].before.push_back(pass->wall);
    }
    return {};
  }

  struct Recorded {
    device::Pass pass;
    cuda::Recording recording;
  };
  Result<Recorded> record(cuda::CudaProgram& loaded, device::Instrument instrument) {
    if (auto started = recorder_->start(); !started) return fail(started.error());
    auto pass = loaded.run(instrument, {});
    auto recording = recorder_->stop();
    if (!pass) return fail(pass.error());
    if (!recording) return fail(recording.error());
    if (recording->lost > 0) fmt::print("      CUPTI lost {} records\n", recording->lost);
    if (recording->shift != 0) fmt::print("      CUPTI's device times moved by {:.2f} us\n", us(recording->shift));
    return Recorded{std::move(*pass), std::move(*recording)};
  }

  Result<void> compare(std::size_t p) {
    auto loaded = load(p);
    if (!loaded) return fail(loaded.error());
    const std::size_t first = comparisons_.size();
    reconstruct::MatchedActivities matched;
    std::vector<Nanoseconds> shifts;
    Nanoseconds bound = 0;
    for (int i = 0; i < options_.passes + 1; ++i) {
      auto full = record(**loaded, device::Instrument::full);
      if (!full) return fail(full.error());
      if (auto pass = (*loaded)->run(device::Instrument::bare, {}); pass) {
        if (i > 0) walls_[p].off.push_back(pass->wall);
      } else {
        return fail(pass.error());
      }
      auto bare = record(**loaded, device::Instrument::bare);
      if (!bare) return fail(bare.error());
      if (i == 0) continue;  // warm-up
      walls_[p].on.push_back(bare->pass.wall);
      const reconstruct::MatchedActivities one = add(p, i, *full, shifts);
      matched.found += one.found;
      matched.missing += one.missing;
      matched.contradicting += one.contradicting;
      if (one.first_unknown != kNoOperation) matched.first_unknown = one.first_unknown;
      bound = std::max(bound, full->recording.uncertainty);
    }
    found_ += matched.found;
    unknown_ += matched.missing + matched.contradicting;
    std::vector<const Comparison*> starts, ends;
    for (std::size_t c = first; c < comparisons_.size(); ++c) {
      (comparisons_[c].is_end ? ends : starts).push_back(&comparisons_[c]);
    }
    const Summary start = summary_of(starts), end = summary_of(ends);
    const auto [least, most] = std::minmax_element(shifts.begin(), shifts.end());
    fmt::print(
        "[{:>2}/{}] {:<18} {:>2} streams {:>4} operations: shift {:+.2f}..{:+.2f} us (CUPTI's bound {:.2f}); |error| "
        "start {:.2f}, {:.2f} us, end {:.2f}, {:.2f} us (median, 95%)\n",
        p + 1, programs_.size(), generated_[p].family, generated_[p].streams, programs_[p].operations.size(),
        shifts.empty() ? 0 : us(*least), shifts.empty() ? 0 : us(*most), us(bound), us(start.median), us(start.most_95),
        us(end.median), us(end.most_95));
    if (matched.missing + matched.contradicting > 0) {
      fmt::print("      CUPTI has no record of {} operations and one that does not fit of {}, such as {}\n",
                 matched.missing, matched.contradicting, program::describe(programs_[p], matched.first_unknown));
    }
    std::fflush(stdout);
    return {};
  }

  // The clocks' shift in this pass is the median of how far our kernels' starts lie beside CUPTI's; where there is no
  // kernel, of all starts.
  reconstruct::MatchedActivities add(std::size_t p, int pass, const Recorded& recorded,
                                     std::vector<Nanoseconds>& shifts) {
    const program::Program& program = programs_[p];
    std::vector<device::Observed> theirs(program.operations.size());
    for (std::size_t i = 0; i < theirs.size(); ++i) {
      theirs[i].host_begin = recorded.pass.spans[i].host_begin;
      theirs[i].host_end = recorded.pass.spans[i].host_end;
    }
    const cuda::Recording& recording = recorded.recording;
    const reconstruct::MatchedActivities matched =
        reconstruct::match_activities(program, recording.records, {}, recorded.pass.begin, theirs);
    std::vector<Nanoseconds> kernels, all;
    const std::size_t first = comparisons_.size();
    for (std::size_t i = 0; i < theirs.size(); ++i) {
      const trace::Span& ours = recorded.pass.spans[i];
      if (!known(theirs[i].end)) continue;
      if (!known(ours.start) || !known(ours.end)) {
        ++ours_unknown_;
        continue;
      }
      Comparison one;
      one.program = static_cast<int>(p);
      one.pass = pass;
      one.span = ours;
      one.cupti_start = theirs[i].start;
      one.cupti_end = theirs[i].end;
      comparisons_.push_back(one);
      one.is_end = true;
      comparisons_.push_back(one);
      all.push_back(ours.start - theirs[i].start);
      if (ours.kind == OperationKind::kernel) kernels.push_back(all.back());
    }
    const Nanoseconds shift = quantile(kernels.empty() ? all : kernels, 0.5);
    for (std::size_t c = first; c < comparisons_.size(); ++c) comparisons_[c].shift = shift;
    if (!all.empty()) shifts.push_back(shift);
    return matched;
  }

  Result<bool> report() {
    json out = {{"programs", programs_.size()},    {"passes", options_.passes},     {"device", context_->info.name},
                {"driver", context_->info.driver}, {"cupti", recorder_->version()}, {"rows", json::array()}};
    fmt::print("\nours against CUPTI, us; the shift between the clocks taken out pass by pass, and with it\n");
    fmt::print(fmt::runtime(kHead), "kind", "time", "source", "n", "median", "95%", "max", "middle", "raw med",
               "raw 95%", "within");
    using Key = std::tuple<OperationKind, bool, std::string_view>;
    std::map<Key, std::vector<const Comparison*>> rows;
    print_dispatch();
    std::vector<const Comparison*> overall[2];
    for (const Comparison& one : comparisons_) {
      rows[{one.span.kind, one.is_end, ""}].push_back(&one);
      rows[{one.span.kind, one.is_end, trace::name(one.source())}].push_back(&one);
      overall[one.is_end ? 1 : 0].push_back(&one);
    }
    for (const auto& [key, some] : rows) {
      const auto& [kind, is_end, source] = key;
      const Summary summary = summary_of(some);
      const std::string_view which = is_end ? "end" : "start", from = source.empty() ? "all" : source;
      print_row(name(kind), which, from, summary);
      out["rows"].push_back(row_json(name(kind), which, from, summary));
    }
    bool good = !comparisons_.empty();
    for (const bool is_end : {false, true}) {
      const Summary summary = summary_of(overall[is_end ? 1 : 0]);
      print_row("all", is_end ? "end" : "start", "all", summary);
      out["rows"].push_back(row_json("all", is_end ? "end" : "start", "all", summary));
      good = good && summary.median <= kMostMedian && summary.most_95 <= kMost95;
    }
    print_worst();
    fmt::print(
        "\n{} operations compared; CUPTI left {} without a fitting record, the full instrument {} without times\n",
        found_, unknown_, ours_unknown_);
    print_walls(out);
    out["compared"] = found_;
    out["cupti_unknown"] = unknown_;
    out["full_unknown"] = ours_unknown_;
    out["good"] = good;
    fmt::print("\n{}: median within {:.0f} us and 95th percentile within {:.0f} us, for starts and for ends\n",
               good ? "PASS" : "FAIL", us(kMostMedian), us(kMost95));
    if (!options_.csv_file.empty()) write_csv();
    if (!options_.json_file.empty()) {
      std::ofstream file(options_.json_file);
      file << out.dump(1) << "\n";
      if (!file) return fail(ErrorKind::bad_input, "cannot write " + options_.json_file);
    }
    return good;
  }

  void print_worst() {
    std::vector<const Comparison*> worst;
    for (const Comparison& one : comparisons_) worst.push_back(&one);
    const std::size_t count = std::min<std::size_t>(10, worst.size());
    std::partial_sort(
        worst.begin(), worst.begin() + static_cast<std::ptrdiff_t>(count), worst.end(),
        [](const Comparison* a, const Comparison* b) { return std::abs(a->error()) > std::abs(b->error()); });
    fmt::print("\nthe worst {}\n", count);
    for (std::size_t i = 0; i < count; ++i) {
      const Comparison& one = *worst[i];
      const trace::Span& span = one.span;
      const auto program = static_cast<std::size_t>(one.program);
      fmt::print("  {:>+9.2f} us, {} of {} in program {} ({}), pass {}; stated: {}, +-{:.2f}\n", us(one.error()),
                 one.is_end ? "end" : "start", program::describe(programs_[program], span.operation), one.program + 1,
                 generated_[program].family, one.pass, trace::name(one.source()), us(one.uncertainty()));
      fmt::print(
          "                host call until {:.2f}, ready {:.2f}, ran {:.2f} .. {:.2f}; CUPTI, shifted {:.2f} .. "
          "{:.2f}; it waited for {}{}\n",
          us(span.host_end), us(span.ready), us(span.start), us(span.end), us(one.cupti_start + one.shift),
          us(one.cupti_end + one.shift), trace::name(span.reason),
          span.waits_for == kNoOperation ? "" : ", " + program::describe(programs_[program], span.waits_for));
    }
  }

  void print_dispatch() const {
    const device::DispatchLatency& dispatch = context_->dispatch;
    fmt::print("the device: {:.2f} us to another engine, {:.2f} us from copy to copy\n", us(dispatch.after_dependency),
               us(dispatch.after_copy));
    for (const auto& [what, time] : {std::pair{"in", dispatch.h2d}, {"out", dispatch.d2h}}) {
      fmt::print("  copies {}: {:.2f} us and {:.2f} ns a KiB, {:.2f} with the bus busy both ways, never below {:.2f}\n",
                 what, us(time.setup), 1024 * time.alone, 1024 * time.both, 1024 * time.least);
    }
    for (const auto& [what, time] : {std::pair{"copies within", dispatch.copy}, {"memsets", dispatch.set}}) {
      fmt::print("  {}: {:.3f} ns a KiB in the L2, {:.3f} in memory\n", what, 1024 * time.in_cache,
                 1024 * time.in_memory);
    }
  }

  // One row an operation and pass, for those who want to know how an error comes about.
  void write_csv() const {
    std::ofstream file(options_.csv_file);
    file << "program,pass,op,kind,bytes,host_end,ready,start,end,cupti_start,cupti_end,reason,waits_for,"
            "start_uncertainty,uncertainty\n";
    for (const Comparison& one : comparisons_) {
      if (one.is_end) continue;
      file << fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", one.program, one.pass, one.span.operation,
                          name(one.span.kind), one.span.bytes, one.span.host_end, one.span.ready, one.span.start,
                          one.span.end, one.cupti_start + one.shift, one.cupti_end + one.shift,
                          trace::name(one.span.reason),
                          one.span.waits_for == kNoOperation ? -1 : static_cast<long long>(one.span.waits_for),
                          one.span.start_uncertainty, one.span.uncertainty);
    }
  }

  void print_walls(json& out) {
    std::vector<Nanoseconds> off, on;  // thousandths
    for (const Walls& walls : walls_) {
      const auto ratio = [&](const std::vector<Nanoseconds>& some, const std::vector<Nanoseconds>& to) {
        const Nanoseconds base = quantile(to, 0.5);
        return base > 0 ? quantile(some, 0.5) * 1000 / base : 0;
      };
      off.push_back(ratio(walls.off, walls.before));
      on.push_back(ratio(walls.on, walls.off));
    }
    const auto print_ratios = [&](const char* what, const char* key, const std::vector<Nanoseconds>& ratios) {
      fmt::print("  {:<58} {:.3f}  ({:.3f} .. {:.3f})\n", what, us(quantile(ratios, 0.5)), us(quantile(ratios, 0)),
                 us(quantile(ratios, 1)));
      out[key] = {
          {"median", us(quantile(ratios, 0.5))}, {"low", us(quantile(ratios, 0))}, {"high", us(quantile(ratios, 1))}};
    };
    fmt::print("\nwall time of the programs, ratio: the median over programs (and the range)\n");
    print_ratios("CUPTI recording, nothing of ours / attached and off", "wall_recording", on);
    print_ratios("CUPTI attached and off / never attached", "wall_attached", off);
  }

  Options options_;
  std::shared_ptr<cuda::CudaContext> context_;
  std::vector<GeneratedProgram> generated_;
  std::vector<program::Program> programs_;
  std::vector<Walls> walls_;
  std::unique_ptr<cuda::CuptiRecorder> recorder_;
  std::vector<Comparison> comparisons_;
  std::size_t found_ = 0, unknown_ = 0, ours_unknown_ = 0;
};

bool parse_options(int count, char** arguments, Options& options) {
  for (int i = 1; i < count; ++i) {
    const std::string_view option = arguments[i];
    if (i + 1 == count) return false;
    const std::string value = arguments[++i];
    if (option == "--json") {
      options.json_file = value;
    } else if (option == "--csv") {
      options.csv_file = value;
    } else if (option == "--programs") {
      options.programs = std::atoi(value.c_str());
    } else if (option == "--passes") {
      options.passes = std::atoi(value.c_str());
    } else {
      return false;
    }
  }
  return options.programs > 0 && options.passes > 0;
}

}  // namespace
}  // namespace streamscope::bench

int main(int count, char** arguments) {
  streamscope::bench::Options options;
  if (!streamscope::bench::parse_options(count, arguments, options)) {
    std::fputs("usage: bench_instrument [--programs N] [--passes N] [--json FILE] [--csv FILE]\n", stderr);
    return 2;
  }
  const auto good = streamscope::bench::Bench(options).run();
  if (!good) {
    std::fprintf(stderr, "%s\n", good.error().message.c_str());
    return streamscope::exit_code(good.error().kind);
  }
  return *good ? 0 : 1;
}
