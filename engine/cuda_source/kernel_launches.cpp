// Launches of kernels, and the kernels that they need.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/cuda_source/statements.h"
#include "kernels/own/own.h"

namespace streamscope::cuda_source {
namespace {

using program::syntax::Number;
using program::syntax::Range;
using program::syntax::Word;

std::string identifier(std::string_view word) {
  std::string name(word);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace

std::size_t Statements::function_of(const kernels::Choice& choice) {
  const kernels::CudaCode code = choice.kernel->cuda_code(choice.values, "");
  const auto [at, first] = kernel_of_code_.emplace(code.definition, kernels_.size());
  if (!first) return at->second;
  const std::string function = names_.unused(identifier(choice.kernel->word));
  for (const std::string_view header : code.headers) headers_.insert(header);
  for (const std::string& helper : code.helpers) {
    if (std::find(helpers_.begin(), helpers_.end(), helper) == helpers_.end()) helpers_.push_back(helper);
  }
  architecture_ = std::max(architecture_, code.architecture);
  kernels_.push_back({function, choice.kernel->cuda_code(choice.values, function).definition});
  return at->second;
}

void Statements::launch_kernel(const Statement& statement, const std::string& comment) {
  const kernels::Kernel& kernel = *statement.kernel;
  kernels::Choice choice{&kernel, kernels::language_values(kernel)};
  kernels::CudaOperands on;
  on.values.resize(kernel.options.size());
  const bool two = kernel.operands != kernels::Operands::none && statement.arguments.size() > 1;
  if (kernel.operands == kernels::Operands::either) choice.values[kernels::kTwoRanges] = two ? 1 : 0;
  std::size_t argument = statement.arguments.size() - kernels::leading_options(kernel);
  std::vector<bool> given(kernel.options.size(), false);
  for (std::size_t i = 0; i < kernel.options.size(); ++i) {
    const kernels::Option& one = kernel.options[i];
    const auto* const written = one.leading ? nullptr : option(statement, one.key);
    given[i] = one.leading || written != nullptr;
    if (!given[i]) continue;
    if (one.kind == kernels::OptionKind::flag) {
      choice.values[i] = 1;
    } else if (one.kind == kernels::OptionKind::choice) {
      const auto at = std::find(one.words.begin(), one.words.end(), std::get<Word>(*written->value).text);
      choice.values[i] = at - one.words.begin();
    } else {
      const auto& number = std::get<Number>(one.leading ? statement.arguments[argument++] : *written->value);
      on.values[i] = cpp(number, variables_);
      choice.values[i] = variables_.value(number).value_or(std::max<std::int64_t>(1, one.least));
    }
  }
  for (std::size_t i = 0; i < kernel.options.size(); ++i) {
    if (!given[i]) choice.values[i] = kernel.standard(choice.values, i);
    if (on.values[i].empty()) on.values[i] = fmt::format("{}", choice.values[i]);
  }
  if (kernel.operands != kernels::Operands::none) {
    const RangeText first = range(std::get<Range>(statement.arguments[0]));
    on.first = first.device;
    on.bytes = first.bytes;
  }
  if (two) {
    const RangeText second = range(std::get<Range>(statement.arguments[2]));
    on.second = second.device;
    on.bytes = second.bytes;
  }
  LaunchedKernel& launched = kernels_[function_of(choice)];
  const kernels::CudaLaunch launch = kernel.cuda_launch(choice.values, on);
  const kernels::Shape shape = kernel.shape(choice.values, 1 << 20, 1);
  launched.shared_bytes = std::max(launched.shared_bytes, launch.shared_bytes);
  launched.alone = shape.alone;
  const std::string shared = shape.alone ? "memory_of_block" : fmt::format("{}", launch.shared_bytes);
  const std::string stream = this->stream(*statement.stream);
  if (fails_) {
    needs(kLaunch);
    return check(fmt::format("launch({}, {}, {}, {}, {}, {})", launched.function, launch.blocks, shape.threads, shared,
                             stream, launch.arguments),
                 statement, comment);
  }
  add(fmt::format("{}<<<{}, {}, {}, {}>>>({});", launched.function, launch.blocks, shape.threads, shared, stream,
                  launch.arguments),
      statement, comment);
  check("cudaGetLastError()", statement, {});
}

// Its file is included, so that it needs no definition here.
void Statements::launch_own(const Statement& statement, const std::string& comment) {
  const std::string& name = std::get<program::syntax::Name>(statement.arguments[0]).text;
  const auto declared =
      std::ranges::find(program_.own_kernels, name, [](const auto& one) -> const std::string& { return one->name; });
  const kernels::OwnKernel& kernel = **declared;
  const kernels::Kernel& any = kernels::any_own_kernel();
  kernels::Values values = kernels::language_values(any);
  std::vector<std::string> texts(any.options.size());
  for (std::size_t i = 0; i < any.options.size(); ++i) {
    const auto* const written = option(statement, any.options[i].key);
    texts[i] = written != nullptr ? cpp(std::get<Number>(*written->value), variables_) : fmt::format("{}", values[i]);
    if (written != nullptr) values[i] = variables_.value(std::get<Number>(*written->value)).value_or(values[i]);
  }
  std::string arguments;
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    const program::syntax::Argument& given = statement.arguments[i + 1];
    const auto* const range_given = std::get_if<Range>(&given);
    const auto* const number_given = std::get_if<Number>(&given);
    const std::string text =
        range_given    ? fmt::format("reinterpret_cast<{}>({})", kernel.parameters[i].type, range(*range_given).device)
        : number_given ? cpp(*number_given, variables_)
                       : std::get<Word>(given).text;
    const bool narrow = kernel.parameters[i].type == "float" && range_given == nullptr;
    arguments += (i > 0 ? ", " : "") + (narrow ? fmt::format("static_cast<float>({})", text) : text);
  }
  const std::size_t of = any.find("smem");
  if (values[of] > 0)  // its own __shared__ variables count as well, and nobody knows them here
    check(fmt::format("cudaFuncSetAttribute(::{}, cudaFuncAttributeMaxDynamicSharedMemorySize, {})", name, texts[of]),
          statement, {});
  add(fmt::format("::{}<<<{}, {}, {}, {}>>>({});", name, texts[any.find("blocks")], texts[any.find("threads")],
                  texts[of], stream(*statement.stream), arguments),
      statement, comment);
  check("cudaGetLastError()", statement, {});
}

bool Statements::has_alone() const {
  return std::any_of(kernels_.begin(), kernels_.end(), [](const LaunchedKernel& one) { return one.alone; });
}

}  // namespace streamscope::cuda_source
