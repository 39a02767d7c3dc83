#include "app/reading/operation_facts.h"

#include <fmt/format.h>

#include "app/reading/kernel_facts.h"
#include "engine/analysis/analysis.h"
#include "engine/analysis/api_calls.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"
#include "engine/trace/call_result.h"
#include "engine/trace/packed_spans.h"

namespace streamscope::reading {
namespace {

std::string whole_line_of(const std::string& program, std::uint32_t line) {
  std::size_t begin = 0;
  for (std::uint32_t i = 1; i < line; ++i) {
    begin = program.find('\n', begin);
    if (begin == std::string::npos) return {};
    ++begin;
  }
  std::string words = program.substr(begin, program.find('\n', begin) - begin);
  words.erase(0, words.find_first_not_of(" \t"));
  return words;
}

std::string line_of(const std::string& program, std::uint32_t line) {
  std::string words = whole_line_of(program, line);
  constexpr std::size_t kLongest = 240;
  if (words.size() > kLongest) {
    std::size_t cut = kLongest;
    while (cut > 0 && (words[cut] & 0xC0) == 0x80) --cut;  // not within a UTF-8 character
    words.replace(cut, std::string::npos, "…");
  }
  return words;
}

std::string source_text(const trace::Provenance& from, trace::Source source) {
  if (trace::of_another_tool(from) && source == trace::Source::cupti) return tr("the file of another tool");
  switch (source) {
    case trace::Source::none: return tr("unknown");
    case trace::Source::host: return tr("host clock");
    case trace::Source::event: return tr("CUDA event");
    case trace::Source::stamp: return tr("kernel's stamp");
    case trace::Source::inferred: return tr("inferred");
    case trace::Source::cupti: return tr("CUPTI record");
    case trace::Source::model: return tr("model");
    case trace::Source::referee: return tr("widened to CUPTI's other passes");
    case trace::Source::sighting: return tr("CUDA event, as the host saw it");
  }
  return tr("unknown");
}

bool known_interval(Nanoseconds from, Nanoseconds to) { return known(from) && known(to); }

std::string at(Nanoseconds time) { return known(time) ? display_duration(time) : "–"; }

std::string with_noise(Nanoseconds time, Nanoseconds noise) {
  return noise > 0 ? at(time) + "  " + analysis::noise_text(noise) : at(time);
}

constexpr const char* kWithinNoise = tr_later("within its own noise");

// A length of time with how sure it is.
Fact length(std::string label, Nanoseconds time, Nanoseconds noise) {
  const bool within_noise = noise > 0 && time <= noise;
  std::string value = with_noise(time, noise);
  if (within_noise) value += fmt::format(", {}", tr(kWithinNoise));
  return {std::move(label), std::move(value), false, within_noise};
}

// Of a kernel its bytes are those it works on in place, not what goes over the memory's bus.
std::string rate(const trace::Span& span) {
  const std::string text = display_bandwidth(span.bytes, span.end - span.start);
  return span.kind == OperationKind::kernel ? tr("{} of its range, read and written", text) : text;
}

// When it was ready, started and ended: each with its source, and how sure it is. Where all three have one source, that
// is said once.
void add_times(std::vector<Fact>& rows, const trace::Provenance& from, const trace::Span& span) {
  struct Time {
    const char* label;
    Nanoseconds time;
    trace::Source source;
    std::uint32_t uncertainty;
  };
  const Time all[] = {{tr("Ready"), span.ready, span.ready_source, span.ready_uncertainty},
                      {tr("Start"), span.start, span.start_source, span.start_uncertainty},
                      {tr("End"), span.end, span.source, span.uncertainty}};
  bool some = false, one_source = true;
  for (const Time& each : all) {
    some |= known(each.time);
    if (known(each.time) && each.source != span.source) one_source = false;
  }
  for (const Time& each : all) {
    if (!known(each.time)) continue;
    std::string value = with_noise(each.time, each.uncertainty);
    if (!one_source) value += ", " + source_text(from, each.source);
    rows.push_back({each.label, std::move(value)});
  }
  if (some && one_source) rows.push_back({tr("Times from"), source_text(from, span.source)});
}

// The launches of a line that have as many bytes are known by the first of them: where its options have variables the
// others may be different.
std::vector<Fact> rows_of_launch(const trace::Run& run, const trace::Span& span) {
  const trace::LaunchShape* const shape = trace::launch_of(run.trace, span);
  if (shape == nullptr || whole_line_of(run.program, span.line).find("={") != std::string::npos) return {};
  return launch_rows(*shape);
}

// As the device has it: a priority that there is not has been clamped.
std::string stream_text(const trace::StreamInfo& stream) {
  if (stream.priority == 0) return stream.nonblocking ? tr("{} (nonblocking)", stream.name) : stream.name;
  return stream.nonblocking ? tr("{} (nonblocking, priority {})", stream.name, stream.priority)
                            : tr("{} (priority {})", stream.name, stream.priority);
}

}  // namespace

std::string operation_title(const trace::Trace& trace, const trace::Span& span) {
  std::string title = span.name < trace.names.size() ? trace.names[span.name] : std::string(name(span.kind));
  if (span.bytes != 0) title += "  " + display_bytes(span.bytes);
  if (span.stream < trace.streams.size())
    title += "  " + tr("on {}", trace.streams[span.stream].name);
  else if (span.thread < trace.threads.size())
    title += "  " + (trace.packed ? tr("by {}", trace.threads[span.thread])
                                  : tr("by thread {}", trace.threads[span.thread]));  // others name theirs in full
  return title;
}

std::vector<Fact> facts(const trace::Run& run, const trace::Span& span) {
  const trace::Trace& trace = run.trace;
  std::vector<Fact> rows;
  const auto add = [&](std::string label, std::string value, bool explanation = false) {
    rows.push_back({std::move(label), std::move(value), explanation});
  };
  add(tr("Operation"), span.line != 0        ? tr("{}, line {}", span.operation, span.line)
                       : run.program.empty() ? fmt::format("{}", span.operation)  // of another tool's trace
                                             : tr("{} (implied last synchronisation)", span.operation));
  if (const std::string words = line_of(run.program, span.line); span.line != 0 && !words.empty())
    rows.push_back({.label = tr("Text"), .value = words, .explanation = true, .is_program = true});
  if (span.stream < trace.streams.size()) add(tr("Stream"), stream_text(trace.streams[span.stream]));
  if (span.engine != Engine::none) add(tr("Engine"), std::string(tr(words_of(span.engine).hardware)));
  std::vector<Fact> of_kernel = kernel_rows(trace, span);  // its rates among them
  if (span.bytes != 0) {
    add(tr("Size"), span.rows == 0 ? display_bytes(span.bytes)
                                   : tr_n("{} in {} row of {}", "{} in {} rows of {}", span.rows,
                                          display_bytes(span.bytes), span.rows, display_bytes(span.bytes / span.rows)));
    if (of_kernel.empty() && known_interval(span.start, span.end) && span.end > span.start) add(tr("Rate"), rate(span));
  }
  if (of_kernel.empty()) of_kernel = rows_of_launch(run, span);
  for (Fact& each : of_kernel) rows.push_back(std::move(each));
  if (known_interval(span.start, span.end))
    rows.push_back(length(tr("Duration"), span.end - span.start, analysis::execution_noise(trace, span)));
  const analysis::Waits waited = analysis::waits(span);
  if (waited.issue_to_ready > 0)  // the issue is on the host's own clock
    rows.push_back(length(tr("Issue to ready"), waited.issue_to_ready, span.ready_uncertainty));
  if (waited.ready_to_start > 0)
    rows.push_back(length(tr("Ready to start"), waited.ready_to_start, analysis::waiting_noise(trace, span)));
  add_times(rows, run.trace.provenance, span);
  if (span.samples > 1) add(tr("Seen"), tr("in {} runs, spread {}", span.samples, analysis::noise_text(span.spread)));
  if (known_interval(span.host_begin, span.host_end))
    add(span.launch == kNoOperation ? tr("Host call") : tr("Host call of the launch"),
        tr("{} at {}", display_duration(span.host_end - span.host_begin), at(span.host_begin)));
  if (span.polls != 0) add(tr("Polls"), std::to_string(span.polls));
  if (span.callback && trace::is_status(span))
    add(tr("Status"), std::string(name(span.result)));
  else if (trace::has_result(span))
    add(tr("Returned"), std::string(name(span.result)));
  if (const trace::StreamAttributes* told = trace::attributes_of(trace.answers, span.operation)) {
    add(tr("Device"), std::to_string(told->device));
    add(tr("Priority"), std::to_string(told->priority));
    add(tr("Flags"), told->nonblocking ? "cudaStreamNonBlocking" : "cudaStreamDefault");
    add(tr("Number"), std::to_string(told->id));
    add(tr("Capture"), std::string(name_of(told->capture)));
  }
  if (const trace::CaptureAnswer* told = trace::capture_info_of(trace.answers, span.operation)) {
    add(tr("Capture"), std::string(name_of(told->status)));
    if (told->status == trace::CaptureStatus::active) add(tr("Number"), std::to_string(told->id));
  }
  if (known(span.elapsed))
    add(tr("Elapsed"), tr("{:.6f} ms from operation {} to {}", static_cast<double>(span.elapsed) / 1e6,
                          span.elapsed_from, span.elapsed_to));
  if (const std::string why = analysis::explain_wait(trace, span); !why.empty()) add("", why, true);
  if (span.blocking && analysis::call_waited(span)) add("", tr("its call holds the host until it is done"), true);
  return rows;
}

std::string signed_duration(Nanoseconds time) {
  return fmt::format("{}{}", known(time) && time > 0 ? "+" : "", at(time));
}

std::vector<Fact> predicted_facts(const trace::Run& run, const analysis::Comparison& comparison,
                                  const trace::Span& span) {
  std::vector<Fact> rows;
  if (!run.prediction) return rows;
  const std::size_t index = trace::find_index(run.trace, span.operation).value_or(run.prediction->trace.spans.size());
  const std::vector<trace::Span>& all = run.prediction->trace.spans;
  if (index >= all.size() || !known_interval(all[index].start, all[index].end)) return rows;
  const trace::Span& model = all[index];
  const analysis::Difference off = analysis::difference(span, model);
  rows.push_back({tr("Predicted"), tr("{} to {}", at(model.start), at(model.end))});
  if (known(off.end))
    rows.push_back({tr("Off by"), tr("{} at start, {} at end", signed_duration(off.start), signed_duration(off.end))});
  for (const analysis::Deviation& each : comparison.deviations)
    if (each.operation == span.operation)
      rows.push_back({"", fmt::format("{}: {}", signed_duration(each.by), each.cause), true});
  return rows;
}

std::string makespan_warning(const trace::Run& run, const analysis::Analysis& analysis,
                             const analysis::FigureNoise& noise) {
  constexpr double kMuch = 0.05;
  const auto makespan = static_cast<double>(analysis.makespan);
  if (!known(analysis.makespan) || analysis.makespan <= 0 || static_cast<double>(noise.makespan) <= kMuch * makespan)
    return {};
  const bool runs_differ = run.makespan && known(run.makespan->spread) && run.makespan->spread * 2 > noise.makespan;
  return tr("Sure to {} only, {:.0f} % of it: {}.", analysis::noise_text(noise.makespan),
            static_cast<double>(noise.makespan) / makespan * 100,
            runs_differ ? tr("the runs differ that much") : tr("the times it follows from are not surer"));
}

std::string observer_warning(const trace::Run& run) {
  if (!run.observer_effect || run.observer_effect->low > 1 || run.observer_effect->high < 1) return {};
  return tr(
      "Within its own noise: the runs differ by more than the instrument costs. That is good news, but no figure.");
}

std::string provenance_line(const trace::Provenance& provenance) {
  std::string line = provenance.device;
  if (!provenance.driver.empty()) line += ", " + tr("driver {}", provenance.driver);
  if (!provenance.profile.empty()) line += ", " + tr("profile {}", provenance.profile);
  return line;
}

}  // namespace streamscope::reading
