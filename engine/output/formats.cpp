#include "engine/base/translate.h"
#include "engine/output/output.h"

namespace streamscope::output {

std::span<const Format> formats() {
  static constexpr Format kAll[] = {
      {"--json", tr_later("Write the run as JSON; - is standard output"), false, write_json},
      {"--csv", tr_later("Write the run as CSV, a row for each operation; - is standard output"), true, write_csv},
      {"--trace", tr_later("Write the run as a trace for Perfetto and chrome://tracing; - is standard output"), true,
       write_chrome_trace},
      {"--markdown", tr_later("Write the figures and the operations as tables, to paste into an issue"), false,
       [](const trace::Run& run, const TextSink& to) { to(to_markdown(run)); }},
  };
  return kAll;
}

}  // namespace streamscope::output
