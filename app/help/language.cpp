// Entries of the language: its statements, what stands in them, its kernels.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/help/help.h"
#include "app/help/words.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"
#include "engine/program/read_program.h"
#include "engine/program/syntax/words.h"
#include "kernels/registry.h"

namespace streamscope::help {
namespace {

using program::grammar::Form;
using program::grammar::Side;

// A whole program around the kernel's usage.
std::string example_of(const kernels::Kernel& kernel, std::string_view usage) {
  std::string text;
  if (kernel.operands != kernels::Operands::none) text += "buffer x 64MiB\n";
  if (kernel.operands == kernels::Operands::to_from) text += "buffer y 1MiB\n";
  if (kernel.operands == kernels::Operands::either) text += "buffer y 64MiB\n";
  text += "stream A nonblocking\n";
  if (kernel.operands != kernels::Operands::none) text += "A: h2d x\n";
  text += fmt::format("A: {}\n", usage);
  return kernel.apart.empty() ? text : text + fmt::format("A: {}\n", kernel.apart);
}

}  // namespace

std::string value_text(const kernels::Option& option, std::int64_t value) {
  switch (option.kind) {
    case kernels::OptionKind::bytes: return value == 0 ? "0" : exact_bytes(static_cast<std::uint64_t>(value));
    case kernels::OptionKind::duration: return exact_duration(value);
    case kernels::OptionKind::flag: return value != 0 ? tr("on") : tr("off");
    case kernels::OptionKind::choice: return std::string(option.words[static_cast<std::size_t>(value)]);
    case kernels::OptionKind::counts:
    case kernels::OptionKind::count: break;
  }
  return fmt::format("{}", value);
}

std::string range_of(const kernels::Option& option) { return range_of(option, option.least); }

std::string range_of(const kernels::Option& option, std::int64_t least) {
  if (option.kind == kernels::OptionKind::flag) return {};
  if (option.kind == kernels::OptionKind::choice) return fmt::format("{}", fmt::join(option.words, ", "));
  if (!option.few.empty()) return fmt::format("{}", fmt::join(option.few, ", "));
  if (option.most <= least) return {};
  return tr("{} to {}", value_text(option, least), value_text(option, option.most));
}

namespace {

// Some of the values that an option takes, those that others may depend on among them.
std::vector<std::int64_t> some_values(const kernels::Option& option) {
  std::vector<std::int64_t> out(option.few.begin(), option.few.end());
  out.insert(out.end(), option.offered.begin(), option.offered.end());
  for (std::size_t i = 0; i < option.words.size(); ++i) out.push_back(static_cast<std::int64_t>(i));
  out.insert(out.end(), {option.least, option.most});
  return out;
}

// The options that decide what another is where it is left out, found by trying them beside each choice of a word.
std::vector<std::string_view> deciding(const kernels::Kernel& kernel, std::size_t option) {
  const kernels::Values standard = kernels::language_values(kernel);
  std::vector<kernels::Values> beside = {standard};
  for (std::size_t i = 0; i < kernel.options.size(); ++i) {
    for (std::size_t word = 0; word < kernel.options[i].words.size(); ++word) {
      beside.push_back(standard);
      beside.back()[i] = static_cast<std::int64_t>(word);
    }
  }
  std::vector<std::string_view> out;
  for (std::size_t i = 0; i < kernel.options.size(); ++i) {
    if (i == option) continue;
    const std::vector<std::int64_t> tried = some_values(kernel.options[i]);
    const bool decides = std::any_of(beside.begin(), beside.end(), [&](const kernels::Values& each) {
      return std::any_of(tried.begin(), tried.end(), [&](std::int64_t value) {
        kernels::Values changed = each;
        changed[i] = value;
        return kernel.standard(changed, option) != kernel.standard(each, option);
      });
    });
    if (decides) out.push_back(kernel.options[i].key);
  }
  return out;
}

// What an option is where the language leaves it out.
std::string standard_of(const kernels::Kernel& kernel, std::size_t at) {
  const kernels::Option& option = kernel.options[at];
  const kernels::Values values = kernels::language_values(kernel);
  const std::int64_t value = kernel.standard(values, at);
  if (value == 0 && !option.automatic.empty() && option.standard == 0)
    return tr("the kernel's own: {}", tr(option.automatic));
  const std::vector<std::string_view> others = deciding(kernel, at);
  if (others.empty()) return value_text(option, value);
  const std::string keys = fmt::format("{}", fmt::join(others, ", "));
  // Where the others, left out too, rule it out it has no value.
  if (!kernel.no_effect(values, at).empty()) return tr("follows from {}", keys);
  return tr("{}; follows from {}", value_text(option, value), keys);
}

Entry statement(const Form& form) {
  Entry entry{.kind = Kind::statement, .word = std::string(form.word), .syntax = program::syntax_of(form)};
  if (form.kernel != nullptr) {
    entry.also = {"kernel"};
    entry.sentence = tr("A kernel: {}.", tr(form.kernel->meaning));
    entry.calls = {"cudaLaunchKernel"};
    entry.example = example_of(*form.kernel, form.kernel->usage);
    for (const kernels::Option& option : form.kernel->options) entry.see.emplace_back(option.key);
    return entry;
  }
  if (const program::WordHelp* const help = program::help(form)) {
    entry.sentence = tr(help->sentence);
    if (!help->text.empty()) entry.text = tr(help->text);
    entry.calls = separated(help->calls);
    entry.example = help->example;
    entry.see = separated(help->see);
    entry.also = separated(help->also);
  }
  return entry;
}

// The value of the option behind its key, in place of the one that is there.
std::string with(std::string usage, const kernels::Option& option, std::string_view value) {
  const std::string key = fmt::format(" {}=", option.key);
  if (const std::size_t at = usage.find(key); at != std::string::npos)
    usage.erase(at, std::min(usage.find(' ', at + 1), usage.size()) - at);
  return usage + key + std::string(value);
}

// A program with the option in it. Where the others of the usage rule it out, with another choice among them
// (copy=warp-specialised for `producers`).
std::string example_with(const kernels::Kernel& kernel, const kernels::Option& option) {
  const std::string usage(kernel.usage);
  if (option.leading || usage.find(fmt::format(" {}=", option.key)) != std::string::npos)
    return example_of(kernel, usage);
  const bool flag = option.kind == kernels::OptionKind::flag;
  const std::string given = flag ? fmt::format("{} {}", usage, option.key) : with(usage, option, option.example);
  std::vector<std::string> tried = {given};
  for (const kernels::Option& other : kernel.options) {
    for (const std::string_view word : other.words) tried.push_back(with(given, other, word));
  }
  for (const std::string& each : tried) {
    std::string example = example_of(kernel, each);
    if (const auto read = program::read_program(example, ""); read && read->warnings.empty()) return example;
  }
  return {};
}

Entry option_entry(const Form& form, const kernels::Option& option) {
  Entry entry{.kind = Kind::statement_option, .word = std::string(option.key), .of = std::string(form.word)};
  entry.sentence = sentence(option);
  entry.range = range_of(option);
  if (option.kind != kernels::OptionKind::flag) {
    entry.syntax = option.leading ? fmt::format("{} {}", form.word, option.example)
                                  : fmt::format("{}={}", option.key, option.example);
    entry.standard = option.required || option.leading ? tr("must be given") : value_text(option, option.standard);
  }
  if (form.kernel != nullptr) {
    entry.unit = option.unit;
    const bool must = option.required || option.leading;
    if (!must && option.kind != kernels::OptionKind::flag) {
      entry.standard = standard_of(*form.kernel, static_cast<std::size_t>(&option - form.kernel->options.data()));
    }
    entry.example = example_with(*form.kernel, option);
    entry.see = {std::string(form.word), key_of(option)};
  } else {
    if (!option.automatic.empty()) entry.standard = tr(option.automatic);
    entry.example = program::help(form)->example;
    entry.see = {std::string(form.word)};
  }
  return entry;
}

}  // namespace

Entries language() {
  Entries out;
  for (const Form& form : program::grammar::forms()) out.push_back(statement(form));
  for (const Form& form : program::grammar::forms()) {
    const auto options = form.kernel != nullptr ? form.kernel->options : form.options;
    for (const kernels::Option& option : options) out.push_back(option_entry(form, option));
  }
  for (const program::NotionHelp& notion : program::notions()) {
    std::vector<std::string> words = separated(notion.words);
    Entry entry{.kind = Kind::notion,
                .word = words.front(),
                .also = {words.begin() + 1, words.end()},
                .sentence = std::string(tr(notion.help.sentence)),
                .syntax = std::string(notion.syntax),
                .calls = separated(notion.help.calls),
                .example = std::string(notion.help.example),
                .see = separated(notion.help.see)};
    if (!notion.help.text.empty()) entry.text = tr(notion.help.text);
    out.push_back(std::move(entry));
  }
  return out;
}

}  // namespace streamscope::help
