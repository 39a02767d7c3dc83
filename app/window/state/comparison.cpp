#include "app/window/state/comparison.h"

#include <fmt/format.h>

#include <iterator>

#include "app/timeline/span_text.h"
#include "engine/analysis/changes.h"
#include "engine/base/translate.h"
#include "engine/experiment/description.h"
#include "engine/trace/packed_spans.h"
#include "kernels/registry.h"

namespace streamscope::window {
namespace {

std::string csv_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) out.append(c == '"' ? 2 : 1, c);
  return out + "\"";
}

// "host" is "Host memory"; "kernel.fma" what the kernel in `toml` calls it. What is no key is itself.
std::string label_of(std::string_view key) {
  std::string_view found = key;
  schema::each_member<experiment::Experiment>([&](const auto& member) {
    if (member.key == key && !member.label.empty()) found = member.label;
  });
  constexpr std::string_view kOfKernel = "kernel.";
  if (key.starts_with(kOfKernel))
    for (const kernels::Kernel* const kernel : kernels::all())
      for (const kernels::Option& option : kernel->options)
        if (option.key == key.substr(kOfKernel.size()) && found == key) found = option.label;
  return std::string(tr(found));
}

std::string cell(Nanoseconds time) { return known(time) ? std::to_string(time) : std::string(); }

}  // namespace

std::shared_ptr<const ShownPair> make_pair(const PairRequest& request) {
  auto made = std::make_shared<ShownPair>();
  const ShownRun &first = *request.first, &second = *request.second;
  made->first = request.first;
  made->second = request.second;
  made->paired = request.paired
                     ? request.paired
                     : std::make_shared<const analysis::PairedRuns>(analysis::pair_runs(*first.run, *second.run));
  made->totals =
      analysis::total_changes({*first.run, first.analysis, first.noise}, {*second.run, second.analysis, second.noise});
  made->by = request.by;
  made->offset = request.offset;
  made->differs = differs_text(*first.run, *second.run);
  made->order = analysis::worst_first(first.run->trace, second.run->trace, *made->paired, request.by, request.offset);
  return made;
}

std::string differs_text(const trace::Run& first, const trace::Run& second) {
  std::string out;
  for (const analysis::Change& each : analysis::all_changes(first, second))
    timeline::add_part(
        out, each.what.empty() ? each.text : fmt::format("A {} → B {}: {}", each.from, each.to, label_of(each.what)));
  return out.empty() ? std::string(tr("A and B were made alike")) : out;
}

std::string differences_csv(const ShownPair& pair) {
  const trace::Trace &first = pair.first->run->trace, &second = pair.second->run->trace;
  std::string out = fmt::format(
      "operation,line,name,kind,stream,run {0} start ns,run {0} duration ns,run {1} operation,run {1} start ns,"
      "run {1} duration ns,change of duration ns,change of start ns,change of waiting ns,uncertainty ns\n",
      pair.first->number, pair.second->number);
  for (const std::uint32_t index : pair.order) {
    const trace::Span a = trace::span_at(first, index), b = trace::span_at(second, pair.paired->of_first[index]);
    const analysis::PairDifference by = analysis::difference(first, a, second, b, pair.offset);
    const std::string stream = a.stream < first.streams.size() ? first.streams[a.stream].name : std::string();
    fmt::format_to(std::back_inserter(out), "{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", a.operation, a.line,
                   csv_text(timeline::span_name(first, a)), name(a.kind), csv_text(stream), cell(a.start),
                   cell(analysis::length(a)), b.operation, cell(b.start), cell(analysis::length(b)), cell(by.length),
                   cell(by.by.start), cell(by.by.waiting), by.noise);
  }
  return out;
}

}  // namespace streamscope::window
