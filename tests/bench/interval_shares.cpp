#include "tests/bench/interval_shares.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <string_view>

#include "engine/analysis/noise.h"
#include "engine/trace/trace.h"

namespace streamscope::bench {
namespace {

using trace::Span;

// CUPTI's resolution of a time, of which a duration and a gap have two.
constexpr Nanoseconds kStep = 32;

struct Seen {
  Span span;
  std::string family, where, memory;
  Nanoseconds start = kAbsent, end = kAbsent, uncertainty = 0;  // CUPTI's
  bool recorded() const { return known(start) && known(end); }
};

struct Counted {
  std::size_t inside = 0;
  std::vector<double> distance;  // us
  void add(Nanoseconds off, Nanoseconds doubt) {
    inside += off <= doubt;
    distance.push_back(static_cast<double>(off) / 1e3);
  }
};

struct Family {
  Counted starts, ends, durations, gaps;
  std::vector<double> doubt;  // of durations, us
};

double part_of(std::vector<double> values, double part) {
  if (values.empty()) return 0;
  const auto at = static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return values[static_cast<std::size_t>(at)];
}

class Shares {
 public:
  // The operations of one pass, whose clocks are tied to within `tie`.
  void add_recorded(std::vector<Seen>& pass, Nanoseconds tie) {
    std::erase_if(pass, [](const Seen& one) { return !one.recorded(); });
    std::stable_sort(pass.begin(), pass.end(), [](const Seen& a, const Seen& b) { return a.start < b.start; });
    trace::Trace trace;
    trace.provenance.uncertainty = tie;
    note_devices(trace, pass);
    std::map<std::pair<Engine, std::uint8_t>, const Seen*> before;  // by engine and device
    for (const Seen& one : pass) {
      const Seen*& last = before[{one.span.engine, one.span.device}];
      judge(trace, one, last);
      last = &one;
    }
  }

  // One beside which CUPTI recorded nothing: what users see is as sure as these are.
  void add_alone(std::vector<Seen>& pass, Nanoseconds tie) {
    trace::Trace trace;
    trace.provenance.uncertainty = tie;
    note_devices(trace, pass);
    for (Seen& one : pass) {
      one.start = one.span.start;
      one.end = one.span.end;
    }
    for (const Seen& one : pass) {
      if (one.memory != "pinned" || one.span.launch != kNoOperation) continue;
      const double stated = static_cast<double>(analysis::execution_noise(trace, one.span)) / 1e3;
      if (one.span.kind == OperationKind::kernel && !beside_host_memory(one, pass)) kernels_.push_back(stated);
      if (is_copy(one) && !beside_host_memory(one, pass) && !beside_copy(one, pass)) {
        copies_.push_back(stated);
        const double allowed = std::max(15.0, 0.03 * static_cast<double>(one.end - one.start) / 1e3);
        copies_over_allowed_.push_back(stated / allowed);
      }
    }
  }

  std::string table() const {
    const auto percent = [](const Counted& one) {
      return one.distance.empty() ? std::string("-")
                                  : fmt::format("{:.2f}", 100.0 * static_cast<double>(one.inside) /
                                                              static_cast<double>(one.distance.size()));
    };
    const auto off = [](const Counted& one) {
      return fmt::format("{:.2f}, {:.1f}", part_of(one.distance, 0.5), part_of(one.distance, 0.95));
    };
    std::string text =
        fmt::format("{:36}{:>8}{:>9}{:>9}{:>11}{:>9}   {:>16}{:>16}{:>16}{:>9}\n", "family", "n", "starts %", "ends %",
                    "durations %", "gaps %", "start off us", "end off us", "duration off us", "doubt us");
    std::size_t all = 0;
    for (const auto& [name, one] : families_) {
      all += one.starts.distance.size();
      text +=
          fmt::format("{:36}{:>8}{:>9}{:>9}{:>11}{:>9}   {:>16}{:>16}{:>16}{:>9.1f}\n", name,
                      one.starts.distance.size(), percent(one.starts), percent(one.ends), percent(one.durations),
                      percent(one.gaps), off(one.starts), off(one.ends), off(one.durations), part_of(one.doubt, 0.5));
    }
    text += fmt::format(
        "\noff: median and 95th percentile, raw; doubt: the median of what a duration states\n"
        "{} operations, {} off by more than three times what was stated\n",
        all, far_.size());
    for (const std::string& one : far_) text += "  " + one + "\n";
    text += fmt::format(
        "doubt of a duration where CUPTI does not record: a pinned copy alone on its bus {:.1f} us (median of {}, "
        "{:.2f} of "
        "the larger of 15 us and 3 %), a kernel beside no traffic from host memory {:.2f} us (of {})\n",
        part_of(copies_, 0.5), copies_.size(), part_of(copies_over_allowed_, 0.5), part_of(kernels_, 0.5),
        kernels_.size());
    return text;
  }

 private:
  // Each has a tie of its own, of which the recording has the larger.
  static void note_devices(trace::Trace& trace, const std::vector<Seen>& pass) {
    const bool two = std::any_of(pass.begin(), pass.end(), [](const Seen& one) { return one.span.device > 0; });
    if (two) trace.other_devices.push_back(trace.provenance);
  }

  void judge(const trace::Trace& trace, const Seen& one, const Seen* before) {
    const Span& span = one.span;
    Family& family = families_[one.span.kind == OperationKind::peer ? one.family + ": copies between" : one.family];
    const Nanoseconds start_off = std::abs(span.start - one.start),
                      start_doubt = span.start_uncertainty + one.uncertainty;
    const Nanoseconds end_off = std::abs(span.end - one.end), end_doubt = span.uncertainty + one.uncertainty;
    const Nanoseconds took = span.end - span.start, stated = analysis::execution_noise(trace, span);
    const Nanoseconds took_off = std::abs(took - (one.end - one.start)), took_doubt = stated + 2 * kStep;
    family.starts.add(start_off, start_doubt);
    family.ends.add(end_off, end_doubt);
    family.durations.add(took_off, took_doubt);
    family.doubt.push_back(static_cast<double>(stated) / 1e3);
    if (before) {
      const Nanoseconds ours = span.start - before->span.end, theirs = one.start - before->end;
      family.gaps.add(std::abs(ours - theirs), analysis::gap_noise(trace, before->span, span) + 2 * kStep);
    }
    if (start_off > 3 * start_doubt || end_off > 3 * end_doubt || took_off > 3 * took_doubt) {
      far_.push_back(fmt::format("{}, {}, {} of {} bytes: start {} us off (stated {}), end {} ({}), duration {} ({})",
                                 one.family, one.where, name(span.kind), span.bytes, start_off / 1000,
                                 start_doubt / 1000, end_off / 1000, end_doubt / 1000, took_off / 1000,
                                 took_doubt / 1000));
    }
  }

  static bool is_copy(const Seen& one) {
    return one.span.kind == OperationKind::h2d || one.span.kind == OperationKind::d2h;
  }
  static bool beside(const Seen& one, const Seen& other) {
    return &one != &other && other.start < one.end && one.start < other.end;
  }
  static bool beside_copy(const Seen& one, const std::vector<Seen>& pass) {
    return std::any_of(pass.begin(), pass.end(),
                       [&](const Seen& other) { return beside(one, other) && is_copy(other); });
  }
  static bool beside_host_memory(const Seen& one, const std::vector<Seen>& pass) {
    return std::any_of(pass.begin(), pass.end(), [&](const Seen& other) {
      return beside(one, other) && (other.memory == "mapped" || other.memory == "managed");
    });
  }

  std::map<std::string, Family> families_;
  std::vector<std::string> far_;
  std::vector<double> copies_, copies_over_allowed_, kernels_;
};

template <typename Named>
Named value_of(std::string_view text) {
  for (int i = 0;; ++i) {
    if (name(static_cast<Named>(i)) == text) return static_cast<Named>(i);
  }
}

Engine engine_of(OperationKind kind) {
  if (kind == OperationKind::h2d) return Engine::h2d;
  if (kind == OperationKind::d2h) return Engine::d2h;
  if (kind == OperationKind::peer) return Engine::peer;
  return kind == OperationKind::kernel ? Engine::compute : Engine::none;
}

}  // namespace

Result<std::string> shares_of(const std::vector<std::string>& files) {
  Shares shares;
  for (const std::string& file : files) {
    std::ifstream in(file);
    if (!in) return fail(ErrorKind::bad_input, "cannot read " + file);
    std::string line, pass_name;
    std::getline(in, line);
    std::getline(in, line);
    std::vector<Seen> pass;
    Nanoseconds tie = 0;
    bool both = false;
    const auto finish = [&] {
      both ? shares.add_recorded(pass, tie) : shares.add_alone(pass, tie);
      pass.clear();
    };
    while (std::getline(in, line)) {
      std::vector<std::string> cells;
      std::istringstream row(line);
      for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
      if (cells.size() != 29 && cells.size() != 30)
        return fail(ErrorKind::bad_input, file + " is not what bench_intervals --csv writes");
      const bool recorded = cells[2] == "both";
      if (!recorded && cells[2] != "full") continue;
      const auto number = [&](std::size_t at) { return std::stoll(cells[at]); };
      const std::string where = fmt::format("{}: program {}, pass {}", file, cells[0], cells[3]);
      if (where + cells[2] != pass_name) {
        finish();
        pass_name = where + cells[2];
        both = recorded;
      }
      tie = number(26);
      Seen one;
      one.family = cells[1];
      one.where = fmt::format("{}, operation {}", where, cells[4]);
      one.memory = cells[6];
      one.span.kind = value_of<OperationKind>(cells[5]);
      one.span.engine = engine_of(one.span.kind);
      if (number(8) >= 0) one.span.launch = static_cast<OperationIndex>(number(8));
      one.span.bytes = static_cast<std::uint64_t>(number(7));
      one.span.ready = number(11);
      one.span.ready_source = value_of<trace::Source>(cells[27]);
      one.span.ready_uncertainty = static_cast<std::uint32_t>(number(28));
      one.span.start = number(12);
      one.span.end = number(13);
      one.span.start_source = value_of<trace::Source>(cells[14]);
      one.span.source = value_of<trace::Source>(cells[15]);
      one.span.start_uncertainty = static_cast<std::uint32_t>(number(16));
      one.span.uncertainty = static_cast<std::uint32_t>(number(17));
      if (cells.size() > 29) one.span.device = static_cast<std::uint8_t>(number(29));
      one.start = number(18);
      one.end = number(19);
      one.uncertainty = number(20);
      pass.push_back(std::move(one));
    }
    finish();
  }
  return shares.table();
}

}  // namespace streamscope::bench
