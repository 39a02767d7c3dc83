#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "engine/reconstruct/reconstruct.h"
#include "tests/conformance/conformance.h"

namespace streamscope::conformance {
namespace {

using Time = Observation::Time;

// An event may fire a little after what it marks.
Nanoseconds doubt_of(std::uint32_t uncertainty, trace::Source source) {
  return Nanoseconds{uncertainty} + (source == trace::Source::event ? reconstruct::kEventLag : 0);
}

std::string us(Nanoseconds time) { return fmt::format("{:.2f} us", static_cast<double>(time) / 1e3); }
std::string us(Time time) {
  return time.doubt == 0 ? us(time.at) : fmt::format("{} (+-{})", us(time.at), us(time.doubt));
}
std::string shown(const Which& which) {
  return which.nth == 0 ? fmt::format("'{}'", which.label) : fmt::format("'{}' {}", which.label, which.nth);
}

Time host(Nanoseconds time) { return {time, 0}; }

}  // namespace

Verdict all(std::initializer_list<Verdict> verdicts) {
  Verdict result;
  for (const Verdict& one : verdicts) {
    if (!one.holds()) return one;
    if (one.outcome.empty()) continue;
    result.outcome += (result.outcome.empty() ? "" : "; ") + one.outcome;
  }
  return result;
}

Verdict one_of(std::initializer_list<Permitted> outcomes) {
  std::string wrong = "none of what is permitted:";
  for (const Permitted& one : outcomes) {
    if (one.verdict.holds()) return {"", one.name};
    wrong += fmt::format(" not \"{}\", for {};", one.name, one.verdict.wrong);
  }
  return {wrong, ""};
}

Observation::Observation(std::string_view text, const program::Program& program, device::Pass pass)
    : pass_(std::move(pass)) {
  std::vector<std::string> by_line{""};
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const auto hash = line.find('#');
    const auto begin = hash == line.npos ? line.npos : line.find_first_not_of(" #", hash);
    by_line.emplace_back(begin == line.npos ? "" : line.substr(begin));
  }
  for (const program::Operation& operation : program.operations) {
    labels_.push_back(operation.line < by_line.size() ? by_line[operation.line] : "");
    by_label_[labels_.back()].push_back(labels_.size() - 1);
    on_device_.push_back(program::ordered_in(operation).has_value());
  }
}

const std::vector<std::size_t>& Observation::labelled(const std::string& label) const {
  static const std::vector<std::size_t> none;
  const auto found = by_label_.find(label);
  return found == by_label_.end() ? none : found->second;
}

const trace::Span& Observation::span(const Which& which) const {
  const auto& found = labelled(which.label);
  if (which.nth >= found.size()) throw std::out_of_range(fmt::format("the program has no line {}", shown(which)));
  return pass_.spans[found[which.nth]];
}

std::size_t Observation::count(const std::string& label) const { return labelled(label).size(); }

Time Observation::start(const Which& which) const {
  const trace::Span& one = span(which);
  return {one.start, doubt_of(one.start_uncertainty, one.start_source)};
}
Time Observation::end(const Which& which) const {
  const trace::Span& one = span(which);
  return {one.end, doubt_of(one.uncertainty, one.source)};
}
Nanoseconds Observation::took(const Which& which) const { return elapsed(span(which).start, span(which).end); }
Nanoseconds Observation::held(const Which& which) const {
  return elapsed(span(which).host_begin, span(which).host_end);
}

Verdict Observation::not_before(Time later, Time earlier, const std::string& what) const {
  if (!known(later.at) || !known(earlier.at)) return {what + ": a time is not known", ""};
  if (later.at + later.doubt + earlier.doubt >= earlier.at) return {};
  return {fmt::format("{}: {} is before {}", what, us(later), us(earlier)), ""};
}

Verdict Observation::clearly_before(Time earlier, Time later, const std::string& what) const {
  if (!known(later.at) || !known(earlier.at)) return {what + ": a time is not known", ""};
  if (earlier.at + earlier.doubt + later.doubt < later.at) return {};
  return {fmt::format("{}: {} is not clearly before {}", what, us(earlier), us(later)), ""};
}

Verdict Observation::after(const Which& second, const Which& first) const {
  return not_before(start(second), end(first), fmt::format("start of {} after end of {}", shown(second), shown(first)));
}

Verdict Observation::in_turn(std::initializer_list<Which> these) const {
  for (const Which* one = these.begin(); one + 1 < these.end(); ++one) {
    if (Verdict verdict = after(one[1], one[0]); !verdict.holds()) return verdict;
  }
  return {};
}

Verdict Observation::overlap(const Which& one, const Which& other) const {
  const std::string what = fmt::format("{} and {} overlap", shown(one), shown(other));
  return all({clearly_before(start(one), end(other), what), clearly_before(start(other), end(one), what)});
}

Verdict Observation::starts_before(const Which& one, const Which& other) const {
  return clearly_before(start(one), start(other), fmt::format("{} starts before {}", shown(one), shown(other)));
}

Verdict Observation::starts_before_end(const Which& one, const Which& of) const {
  return clearly_before(start(one), end(of), fmt::format("{} does not wait for {}", shown(one), shown(of)));
}

Verdict Observation::ends_before_end(const Which& one, const Which& of) const {
  return clearly_before(end(one), end(of), fmt::format("{} ends before {}", shown(one), shown(of)));
}

Verdict Observation::returns_before_end(const Which& call, const Which& of) const {
  return clearly_before(host(span(call).host_end), end(of),
                        fmt::format("the call of {} returns before the end of {}", shown(call), shown(of)));
}

Verdict Observation::held_until_end(const Which& call, const Which& of) const {
  return not_before(host(span(call).host_end), end(of),
                    fmt::format("the call of {} is held until the end of {}", shown(call), shown(of)));
}

Verdict Observation::issued_after(const Which& second, const Which& first) const {
  return not_before(host(span(second).host_begin), end(first),
                    fmt::format("{} is issued after the end of {}", shown(second), shown(first)));
}

Verdict Observation::asked(const Which& poll, std::uint32_t at_least, std::uint32_t at_most) const {
  const std::uint32_t polls = span(poll).polls;
  if (polls >= at_least && polls <= at_most) return {};
  return {fmt::format("{} asked {} times", shown(poll), polls), ""};
}

Verdict Observation::takes_times(const Which& one, double factor, const Which& other) const {
  const auto least = static_cast<Nanoseconds>(factor * static_cast<double>(took(other)));
  const Time end_of = end(one);
  return not_before(end_of, {start(one).at + least, start(one).doubt + end(other).doubt + start(other).doubt},
                    fmt::format("{} takes {} times as long as {} at least", shown(one), factor, shown(other)));
}

Verdict Observation::takes_less_than(const Which& one, double factor, const Which& other) const {
  const auto most = static_cast<Nanoseconds>(factor * static_cast<double>(took(other)));
  const Time end_of = end(one);
  return clearly_before(end_of, {start(one).at + most, start(one).doubt + end(other).doubt + start(other).doubt},
                        fmt::format("{} takes less than {} times as long as {}", shown(one), factor, shown(other)));
}

Observation Observation::with_lie(const Lie& lie) const {
  Observation result = *this;
  Nanoseconds over = 0;
  for (std::size_t i = 0; i < pass_.spans.size(); ++i) {
    const trace::Span& span = pass_.spans[i];
    if (labels_[i] != lie.label) over = std::max({over, span.end, span.host_end});
  }
  const Nanoseconds margin = 1'000'000;
  const auto& these = labelled(lie.label);
  if (these.empty()) throw std::out_of_range(fmt::format("a lie about '{}', which no line is labelled", lie.label));
  for (const std::size_t i : these) {
    trace::Span& span = result.pass_.spans[i];
    const Nanoseconds took = std::max<Nanoseconds>(0, elapsed(span.start, span.end));  // 0: it never ran
    const auto move_to = [&span, took](Nanoseconds start) {
      span.end = start + took;
      span.ready = span.start = start;
      // Told as if it had been seen: a start that was inferred from CUDA's order can never contradict it.
      span.start_uncertainty = std::min({span.start_uncertainty, span.uncertainty, span.ready_uncertainty});
    };
    switch (lie.what) {
      case Lie::What::early: move_to(span.host_begin); break;
      case Lie::What::late: move_to(over + margin); break;
      case Lie::What::returned: span.host_end = span.host_begin + 1'000; break;
      case Lie::What::held: span.host_end = std::max(over, span.end) + margin; break;
      case Lie::What::brief: span.end = span.start + took / 10; break;
      case Lie::What::asked_once: span.polls = 1; break;
      case Lie::What::asked_again: span.polls = 2; break;
    }
    if (!on_device_[i]) span.end = span.host_end;
  }
  return result;
}

Observation Observation::unsure(std::uint32_t uncertainty) const {
  Observation result = *this;
  for (std::size_t i = 0; i < on_device_.size(); ++i) {
    if (!on_device_[i]) continue;
    trace::Span& span = result.pass_.spans[i];
    span.ready_uncertainty = span.start_uncertainty = span.uncertainty = uncertainty;
  }
  return result;
}

std::string Observation::table() const {
  std::string text = "     call          returned      ready         start         end     (us)\n";
  constexpr std::size_t kMost = 40;
  for (std::size_t i = 0; i < pass_.spans.size() && i < kMost; ++i) {
    const trace::Span& span = pass_.spans[i];
    const auto column = [](Nanoseconds time) {
      return known(time) ? fmt::format("{:12.2f}  ", static_cast<double>(time) / 1e3) : fmt::format("{:>12}  ", "?");
    };
    text += column(span.host_begin) + column(span.host_end) + column(span.ready) + column(span.start) +
            column(span.end) +
            fmt::format("line {} {} [{}] +-{}/{} ns {}\n", span.line, name(span.kind), labels_[i],
                        span.start_uncertainty, span.uncertainty, trace::name(span.source));
  }
  if (pass_.spans.size() > kMost) text += fmt::format("and {} more\n", pass_.spans.size() - kMost);
  return text;
}

}  // namespace streamscope::conformance
