#include "engine/experiment/toml_writer.h"

#include <fmt/format.h>

#include <iterator>

#include "engine/base/quantity.h"
#include "engine/base/toml_string.h"
#include "engine/experiment/keys.h"

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

std::string option_value(const kernels::Option& option, std::int64_t value) {
  switch (option.kind) {
    case kernels::OptionKind::count: break;
    case kernels::OptionKind::bytes:
      if (value == 0) break;
      return fmt::format("\"{}\"", exact_bytes(static_cast<std::uint64_t>(value)));
    case kernels::OptionKind::duration: return fmt::format("\"{}\"", exact_duration(value));
    case kernels::OptionKind::flag: return value != 0 ? "true" : "false";
    case kernels::OptionKind::choice: return fmt::format("\"{}\"", option.words[static_cast<std::size_t>(value)]);
  }
  return fmt::format("{}", value);
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
  const kernels::Kernel* const kernel = e.kernel.kernel;
  fmt::format_to(out, "\n[kernel]\nname = \"{}\"\n", kernel != nullptr ? kernel->word : "none");
  // The keys of other kernels too, with their standards: files have had all of them from the beginning.
  for (const keys::Key& key : keys::all()) {
    if (!key.name.starts_with("kernel.") || key.name == "kernel.name") continue;
    const kernels::Option& option = *keys::any_option_behind(key.name);
    const std::size_t own = kernel != nullptr ? keys::option_behind(*kernel, key.name) : 0;
    const bool has = kernel != nullptr && own < kernel->options.size();
    fmt::format_to(out, "{} = {}\n", key.name.substr(std::string_view("kernel.").size()),
                   option_value(option, has ? e.kernel.values[own] : option.experiment.value_or(option.standard)));
  }
  return text;
}

std::string to_toml(const ExperimentFile& file) {
  if (file.program.empty()) return to_toml(file.experiment);
  return fmt::format("{}verify = {}\nprogram = {}\n", heading(file.experiment), file.experiment.verify,
                     program_text(file.program));
}

}  // namespace streamscope::experiment
