#include "app/cli/open_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "engine/base/translate.h"

namespace streamscope::cli {
namespace {

std::optional<std::uint32_t> number(std::string_view digits) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

}  // namespace

std::optional<KernelToOpen> kernel_to_open(std::string_view text) {
  KernelToOpen out;
  if (const std::size_t colon = text.find(':'); colon != std::string_view::npos) {
    out.multiprocessor = number(text.substr(colon + 1));
    if (!out.multiprocessor) return std::nullopt;
    text = text.substr(0, colon);
  }
  if (text == "first") return out;
  const auto line = number(text);
  if (!line || *line == 0) return std::nullopt;
  out.line = *line;
  return out;
}

Result<timeline::OpenKernel> opening_in(const trace::Trace& trace, const KernelToOpen& kernel) {
  std::set<OperationIndex> recorded;
  for (const trace::StageBlock& block : trace.stages.blocks) {
    if (!block.stages.empty()) recorded.insert(block.operation);
  }
  std::set<std::uint32_t> lines;  // of kernels that recorded their stages
  for (const trace::Span& span : trace.spans) {
    if (!recorded.contains(span.operation)) continue;
    lines.insert(span.line);
    if (kernel.line != 0 && span.line != kernel.line) continue;
    timeline::OpenKernel out = timeline::opened(trace, span.operation);
    if (!kernel.multiprocessor) return out;
    out.multiprocessors = {*kernel.multiprocessor};
    const bool there =
        std::any_of(trace.stages.blocks.begin(), trace.stages.blocks.end(), [&](const trace::StageBlock& each) {
          return each.operation == span.operation && each.multiprocessor == *kernel.multiprocessor &&
                 !each.stages.empty();
        });
    if (there) return out;
    return fail(ErrorKind::bad_input,
                tr("--open: error: no block on multiprocessor {} recorded its stages; the first that did is {}",
                   *kernel.multiprocessor, timeline::first_multiprocessor(trace, span.operation).value_or(0)));
  }
  if (lines.empty())
    return fail(
        ErrorKind::bad_input,
        tr("--open: error: no block recorded its stages: only those of tiles and attention do, outside of graphs"));
  return fail(ErrorKind::bad_input, tr("--open: error: no kernel of line {} recorded its stages; the first that "
                                       "did is of line {}",
                                       kernel.line, *lines.begin()));
}

}  // namespace streamscope::cli
