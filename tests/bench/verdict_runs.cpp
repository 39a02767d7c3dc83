// The verdict on a GPU: the cause that it names first for programs with a planted fault, what the changes that it
// offers would gain and what they gained, and what must hold of slices, paths, idle time and bounds on any run.
//
//   bench_verdict [--device D] [--only NAME] [--tries N] [--csv F]
//       planted faults; N of the changes offered for each are run
//   bench_verdict --folder F
//       the same of the programs and experiments in a folder
//   bench_verdict --generated N [--seed S]
//       generated programs
//   bench_verdict --fix
//       changes upon changes, as `explain --fix` makes them
//   --save F
//       each run as a file of its own in folder F, which `streamscope explain` opens
//
// A file's first line may say which fault it was planted with: "# fault: legacy-barrier, also one-stream", or "none";
// those behind the first are accepted. A file of the same name in F/repaired is the program with that fault alone
// mended; it is run, too: where it gains less than a tenth, the device does not show the fault, and such names count
// apart.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "engine/base/files.h"
#include "engine/base/quantity.h"
#include "engine/device/catalog/catalog.h"
#include "engine/experiment/experiment_file.h"
#include "engine/measure/measure.h"
#include "engine/output/output.h"
#include "engine/program/read_program.h"
#include "engine/remedy/explain_run.h"
#include "engine/remedy/fix.h"
#include "engine/verdict/slices.h"
#include "tests/bench/interval_programs.h"
#include "tests/engine/remedy/planted.h"

namespace streamscope::bench {
namespace {

using remedy::ExplainedRun;
using remedy::Help;
using remedy::Source;

struct Options {
  std::string device = "cuda", only, csv, folder, save;
  std::uint32_t generated = 0;
  std::uint64_t seed = 1;
  std::size_t tries = 3;
  bool fix = false;
};

struct Case {
  std::string name;
  std::vector<std::string> accepted;  // the planted cause first
  Source source;
  std::optional<Source> repaired;  // with that fault alone mended
};

Result<Source> source_from(const std::string& text) {
  if (!text.starts_with("name")) return Source{"", text};
  return remedy::source_of(TRY(experiment::parse_experiment(text, "experiment")).experiment);
}

std::vector<std::string> accepted_of(const remedy::Planted& fault) {
  std::vector<std::string> all{std::string(verdict::name(fault.cause))};
  for (const verdict::Cause each : fault.also) all.emplace_back(verdict::name(each));
  return all;
}

// "# fault: a, also b, c" at a text's top
std::vector<std::string> accepted_in(std::string_view text) {
  constexpr std::string_view kHead = "# fault:";
  std::vector<std::string> all;
  if (!text.starts_with(kHead)) return all;
  std::istringstream words(std::string(text.substr(kHead.size(), text.find('\n') - kHead.size())));
  for (std::string word; words >> word;) {
    if (word.ends_with(',')) word.pop_back();
    if (word != "also") all.push_back(word == "none" ? "at-the-bound" : std::move(word));
  }
  if (!all.empty() && all.front() == "at-the-bound") all.emplace_back("engine-busy");  // nothing to be had, too
  return all;
}

Result<Source> source_in(const std::filesystem::path& file) {
  std::string text = TRY(read_text(file));
  while (file.extension() == ".toml" && text.starts_with("#")) text.erase(0, text.find('\n') + 1);
  return source_from(text);
}

Result<std::vector<Case>> cases(const Options& options) {
  std::vector<Case> all;
  if (!options.folder.empty()) {
    for (const auto& file : std::filesystem::directory_iterator(options.folder)) {
      if (!file.is_regular_file() || file.path().extension() == ".md") continue;
      Case each{file.path().stem().string(), accepted_in(TRY(read_text(file.path()))), TRY(source_in(file.path())), {}};
      const auto repaired = file.path().parent_path() / "repaired" / file.path().filename();
      if (std::filesystem::exists(repaired)) each.repaired = TRY(source_in(repaired));
      all.push_back(std::move(each));
    }
    std::ranges::sort(all, {}, &Case::name);
  } else if (options.generated > 0) {
    for (std::uint32_t i = 0; i < options.generated; ++i) {
      IntervalProgram program = IntervalPrograms::make(options.seed, i);
      all.push_back({fmt::format("{} {}", program.family, i), {}, {"", std::move(program.text)}, {}});
    }
  } else {
    for (const remedy::Planted& each : remedy::planted_faults()) {
      if (each.device != "model:h200") continue;  // of a GPU that this one is not
      all.push_back({std::string(each.name), accepted_of(each), TRY(source_from(each.text)), {}});
    }
  }
  std::erase_if(all, [&](const Case& each) { return each.name.find(options.only) == std::string::npos; });
  return all;
}

struct Explained {
  trace::Run run;  // that the verdict refers to
  std::unique_ptr<ExplainedRun> found;
};

Result<std::unique_ptr<Explained>> run_and_explain(device::Device& device, const Source& source) {
  const auto read = TRY(program::read_program(source.program, "program"));
  measure::MeasureOptions measuring;
  measuring.runs = device.info().kind == trace::Provenance::Kind::measured ? 5 : 1;
  auto out = std::make_unique<Explained>();
  out->run = TRY(measure::measure(device, read.program, measuring, {}));
  out->run.program = source.program;
  out->run.experiment = source.experiment;
  out->found = TRY(remedy::explain_run(out->run, {}));
  return out;
}

// What must hold of any run: empty where it does.
struct Sums {
  std::string broken;
  Nanoseconds waited = 0, unexplained = 0, unexplained_path = 0;
};

Sums sums_of(const ExplainedRun& of) {
  Sums out;
  const verdict::Judgement& judged = *of.judgement;
  const verdict::History& history = judged.history;
  for (OperationIndex i = 0; i < history.size(); ++i) {
    if (!history.executes(i) || !known(history.issued(i)) || history.span(i).start <= history.issued(i)) continue;
    Nanoseconds at = history.issued(i);
    for (const verdict::Slice& slice : verdict::slices(history, i)) {
      if (slice.from != at || slice.to <= slice.from) out.broken += " slices";
      out.waited += slice.to - slice.from;
      if (slice.cause == verdict::WaitCause::unexplained) out.unexplained += slice.to - slice.from;
      at = slice.to;
    }
    if (at != history.span(i).start) out.broken += " slices";
  }
  const auto partition = [&](const verdict::Path& path, Nanoseconds from, Nanoseconds to, const char* which) {
    Nanoseconds at = from;
    for (const verdict::Piece& piece : path.pieces) {
      if (piece.from != at || piece.to <= piece.from) out.broken += which;
      at = piece.to;
    }
    if (at != to) out.broken += which;
  };
  if (!judged.path.pieces.empty()) {
    partition(judged.path, judged.path.pieces.front().from, judged.path.pieces.back().to, " path");
    if (judged.path.pieces.back().to - judged.path.pieces.front().from != trace::makespan(history.spans()))
      out.broken += " makespan";
    partition(judged.wall_path, 0, judged.wall, " wall");
  }
  for (const verdict::Piece& piece : judged.path.pieces) {
    if (piece.kind == verdict::PieceKind::unexplained) out.unexplained_path += piece.to - piece.from;
  }
  for (const verdict::EngineIdle& each : judged.idle) {
    Nanoseconds sum = each.busy;
    for (const verdict::IdleTime& one : each.causes) sum += one.time;
    if (each.busy + each.idle != judged.makespan || sum != judged.makespan) out.broken += " idle";
  }
  for (const verdict::Bound& bound : judged.bounds) {
    const Nanoseconds took = bound.kind == verdict::BoundKind::host ? judged.wall : judged.makespan;
    if (bound.time - bound.uncertainty > took)
      out.broken += fmt::format(" {} ({} -{} > {})", verdict::name(bound), bound.time, bound.uncertainty, took);
  }
  return out;
}

std::vector<std::pair<verdict::Cause, Help>> offered(const remedy::Verdict& verdict) {
  std::vector<std::pair<verdict::Cause, Help>> all;
  for (const remedy::Entry& each : verdict.entries) {
    if (each.help) all.push_back({each.cause, *each.help});
  }
  for (const Help& each : verdict.others) all.push_back({verdict::Cause::unexplained, each});
  return all;
}

double share(Nanoseconds part, Nanoseconds of) {
  return of <= 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(of);
}

class Bench {
 public:
  Bench(const Options& options, device::Device& device, std::FILE* csv)
      : options_(options), device_(device), csv_(csv) {
    if (csv_ != nullptr) fmt::print(csv_, "program,cause,change,before,predicted,low,high,measured,verified,figure\n");
  }

  void take(const Case& each) {
    auto ran = run_and_explain(device_, each.source);
    if (!ran) {
      fmt::print("{}: {}\n", each.name, ran.error().message);
      ++failed_;
      return;
    }
    if (!options_.save.empty()) save(each.name, (*ran)->run);
    const ExplainedRun& found = *(*ran)->found;
    const Sums sums = sums_of(found);
    waited_ += sums.waited;
    unexplained_ += sums.unexplained;
    broken_ += sums.broken.empty() ? 0 : 1;
    if (found.verdict.entries.empty()) {
      fmt::print("{}: no entry; {}\n", each.name, display_duration(found.makespan));
      return;
    }
    const std::string named(verdict::name(found.verdict.entries.front().cause));
    std::string judged;
    if (!each.accepted.empty()) {
      const bool right = std::ranges::find(each.accepted, named) != each.accepted.end();
      auto& [good, of] = right_[each.accepted.front()];
      good += right ? 1 : 0;
      ++of;
      const std::optional<double> gain = repair_gain(each, found, (*ran)->run);
      if (gain && *gain < kShown && each.accepted.front() != "hazard") {
        ++unseen_;
        unseen_right_ += right ? 1 : 0;
        judged = fmt::format("(the repair gains {:.0f} %) ", 100 * *gain);
      }
      judged += right ? "right: " : fmt::format("WRONG, not {}: ", fmt::join(each.accepted, " or "));
    }
    std::string second;
    if (found.verdict.entries.size() > 1)
      second = fmt::format(", then {}", verdict::name(found.verdict.entries[1].cause));
    fmt::print("{}: {}{}{}; {}; {}; unexplained {:.1f} % of waiting, {:.1f} % of the path{}{}\n", each.name, judged,
               named, second, display_duration(found.makespan), remedy::headline(*found.judgement),
               share(sums.unexplained, sums.waited), share(sums.unexplained_path, found.judgement->makespan),
               sums.broken.empty() ? "" : "; BROKEN:", sums.broken);
    std::fflush(stdout);
    if (options_.fix) {
      fix(each, found);
    } else {
      try_changes(each, found);
    }
  }

  void summary() const {
    int good = 0, of = 0;
    for (const auto& [cause, counts] : right_) {
      fmt::print("{}: {} of {}\n", cause, counts.first, counts.second);
      good += counts.first;
      of += counts.second;
    }
    fmt::print("named first: {} of {}; runs that failed: {}; runs of which something does not hold: {}\n", good, of,
               failed_, broken_);
    if (unseen_ > 0)
      fmt::print("of these, faults that this device does not show: {} named of {}; without them: {} of {}\n",
                 unseen_right_, unseen_, good - unseen_right_, of - unseen_);
    fmt::print("unexplained: {:.2f} % of waiting\n", share(unexplained_, waited_));
    print_gains();
  }

 private:
  struct Gain {
    double predicted = 0, measured = 0;  // of the makespan before
    bool within = false;                 // of the range that was stated
    bool sure = false;                   // offered with a figure
  };

  void save(std::string name, const trace::Run& run) const {
    std::ranges::replace(name, ' ', '-');
    const auto written = write_text(std::filesystem::path(options_.save) / (name + ".json"), output::to_json(run));
    if (!written) fmt::print("{}\n", written.error().message);
  }

  void try_changes(const Case& each, const ExplainedRun& found) {
    std::size_t tried = 0;
    for (const auto& [cause, help] : offered(found.verdict)) {
      if (tried++ == options_.tries) break;
      const auto read = program::read_program(help.changed.program, "changed");
      if (!read) continue;
      measure::MeasureOptions measuring;
      measuring.runs = 5;
      measuring.serial = false;
      const auto run = measure::measure(device_, read->program, measuring, {});
      if (!run || !run->makespan) {
        fmt::print("   {}: {}\n", help.change, run ? "no makespan" : run.error().message);
        ++failed_;
        continue;
      }
      const Nanoseconds took = run->makespan->median, before = found.makespan;
      const auto of = static_cast<double>(before);
      gains_.push_back({static_cast<double>(before - help.predicted) / of, static_cast<double>(before - took) / of,
                        help.low <= took && took <= help.high, help.sure});
      causes_.insert(cause);
      fmt::print("   {}: {}: {} predicted ({} to {}), {} measured{}\n", verdict::name(cause), help.change,
                 display_duration(help.predicted), display_duration(help.low), display_duration(help.high),
                 display_duration(took), run->verified == false ? ", WRONG DATA" : "");
      if (csv_ != nullptr)
        fmt::print(csv_, "{},{},\"{}\",{},{},{},{},{},{},{}\n", each.name, verdict::name(cause), help.change, before,
                   help.predicted, help.low, help.high, took, run->verified ? (*run->verified ? "yes" : "no") : "not",
                   help.sure ? "yes" : "no");
    }
  }

  void fix(const Case& each, const ExplainedRun& found) {
    std::vector<std::unique_ptr<Explained>> kept;
    const auto steps =
        remedy::fix(each.source, {found.makespan, found.verdict}, [&](const Source& changed) -> Result<remedy::Tried> {
          auto then = TRY(run_and_explain(device_, changed));
          if (const std::string broken = sums_of(*then->found).broken; !broken.empty()) {
            ++broken_;
            fmt::print("   BROKEN:{}\n", broken);
            if (!options_.save.empty()) save(fmt::format("{} fixed {}", each.name, broken_), then->run);
          }
          return remedy::Tried{then->found->makespan, then->found->verdict};
        });
    if (!steps) {
      fmt::print("   {}\n", steps.error().message);
      ++failed_;
      return;
    }
    Nanoseconds best = found.makespan;
    for (const remedy::FixStep& step : *steps) {
      fmt::print("   {}{}: {} predicted, {} measured\n", step.help.change, step.kept ? "" : " (left out again)",
                 display_duration(step.help.predicted), display_duration(step.help.measured));
      if (step.kept) best = step.help.measured;
    }
    fmt::print("   fixed: {} became {}, {} runs\n", display_duration(found.makespan), display_duration(best),
               steps->size());
  }

  // What the planted fault costs here, of the makespan or of the wall time, whichever its repair shortens more.
  std::optional<double> repair_gain(const Case& each, const ExplainedRun& found, const trace::Run& before) {
    if (!each.repaired || each.accepted.front() == "at-the-bound") return std::nullopt;
    const auto after = run_and_explain(device_, *each.repaired);
    if (!after) {
      fmt::print("{}, repaired: {}\n", each.name, after.error().message);
      ++failed_;
      return std::nullopt;
    }
    const trace::Run& run = (*after)->run;
    const auto part = [](Nanoseconds now, Nanoseconds then) {
      return then <= 0 ? 0.0 : 1 - static_cast<double>(now) / static_cast<double>(then);
    };
    const double wall = run.wall && before.wall ? part(run.wall->median, before.wall->median) : 0;
    return std::max(wall, part((*after)->found->makespan, found.makespan));
  }

  void print_gains() const {
    if (gains_.empty()) return;
    fmt::print("changes run: {}, from {} causes\n", gains_.size(), causes_.size());
    print_gains("all", [](const Gain&) { return true; });
    print_gains("offered with a figure", [](const Gain& gain) { return gain.sure; });
  }
  template <typename Which>
  void print_gains(std::string_view name, Which counts) const {
    std::vector<double> errors;  // of the gain, where it is 5 % or more
    std::size_t small = 0, within = 0;
    for (const Gain& gain : gains_) {
      if (!counts(gain)) continue;
      if (gain.predicted >= 0.05) {
        errors.push_back(std::abs(gain.measured - gain.predicted) / gain.predicted);
      } else {
        ++small;
        within += gain.within ? 1 : 0;
      }
    }
    std::ranges::sort(errors);
    if (!errors.empty()) {
      const auto close = std::ranges::upper_bound(errors, 0.3) - errors.begin();
      fmt::print("{}: gains of 5 % and more: {}; error median {:.1f} % of the gain; within 30 %: {:.1f} %\n", name,
                 errors.size(), 100 * errors[errors.size() / 2],
                 100.0 * static_cast<double>(close) / static_cast<double>(errors.size()));
    }
    fmt::print("{}: smaller gains: {}; within what was stated: {}\n", name, small, within);
  }

  static constexpr double kShown = 0.1;

  const Options& options_;
  device::Device& device_;
  std::FILE* csv_;
  std::map<std::string, std::pair<int, int>> right_;
  std::vector<Gain> gains_;
  std::set<verdict::Cause> causes_;
  Nanoseconds waited_ = 0, unexplained_ = 0;
  int failed_ = 0, broken_ = 0;
  int unseen_ = 0, unseen_right_ = 0;  // faults that the device does not show
};

Result<void> run(const Options& options) {
  const auto spec = TRY(catalog::device_named(options.device));
  const auto device = TRY(catalog::open_device(spec));
  fmt::print("{}\n", device->info().name);
  std::FILE* const csv = options.csv.empty() ? nullptr : std::fopen(options.csv.c_str(), "w");
  if (!options.csv.empty() && csv == nullptr) return fail(ErrorKind::bad_input, options.csv + " cannot be written");
  Bench bench(options, *device, csv);
  for (const Case& each : TRY(cases(options))) bench.take(each);
  if (csv != nullptr) std::fclose(csv);
  bench.summary();
  return {};
}

}  // namespace
}  // namespace streamscope::bench

int main(int argc, char** argv) {
  streamscope::bench::Options options;
  CLI::App app("the verdict on a GPU");
  app.add_option("--device", options.device, "as `streamscope devices` lists it");
  app.add_option("--only", options.only, "programs whose name has this in it");
  app.add_option("--tries", options.tries, "changes of each program that are run");
  app.add_option("--generated", options.generated, "how many generated programs to run instead of planted faults");
  app.add_option("--seed", options.seed, "of the generated programs");
  app.add_option("--folder", options.folder, "of programs and experiments to run instead");
  app.add_flag("--fix", options.fix, "change after change");
  app.add_option("--save", options.save, "write each run into this folder, as JSON");
  app.add_option("--csv", options.csv, "write the changes that were run, a line each");
  CLI11_PARSE(app, argc, argv);
  const auto done = streamscope::bench::run(options);
  if (done) return 0;
  std::fprintf(stderr, "%s\n", done.error().message.c_str());
  return 4;
}
