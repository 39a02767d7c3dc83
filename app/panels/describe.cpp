#include "app/panels/describe.h"

#include <fmt/format.h>

#include "engine/analysis/analysis.h"
#include "engine/base/quantity.h"

namespace streamscope {
namespace {

std::string line_of(const std::string& program, std::uint32_t line) {
  std::size_t begin = 0;
  for (std::uint32_t i = 1; i < line; ++i) {
    begin = program.find('\n', begin);
    if (begin == std::string::npos) return {};
    ++begin;
  }
  std::string words = program.substr(begin, program.find('\n', begin) - begin);
  words.erase(0, words.find_first_not_of(" \t"));
  constexpr std::size_t kLongest = 60;
  if (words.size() > kLongest) {
    std::size_t cut = kLongest;
    while (cut > 0 && (words[cut] & 0xC0) == 0x80) --cut;  // not within a UTF-8 character
    words.replace(cut, std::string::npos, "…");
  }
  return words;
}

std::string source_text(Source source) {
  switch (source) {
    case Source::none: return "unknown";
    case Source::host: return "host clock";
    case Source::event: return "CUDA event";
    case Source::stamp: return "%globaltimer stamp in the kernel";
    case Source::inferred: return "inferred from its neighbours";
    case Source::cupti: return "CUPTI activity record";
    case Source::model: return "model";
  }
  return "unknown";
}

bool known_interval(Nanoseconds from, Nanoseconds to) { return known(from) && known(to); }

// One operation's time on the run's clock, finer than display_duration() where many are alike.
std::string at(Nanoseconds time) { return known(time) ? display_duration(time) : "–"; }

}  // namespace

std::string operation_title(const Trace& trace, const Span& span) {
  std::string title = span.name < trace.names.size() ? trace.names[span.name] : std::string(name(span.kind));
  if (span.bytes != 0) title += "  " + display_bytes(span.bytes);
  if (span.stream < trace.streams.size())
    title += "  on " + trace.streams[span.stream].name;
  else if (span.thread < trace.threads.size())
    title += "  by thread " + trace.threads[span.thread];
  return title;
}

std::vector<Fact> facts(const Run& run, const Span& span) {
  const Trace& trace = run.trace;
  std::vector<Fact> rows;
  const auto add = [&](std::string label, std::string value, bool aside = false) {
    rows.push_back({std::move(label), std::move(value), aside});
  };
  add("Operation", span.line == 0 ? fmt::format("{} (implied last synchronisation)", span.operation)
                                  : fmt::format("{}, line {}", span.operation, span.line));
  if (const std::string words = line_of(run.program, span.line); span.line != 0 && !words.empty())
    add("Text", words, true);
  if (span.stream < trace.streams.size())
    add("Stream", trace.streams[span.stream].name + (trace.streams[span.stream].nonblocking ? " (nonblocking)" : ""));
  if (span.engine != Engine::none) {
    const char* engine = span.engine == Engine::h2d       ? "H2D copy engine"
                         : span.engine == Engine::d2h     ? "D2H copy engine"
                         : span.engine == Engine::compute ? "multiprocessors"
                                                          : "host thread";
    add("Engine", engine);
  }
  if (span.bytes != 0) {
    add("Size", display_bytes(span.bytes));
    if (known_interval(span.start, span.end) && span.end > span.start)
      add("Rate", display_bandwidth(span.bytes, span.end - span.start));
  }
  if (known_interval(span.start, span.end)) add("Duration", display_duration(span.end - span.start));
  if (known(span.start) || known(span.end)) add("Executes", fmt::format("{} to {}", at(span.start), at(span.end)));
  if (known_interval(span.ready, span.start)) {
    add("Ready at", at(span.ready));
    add("Then waited", display_duration(span.start - span.ready));
  }
  if (known_interval(span.host_begin, span.host_end))
    add("Host call", fmt::format("{} at {}", display_duration(span.host_end - span.host_begin), at(span.host_begin)));
  if (span.polls != 0) add("Polls", std::to_string(span.polls));
  std::string source = source_text(span.source);
  if (span.uncertainty != 0) source += fmt::format(", ±{}", display_duration(span.uncertainty));
  add("Times from", source);
  if (const std::string why = explain_wait(trace, span); !why.empty()) add("", why, true);
  return rows;
}

std::string provenance_line(const Provenance& provenance) {
  std::string line = provenance.device;
  if (!provenance.driver.empty()) line += ", driver " + provenance.driver;
  if (!provenance.profile.empty()) line += ", profile " + provenance.profile;
  return line;
}

}  // namespace streamscope
