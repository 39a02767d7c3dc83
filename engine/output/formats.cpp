#include "engine/output/output.h"

namespace streamscope::output {

std::span<const Format> formats() {
  static constexpr Format kAll[] = {
      {"--json", "Write the run as JSON; - is standard output", false, to_json},
      {"--csv", "Write one row for each operation", true, to_csv},
      {"--trace", "Write a trace for Perfetto and chrome://tracing", true, to_chrome_trace},
      {"--markdown", "Write the figures and the operations as tables, to paste into an issue", false, to_markdown},
  };
  return kAll;
}

}  // namespace streamscope::output
