#include "engine/base/translate.h"
#include "engine/output/output.h"

namespace streamscope::output {

std::span<const Format> formats() {
  static constexpr Format kAll[] = {
      {"--json", tr_later("Write the run as JSON; - is standard output"), false, to_json},
      {"--csv", tr_later("Write the run as CSV, a row for each operation; - is standard output"), true, to_csv},
      {"--trace", tr_later("Write the run as a trace for Perfetto and chrome://tracing; - is standard output"), true,
       to_chrome_trace},
      {"--markdown", tr_later("Write the figures and the operations as tables, to paste into an issue"), false,
       to_markdown},
  };
  return kAll;
}

}  // namespace streamscope::output
