#include "engine/experiment/toml_writer.h"

#include <fmt/format.h>

#include <iterator>

#include "engine/base/quantity.h"
#include "engine/experiment/toml_string.h"

namespace streamscope::experiment {
namespace {

// A program line by line in triple quotes, so that the lines of its errors are lines of the file; escaped where triple
// quotes cannot hold it.
std::string program_text(const std::string& program) {
  for (const char c : program) {
    const bool control = static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t';
    if (control || c == 0x7F) return toml_string(program);
  }
  if (program.find("''") != std::string::npos || program.ends_with('\'')) return toml_string(program);
  return fmt::format("'''\n{}'''", program);
}

std::string heading(const Experiment& experiment) {
  return fmt::format("name = {}\nabout = {}\n", toml_string(experiment.name), toml_string(experiment.about));
}

}  // namespace

std::string to_toml(const Experiment& e) {
  std::string text = heading(e);
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "bytes = \"{}\"\n", exact_bytes(e.bytes));
  fmt::format_to(out, "chunk = \"{}\"\n", exact_bytes(e.chunk));
  fmt::format_to(out, "streams = {}\n", e.streams);
  fmt::format_to(out, "stream_flags = \"{}\"\n", name(e.stream_flags));
  fmt::format_to(out, "order = \"{}\"\n", name(e.order));
  fmt::format_to(out, "host = \"{}\"\n", program::name(e.host));
  fmt::format_to(out, "mode = \"{}\"\n", name(e.mode));
  fmt::format_to(out, "sync = \"{}\"\n", name(e.sync));
  fmt::format_to(out, "h2d = {}\nd2h = {}\nverify = {}\n", e.h2d, e.d2h, e.verify);
  fmt::format_to(out, "\n[kernel]\nname = \"{}\"\n", e.kernel ? name(e.kernel_name) : "none");
  fmt::format_to(out, "fma = {}\nduration = \"{}\"\n", e.kernel_fma, exact_duration(e.kernel_duration));
  fmt::format_to(out, "copy = \"{}\"\nstages = {}\ntile = \"{}\"\n", program::name(e.kernel_copy), e.kernel_stages,
                 exact_bytes(e.kernel_tile));
  fmt::format_to(out, "bytes = {}\nl1 = {}\nalign = {}\ndiverge = {}\nproducers = {}\nper_sm = {}\n", e.kernel_bytes,
                 e.kernel_l1, e.kernel_align, e.kernel_diverge, e.kernel_producers, e.kernel_per_sm);
  fmt::format_to(out, "heads = {}\nhead = {}\ntype = \"{}\"\nbuffers = {}\n", e.kernel_heads, e.kernel_head,
                 e.kernel_bf16 ? "bf16" : "fp32", e.kernel_buffers);
  fmt::format_to(out, "blocks = {}\nthreads = {}\n", e.kernel_blocks, e.kernel_threads);
  return text;
}

std::string to_toml(const ExperimentFile& file) {
  if (file.program.empty()) return to_toml(file.experiment);
  return fmt::format("{}verify = {}\nprogram = {}\n", heading(file.experiment), file.experiment.verify,
                     program_text(file.program));
}

}  // namespace streamscope::experiment
