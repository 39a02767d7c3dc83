// A case on a device.
#include <fmt/format.h>

#include <algorithm>

#include "engine/program/read_program.h"
#include "engine/reconstruct/contradictions.h"
#include "tests/conformance/conformance.h"

namespace streamscope::conformance {
namespace {

void replace(std::string& text, std::string_view what, const std::string& with) {
  for (auto at = text.find(what); at != text.npos; at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
}

// The line labelled "here", counted from 1; 0 where there is none.
std::size_t line_here(const std::string& text) {
  const auto at = text.find("# here");
  return at == text.npos ? 0 : static_cast<std::size_t>(std::count(text.begin(), text.begin() + at, '\n')) + 1;
}

std::string refused_as_asked(const Refusal& refusal, const std::string& message, std::size_t line) {
  const std::string place =
      refusal.by == Refusal::By::check ? fmt::format("case:{}:", line) : fmt::format("line {}", line);
  if (line == 0) return "the case labels no line \"here\"";
  if (message.find(place) == message.npos) return fmt::format("\"{}\" is not found in: {}", place, message);
  if (message.find(refusal.words) == message.npos)
    return fmt::format("\"{}\" is not found in: {}", refusal.words, message);
  return "";
}

// What must not stick: the device runs another program as if nothing had been.
std::string still_works(device::Device& device) {
  const auto read = program::read_program("stream A\nA: spin 10us\n", "afterwards");
  const auto loaded = device.load(read->program, {});
  if (!loaded) return "after the refusal: " + loaded.error().message;
  const auto pass = (*loaded)->run(device::Instrument::full, {});
  return pass ? "" : "after the refusal: " + pass.error().message;
}

// Times that cannot all be true; empty: there are none.
std::string contradictions(const program::Program& program, const std::vector<trace::Span>& spans) {
  std::vector<Nanoseconds> begins;
  for (const trace::Span& span : spans) begins.push_back(span.host_begin);
  const program::Dependencies as_issued(program, program::issue_order(program, begins));
  const auto found = reconstruct::find_contradictions(program, as_issued, spans);
  return found.empty() ? "" : reconstruct::contradiction_text(found, spans);
}

Trial attempt_refusal(const Case& one, device::Device& device, const std::string& text) {
  Trial trial;
  auto read = program::read_program(text, "case");
  const std::size_t line = line_here(text);
  if (one.refused->by == Refusal::By::check) {
    trial.wrong = read ? "the check lets it pass" : refused_as_asked(*one.refused, read.error().message, line);
    return trial;
  }
  if (!read) {
    trial.wrong = read.error().message;
    return trial;
  }
  if (one.beyond_text) one.beyond_text(read->program);
  const auto loaded = device.load(read->program, {});
  std::string message;
  if (!loaded) {
    trial.outcomes.emplace_back("refused before it runs");
    message = loaded.error().message;
  } else {
    const auto pass = (*loaded)->run(device::Instrument::full, {});
    if (pass) {
      trial.wrong = "it runs";
      return trial;
    }
    trial.outcomes.emplace_back("refused by the call");
    message = pass.error().message;
  }
  trial.wrong = refused_as_asked(*one.refused, message, line);
  if (trial.wrong.empty()) trial.wrong = still_works(device);
  return trial;
}

}  // namespace

std::vector<Case> all_cases() {
  std::vector<Case> all;
  for (const auto chapter : {order_cases, thread_cases, event_cases, copy_cases, kernel_cases, host_cases,
                             allocation_cases, capture_cases, graph_cases, error_cases}) {
    std::vector<Case> cases = chapter();
    std::move(cases.begin(), cases.end(), std::back_inserter(all));
  }
  return all;
}

std::string lacks(const Needs& needs, const device::DeviceInfo& device) {
  if (device.copy_engines < needs.copy_engines_at_least || device.copy_engines > needs.copy_engines_at_most) {
    return fmt::format("it has {} copy engines", device.copy_engines);
  }
  if (needs.priorities && device.highest_priority >= device.lowest_priority) return "its streams have no priorities";
  if (device.devices < needs.devices) return "it is one device alone";
  if (device.name.find(needs.device) == device.name.npos) return "it is no " + needs.device;
  return "";
}

std::string program_for(const Case& one, const device::DeviceInfo& device) {
  std::string text = one.program;
  replace(text, "$multiprocessors", std::to_string(device.multiprocessors));
  replace(text, "$highest", std::to_string(device.highest_priority));
  return text;
}

Trial attempt(const Case& one, device::Device& device, int passes) {
  const std::string text = program_for(one, device.info());
  if (one.refused) return attempt_refusal(one, device, text);
  Trial trial;
  const auto read = program::read_program(text, "case");
  if (!read) {
    trial.wrong = read.error().message;
    return trial;
  }
  const auto loaded = device.load(read->program, {});
  if (!loaded) {
    trial.wrong = loaded.error().message;
    return trial;
  }
  // The first may meet first times of a driver's own.
  for (int i = -1; i < passes; ++i) {
    auto pass = (*loaded)->run(device::Instrument::full, {});
    if (!pass) {
      trial.wrong = pass.error().message;
      return trial;
    }
    if (i < 0) continue;
    const std::string wrong = contradictions(read->program, pass->spans);
    const Observation& seen = trial.seen.emplace_back(text, read->program, std::move(*pass));
    const Verdict verdict = one.holds(seen);
    if (!verdict.holds() || !wrong.empty()) {
      trial.wrong =
          fmt::format("pass {} of {}: {}\n{}", i + 1, passes, verdict.holds() ? wrong : verdict.wrong, seen.table());
      return trial;
    }
    if (!verdict.outcome.empty()) trial.outcomes.push_back(verdict.outcome);
  }
  return trial;
}

std::string believed(const Case& one, const Observation& seen) {
  constexpr const char* kLieKinds[] = {
      "early",         "late", "its call as returning at once", "its call as held", "brief", "answered at once",
      "answered later"};
  std::string all;
  for (const Lie& lie : one.lies) {
    if (!one.holds(seen.with_lie(lie)).holds()) continue;
    all += fmt::format("'{}' shown as {}; ", lie.label, kLieKinds[static_cast<std::size_t>(lie.what)]);
  }
  return all;
}

}  // namespace streamscope::conformance
