#include "engine/analysis/api_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "engine/analysis/waits.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"
#include "engine/trace/call_result.h"
#include "engine/trace/sticky_error.h"

namespace streamscope::analysis {
namespace {

// Empty for what calls nothing of CUDA: work of the host.
std::string_view called_by(const trace::Trace& trace, const trace::Span& span) {
  // Of calls that go by their own name, such as "cudaMemcpy D2D", that is what it begins with.
  if (span.name < trace.names.size() && trace.names[span.name].starts_with("cuda")) {
    const std::string_view own = trace.names[span.name];
    return own.substr(0, own.find(' '));
  }
  return call_name(span);
}

}  // namespace

std::string_view call_name(const trace::Span& span) {
  switch (span.kind) {
    case OperationKind::h2d:
    case OperationKind::d2h:
      return span.blocking ? "cudaMemcpy" : span.rows != 0 ? "cudaMemcpy2DAsync" : "cudaMemcpyAsync";
    case OperationKind::d2d: return span.rows != 0 ? "cudaMemcpy2DAsync" : "cudaMemcpyAsync";
    case OperationKind::peer: return "cudaMemcpyPeerAsync";
    case OperationKind::memset: return "cudaMemsetAsync";
    case OperationKind::fault:
    case OperationKind::kernel: return "cudaLaunchKernel";
    case OperationKind::record: return "cudaEventRecord";
    case OperationKind::wait: return "cudaStreamWaitEvent";
    case OperationKind::hostfn: return "cudaLaunchHostFunc";
    case OperationKind::prefetch: return "cudaMemPrefetchAsync";
    default: return {};
  }
}

bool call_waited(const trace::Span& span) {
  if (host_waits(span)) return true;
  return span.blocking && known(span.end) && known(span.host_end) && span.host_end + span.uncertainty >= span.end;
}

ApiCalls api_calls(const trace::Trace& trace) {
  std::map<std::string_view, ApiCalls::Count> counts;
  for (const trace::Span& span : trace.spans) {
    if (span.launch != kNoOperation) continue;  // its launch has the call
    const std::string_view name = called_by(trace, span);
    if (name.empty()) continue;
    ApiCalls::Count& count = counts[name];
    count.calls += span.kind == OperationKind::poll ? std::max(span.polls, 1U) : 1;
    if (const Nanoseconds took = elapsed(span.host_begin, span.host_end); known(took) && took > 0)
      add(count.time, took);
  }
  ApiCalls out;
  for (const auto& [name, count] : counts) {
    out.total += count.calls;
    add(out.time, count.time);
    out.by_name.push_back({std::string(name), count.calls, count.time});
  }
  std::stable_sort(out.by_name.begin(), out.by_name.end(),
                   [](const ApiCalls::Count& a, const ApiCalls::Count& b) { return a.calls > b.calls; });
  return out;
}

std::string api_calls_text(const ApiCalls& calls) {
  if (calls.total == 0) return tr("none");
  std::string by_name;
  for (const ApiCalls::Count& each : calls.by_name) {
    if (!by_name.empty()) by_name += ", ";
    by_name += tr("{} {} in {}", each.name, each.calls, display_duration(each.time));
  }
  return tr("{} in {} ({})", calls.total, display_duration(calls.time), by_name);
}

std::string failed_calls_text(const trace::Trace& trace) {
  std::uint64_t failed = 0, never_ran = 0;
  const trace::Span* first = nullptr;
  for (const trace::Span& span : trace.spans) {
    if (trace::call_failed(span) && span.result != CallResult::not_ready) {
      if (first == nullptr || span.host_begin < first->host_begin) first = &span;
      ++failed;
    } else if (span.engine != Engine::none && span.engine != Engine::host && !known(span.start)) {
      ++never_ran;
    }
  }
  if (first == nullptr) return "";
  std::string text =
      first->line == 0
          ? tr_n("{} call failed, with {}", "{} calls failed, the first with {}", failed, failed, name(first->result))
          : tr_n("{} call failed, on line {} with {}", "{} calls failed, the first on line {} with {}", failed, failed,
                 first->line, name(first->result));
  if (never_ran > 0) text += tr_n("; {} operation never ran", "; {} operations never ran", never_ran, never_ran);
  return text;
}

std::string nothing_ran_text(const trace::Trace& trace) {
  const std::string failed = failed_calls_text(trace);
  return failed.empty() ? tr("Nothing ran on the device, so there is nothing to explain.")
                        : tr("Nothing ran on the device: {}.", failed);
}

std::string sticky_error_text(const trace::Trace& trace) {
  const auto left = trace::sticky_error(trace);
  if (!left) return "";
  std::string text = tr_n("{}, by {} call from {} on", "{}, by {} calls from {} on", left->calls, name(left->error),
                          left->calls, display_duration(left->told));
  if (left->fault != kNoOperation) {
    const trace::Span& fault = trace.spans[left->fault];
    const std::string after = display_duration(left->told - left->failed);
    text += trace.other_devices.empty()
                ? tr(", {} after the kernel of line {} began", after, fault.line)
                : tr(", {} after the kernel of line {} began on device {}", after, fault.line, fault.device);
  }
  if (known(left->reset)) {
    text += tr("; from {} on there is no device ({})", display_duration(left->reset),
               name(CallResult::devices_unavailable));
  }
  return text;
}

}  // namespace streamscope::analysis
