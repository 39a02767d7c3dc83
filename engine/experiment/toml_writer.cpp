#include <fmt/format.h>

#include <type_traits>

#include "engine/base/quantity.h"
#include "engine/base/toml_string.h"
#include "engine/experiment/description.h"
#include "engine/experiment/experiment_file.h"
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
    case kernels::OptionKind::counts:
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

// In a section of its own. The keys of other kernels too, with their standards: files have had all of them from the
// beginning.
std::string lines_of_kernel(const kernels::Choice& chosen) {
  const kernels::Kernel* const kernel = chosen.kernel;
  std::string text = fmt::format("\n[kernel]\nname = \"{}\"\n", kernel != nullptr ? kernel->word : "none");
  for (const std::string& key : keys::of_options()) {
    const kernels::Option& option = *keys::any_option_behind(key);
    const std::size_t own = kernel != nullptr ? keys::option_behind(*kernel, key) : 0;
    const bool has = kernel != nullptr && own < kernel->options.size();
    text += fmt::format("{} = {}\n", key.substr(std::string_view("kernel.").size()),
                        option_value(option, has ? chosen.values[own] : option.experiment.value_or(option.standard)));
  }
  return text;
}

template <class Member>
std::string lines_of(const Experiment& experiment, const Member& member) {
  const auto& value = member.of(experiment);
  using Value = std::decay_t<decltype(value)>;
  if constexpr (std::is_same_v<Value, kernels::Choice>) {
    return lines_of_kernel(value);
  } else if constexpr (std::is_same_v<Value, std::string>) {
    return fmt::format("{} = {}\n", member.key, member.unit == "lines" ? program_text(value) : toml_string(value));
  } else if constexpr (std::is_enum_v<Value>) {
    return fmt::format("{} = \"{}\"\n", member.key, name_of(value));
  } else if constexpr (std::is_same_v<Value, std::vector<std::string>>) {
    std::vector<std::string> texts;
    for (const std::string& each : value) texts.push_back(toml_string(each));
    return fmt::format("{} = [{}]\n", member.key, fmt::join(texts, ", "));
  } else {
    return fmt::format("{} = {}\n", member.key,
                       member.unit == "B" ? fmt::format("\"{}\"", exact_bytes(value)) : fmt::format("{}", value));
  }
}

}  // namespace

std::string to_toml(const Experiment& experiment) {
  std::string text, last;
  schema::each_member<Experiment>([&](const auto& member) {
    if (!member.present(experiment) || (!experiment.program.empty() && !may_stand_beside_program(member.key))) return;
    (member.unit == "lines" ? last : text) += lines_of(experiment, member);
  });
  return text + last;
}

std::string toml_for_run(Experiment experiment) {
  experiment.keywords = {};
  return to_toml(experiment);
}

}  // namespace streamscope::experiment
