// Kernels: their options and operands, checked by what each kernel says of them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <limits>

#include "engine/base/translate.h"
#include "engine/program/check/operation_builder.h"
#include "engine/program/syntax/characters.h"

namespace streamscope::program {

bool OperationBuilder::wrong_option(std::string_view key, const std::string& message) {
  const syntax::Option* option = find_option(statement_, key);
  expansion_.diagnostics.error(option != nullptr ? option->location : statement_.location,
                               message + expansion_.scope.values());
  return false;
}

std::optional<std::int64_t> OperationBuilder::value_of(const kernels::Option& option, const syntax::Argument& text) {
  if (option.kind == kernels::OptionKind::choice) {
    const auto at = std::find(option.words.begin(), option.words.end(), std::get<syntax::Word>(text).text);
    return at - option.words.begin();
  }
  if (option.leading && option.kind == kernels::OptionKind::duration) return lasts(std::get<syntax::Number>(text));
  const auto value = within(expansion_, std::get<syntax::Number>(text),
                            fmt::format("'{}' ({})", option.key, tr(option.meaning)), option.least, option.most);
  if (value && !option.few.empty() && std::find(option.few.begin(), option.few.end(), *value) == option.few.end()) {
    wrong_option(option.key, tr("'{}' ({}) is one of {}, not {}", option.key, tr(option.meaning),
                                fmt::join(option.few, ", "), *value));
    return std::nullopt;
  }
  return value;
}

// All of them, those that are left out too; nothing after an error.
std::optional<kernels::Values> OperationBuilder::options(const kernels::Kernel& kernel) {
  kernels::Values values = kernels::language_values(kernel);
  bool good = true;
  std::size_t argument = statement_.arguments.size() - leading_options(kernel);
  std::array<const syntax::Option*, kernels::kMostOptions> texts{};  // looked up once: null where left out
  for (std::size_t i = 0; i < kernel.options.size() && !statement_.options.empty(); ++i) {
    if (!kernel.options[i].leading) texts[i] = find_option(statement_, kernel.options[i].key);
  }
  for (std::size_t i = 0; i < kernel.options.size(); ++i) {
    const kernels::Option& option = kernel.options[i];
    std::optional<std::int64_t> value = values[i];
    if (option.leading) {
      value = value_of(option, statement_.arguments[argument++]);
    } else if (texts[i] != nullptr) {
      value = option.kind == kernels::OptionKind::flag ? 1 : value_of(option, *texts[i]->value);
    }
    good &= value.has_value();
    if (value) values[i] = *value;
  }
  if (!good) return std::nullopt;
  for (std::size_t i = 0; i < kernel.options.size(); ++i) {
    if (!kernel.options[i].leading && texts[i] == nullptr) values[i] = kernel.standard(values, i);
  }
  if (const auto problem = kernel.check(values)) {
    wrong_option(kernel.options[problem->option].key, problem->message);
    return std::nullopt;
  }
  for (std::size_t i = 0; i < kernel.options.size(); ++i) {
    if (texts[i] == nullptr || values[i] == kernel.standard(values, i)) continue;
    const std::string_view key = kernel.options[i].key;
    const std::string why = kernel.no_effect(values, i);
    if (why.empty()) continue;
    wrong_option(key, why.find(';') == std::string::npos
                          ? tr("'{}' does nothing here: {}; leave '{}' out", key, why, key)
                          : tr("'{}' does nothing here: {}, or leave '{}' out", key, why, key));
    return std::nullopt;
  }
  return values;
}

bool OperationBuilder::fits(const kernels::Granularity& unit, const syntax::Range& text, const Range& range) {
  const auto near = [](std::uint64_t found, std::uint64_t of, std::uint64_t least) {
    const std::uint64_t less = found / of * of;
    return less < least ? fmt::format("{}", less + of) : tr("{} or {}", less, less + of);
  };
  if (range.offset % unit.offset != 0) {
    return deny(text.buffer, tr("{}: the offset must be a multiple of {} bytes, found {}; write {}{}", unit.why,
                                unit.offset, range.offset, near(range.offset, unit.offset, 0), unit.instead));
  }
  if (range.bytes % unit.length != 0) {
    return deny(text.buffer, tr("{}: the length must be a multiple of {} bytes, found {}; write {}{}", unit.why,
                                unit.length, range.bytes, near(range.bytes, unit.length, unit.length), unit.instead));
  }
  if (range.bytes <= unit.most) return true;
  return deny(text.buffer, tr("{}: the length is {} bytes at most, found {}; write {}", unit.why, unit.most,
                              range.bytes, unit.most));
}

OperationBuilder::Built OperationBuilder::kernel() {
  const kernels::Kernel& kernel = *statement_.kernel;
  const bool two = kernel.operands != kernels::Operands::none && statement_.arguments.size() > 1;
  op::Kernel built;
  std::optional<Range> first, second;
  if (kernel.operands != kernels::Operands::none) first = range(range_text(0), Side::device);
  if (two) second = range(range_text(2), Side::device);
  auto values = options(kernel);
  if (!values || (kernel.operands != kernels::Operands::none && !first) || (two && !second)) return std::nullopt;
  if (kernel.operands == kernels::Operands::either) (*values)[kernels::kTwoRanges] = two ? 1 : 0;
  if (first) built.range = *first;
  if (second) built.from = *second;
  if (kernel.operands != kernels::Operands::none) {
    if (!fits(kernel.granularity(*values), range_text(two ? 2 : 0), data_of(built))) return std::nullopt;
  }
  if (two) {
    const std::uint64_t wanted = kernel.result_bytes(*values, second->bytes);
    if (first->bytes != wanted)
      return refuse(range_text(0).buffer,
                    tr("{} writes {} bytes here, found a range of {}; write {}[{}:{}]", kernel.word, wanted,
                       first->bytes, expansion_.program.buffers[first->buffer.value].name, first->offset, wanted));
    if (first->offset % 4 != 0)
      return refuse(range_text(0).buffer, tr("{}: the offset must be a multiple of 4 bytes, found {}; write {}",
                                             kernel.word, first->offset, first->offset / 4 * 4));
    if (!apart(range_text(2).buffer, *first, *second,
               kernel.operands == kernels::Operands::either
                   ? tr("{} works in place where it has one range", kernel.word)
                   : tr("some blocks of {} would read what others have written", kernel.word))) {
      return std::nullopt;
    }
  }
  if (const std::string why = kernel.wrong_on_purpose(*values); !why.empty())
    expansion_.diagnostics.warning(statement_.location, tr("wrong on purpose: {}", why));
  built.kernel = expansion_.kernel({&kernel, *values});
  return built;
}

std::optional<LaunchArgument> OperationBuilder::given(std::size_t argument, const kernels::Parameter& parameter) {
  using Kind = kernels::Parameter::Kind;
  const syntax::Argument& text = statement_.arguments[argument];
  const auto wrong = [&](SourceLocation at, std::string message) {
    expansion_.diagnostics.error(at, std::move(message) + expansion_.scope.values());
    return std::nullopt;
  };
  const auto* const range_given = std::get_if<syntax::Range>(&text);
  const auto* const number_given = std::get_if<syntax::Number>(&text);
  const auto* const real_given = std::get_if<syntax::Word>(&text);
  const SourceLocation at = range_given    ? range_given->buffer.location
                            : number_given ? number_given->location
                                           : real_given->location;
  const std::string declared = parameter.type + ' ' + parameter.name;
  if (kernels::is_pointer(parameter.kind)) {
    if (range_given == nullptr)
      return wrong(at, tr("'{}' takes a range, such as x[0:16MiB], found a number", declared));
    const auto bytes = range(*range_given, Side::device);
    if (!bytes) return std::nullopt;
    if (bytes->offset % parameter.bytes != 0)
      return wrong(at, tr("'{}': the offset must be a multiple of {} bytes, found {}; write {}", declared,
                          parameter.bytes, bytes->offset, bytes->offset / parameter.bytes * parameter.bytes));
    return LaunchArgument{.range = *bytes};
  }
  if (range_given != nullptr) return wrong(at, tr("'{}' takes a number, found a range", declared));
  if (parameter.kind == Kind::real_number) {
    double value = 0;
    if (number_given != nullptr) {
      const auto whole = expansion_.scope.value(*number_given);
      if (!whole) return std::nullopt;
      value = static_cast<double>(*whole);
    } else {
      const char* const end = real_given->text.data() + real_given->text.size();
      if (const auto [stop, problem] = std::from_chars(real_given->text.data(), end, value);
          stop != end || problem != std::errc{})
        return wrong(at, tr("'{}' is no number; write for example 2.5", printable(real_given->text)));
    }
    if (parameter.bytes == 8) return LaunchArgument{.bits = std::bit_cast<std::uint64_t>(value)};
    return LaunchArgument{.bits = std::bit_cast<std::uint32_t>(static_cast<float>(value))};
  }
  if (number_given == nullptr)
    return wrong(at, tr("'{}' takes a whole number, found '{}'", declared, printable(real_given->text)));
  const bool is_signed = parameter.type == "int" || parameter.type == "long long";
  const std::int64_t most = parameter.bytes == 8 ? std::numeric_limits<std::int64_t>::max()
                            : is_signed          ? std::numeric_limits<std::int32_t>::max()
                                                 : std::numeric_limits<std::uint32_t>::max();
  const auto value = within(expansion_, *number_given, fmt::format("'{}'", declared), is_signed ? -most - 1 : 0, most);
  if (!value) return std::nullopt;
  const auto bits = static_cast<std::uint64_t>(*value);
  return LaunchArgument{.bits = parameter.bytes == 8 ? bits : bits & 0xFFFF'FFFF};
}

OperationBuilder::Built OperationBuilder::own() {
  const Symbol* const symbol = use(name(0), SymbolKind::kernel);
  auto values = options(kernels::any_own_kernel());
  if (symbol == nullptr) return std::nullopt;
  const kernels::OwnKernel& kernel = *expansion_.program.own_kernels[symbol->id];
  const std::size_t wanted = kernel.parameters.size(), found = statement_.arguments.size() - 1;
  if (found != wanted) {
    std::string all;
    for (const kernels::Parameter& one : kernel.parameters)
      all += (all.empty() ? "" : ", ") + one.type + ' ' + one.name;
    return refuse(name(0), tr("'{}' of line {} has {} parameters ({}), found {} for them; write a range for each "
                              "pointer and a number for each other, in their order",
                              kernel.name, symbol->location.line, wanted, all, found));
  }
  LaunchArguments arguments;
  op::Kernel built;
  bool writes = false;
  for (std::size_t i = 0; i < wanted; ++i) {
    const auto one = given(i + 1, kernel.parameters[i]);
    if (!one) return std::nullopt;
    const bool first_written = !writes && kernel.parameters[i].kind == kernels::Parameter::Kind::writes;
    if (first_written || built.range.bytes == 0) built.range = one->range;
    writes = writes || first_written;
    arguments.push_back(*one);
  }
  if (!values) return std::nullopt;
  built.kernel = expansion_.kernel({&kernel, *values});
  built.arguments = static_cast<std::uint32_t>(expansion_.program.arguments.size());
  expansion_.program.arguments.push_back(std::move(arguments));
  return built;
}

}  // namespace streamscope::program
