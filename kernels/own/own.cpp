#include "kernels/own/own.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "engine/base/translate.h"
#include "kernels/option_values.h"
#include "kernels/own/wrap.h"
#include "kernels/textbook.h"

namespace streamscope::kernels {
namespace {

constexpr Nanoseconds kLongestOwn = 600'000'000'000;

constexpr std::array<Option, 5> kOwnOptions{{
    {.key = "blocks",
     .least = 1,
     .most = kMostBlocks,
     .standard = 1,
     .example = "264",
     .meaning = tr_later("in the grid"),
     .help = tr_later("Blocks in the grid, which has one dimension."),
     .always = true},
    threads_option(256),
    shared_memory_option(tr_later("Dynamic shared memory of each block: `extern __shared__`.")),
    {.key = "time",
     .kind = OptionKind::duration,
     .least = 0,
     .most = kLongestOwn,
     .example = "50us",
     .meaning = tr_later("what a launch takes on a model, as it was measured"),
     .help = tr_later("How long a launch takes, as a GPU measured it. Only models use it: they do not run the code."),
     .automatic = tr_later("as long as moving its ranges once")},
    {.key = "registers",
     .least = 1,
     .most = 255,
     .standard = 32,
     .example = "40",
     .meaning = tr_later("of a thread on a model, as it was compiled"),
     .help = tr_later("Registers of a thread. Only models use it, for how many blocks fit on a multiprocessor.")},
}};
enum : std::size_t { kBlocks, kThreads, kShared, kTime, kRegistersOf };

struct ScalarType {
  std::string_view words;
  std::uint32_t bytes;
  bool real;
};
constexpr ScalarType kScalars[] = {
    {"int", 4, false},
    {"unsigned", 4, false},
    {"unsigned int", 4, false},
    {"long long", 8, false},
    {"unsigned long long", 8, false},
    {"size_t", 8, false},
    {"float", 4, true},
    {"double", 8, true},
};
constexpr ScalarType kElements[] = {
    {"char", 1, false},    {"unsigned char", 1, false}, {"short", 2, false}, {"unsigned short", 2, false},
    {"__half", 2, false},  {"__nv_bfloat16", 2, false}, {"half", 2, false},  {"float2", 8, false},
    {"float4", 16, false}, {"int4", 16, false},
};

template <class Types>
const ScalarType* among(const Types& types, std::string_view words) {
  const auto at = std::find_if(std::begin(types), std::end(types), [&](const auto& one) { return one.words == words; });
  return at == std::end(types) ? nullptr : &*at;
}

bool in_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == ':';
}

// Words and stars; empty after anything else.
std::vector<std::string> tokens_of(std::string_view text) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == ' ' || text[i] == '\t') {
      ++i;
    } else if (text[i] == '*') {
      all.emplace_back("*");
      ++i;
    } else if (in_word(text[i])) {
      const std::size_t from = i;
      while (i < text.size() && in_word(text[i])) ++i;
      all.emplace_back(text.substr(from, i - from));
    } else {
      return {};
    }
  }
  return all;
}

std::string some(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, " ")); }

Result<Parameter> parameter_of(std::string_view text) {
  const auto wrong = [&](std::string_view why) { return fail(ErrorKind::bad_input, tr("'{}': {}", text, why)); };
  std::vector<std::string> tokens = tokens_of(text);
  if (tokens.size() < 2 || tokens.back() == "*" || (tokens.back()[0] >= '0' && tokens.back()[0] <= '9') ||
      tokens.back().find(':') != std::string::npos)
    return wrong(tr("a parameter is a type and a name, such as `const float* x` or `int n`"));
  Parameter one{.type = {}, .name = std::move(tokens.back())};
  tokens.pop_back();
  const auto star = std::find(tokens.begin(), tokens.end(), "*");
  if (star == tokens.end()) {
    const ScalarType* const type = among(kScalars, some(tokens));
    if (type == nullptr)
      return wrong(tr("a number is int, unsigned, long long, unsigned long long, size_t, float or double"));
    one.type = type->words;
    one.bytes = type->bytes;
    one.kind = type->real ? Parameter::Kind::real_number : Parameter::Kind::whole_number;
    return one;
  }
  if (star + 1 != tokens.end() || star == tokens.begin())
    return wrong(tr("a pointer is to one type and has nothing behind its star but a name, as in `const float* x`"));
  tokens.pop_back();
  const auto constant = std::find(tokens.begin(), tokens.end(), "const");
  one.kind = constant != tokens.end() ? Parameter::Kind::reads : Parameter::Kind::writes;
  if (constant != tokens.end()) tokens.erase(constant);
  if (tokens.empty()) return wrong(tr("the type that it points to is missing, as in `const float* x`"));
  const std::string element = some(tokens);
  if (const ScalarType* type = among(kScalars, element)) one.bytes = type->bytes;
  if (const ScalarType* type = among(kElements, element)) one.bytes = type->bytes;
  one.type = (one.kind == Parameter::Kind::reads ? "const " : "") + element + "*";
  return one;
}

}  // namespace

Result<std::vector<Parameter>> parameters_of(std::string_view text) {
  std::vector<Parameter> all;
  text.remove_prefix(std::min<std::size_t>(1, text.size()));
  text.remove_suffix(std::min<std::size_t>(1, text.size()));
  const auto trimmed = [](std::string_view part) {
    while (!part.empty() && part.front() == ' ') part.remove_prefix(1);
    while (!part.empty() && part.back() == ' ') part.remove_suffix(1);
    return part;
  };
  if (trimmed(text).empty()) return all;
  for (bool last = false; !last;) {
    const std::size_t comma = text.find(',');
    last = comma == std::string_view::npos;
    auto one = TRY(parameter_of(trimmed(text.substr(0, comma))));
    if (std::ranges::find(all, one.name, &Parameter::name) != all.end())
      return fail(ErrorKind::bad_input, tr("two parameters are named '{}'; choose another name", one.name));
    all.push_back(std::move(one));
    if (!last) text.remove_prefix(comma + 1);
  }
  if (all.size() > kMostParameters)
    return fail(ErrorKind::bad_input,
                tr("a kernel of your own has {} parameters at most, found {}", kMostParameters, all.size()));
  return all;
}

OwnKernel::OwnKernel(std::string of_name, std::string of_file, std::vector<Parameter> of, bool is_stamped,
                     std::string of_gpu)
    : name(std::move(of_name)),
      file(std::move(of_file)),
      parameters(std::move(of)),
      stamped(is_stamped),
      measured_on(std::move(of_gpu)) {
  word = name;
  meaning = tr_later("code of the program's own");
  options = kOwnOptions;
}

Values lasting(Values values, Nanoseconds time, std::uint32_t registers) {
  values[kTime] = time;
  if (registers > 0) values[kRegistersOf] = registers;
  return values;
}

Shape OwnKernel::shape(const Values& values, std::uint64_t bytes, std::uint32_t) const {
  return {.blocks = static_cast<std::uint64_t>(values[kBlocks]),
          .threads = static_cast<std::uint32_t>(values[kThreads]),
          .shared_bytes = static_cast<std::uint64_t>(values[kShared]),
          .registers = static_cast<std::uint32_t>(values[kRegistersOf]),
          .duration = values[kTime],
          .bytes = bytes};
}

bool OwnKernel::stamps(const Values& values) const {
  constexpr std::int64_t kWideBlock = 512;  // threads
  return stamped && !(values[kBlocks] >= std::int64_t{kManyBlocks} && values[kThreads] >= kWideBlock);
}

Kernel::AtLeast OwnKernel::at_least(const Values& values, std::uint64_t, std::uint32_t, double) const {
  return {static_cast<double>(values[kTime]), tr("as its launch says")};
}

// Its file is included, and the launch has arguments of its own: engine/cuda_source writes both.
CudaCode OwnKernel::cuda_code(const Values&, std::string_view) const { return {}; }
CudaLaunch OwnKernel::cuda_launch(const Values& values, const CudaOperands&) const {
  return {fmt::format("{}", values[kBlocks]), {}, static_cast<std::uint64_t>(values[kShared])};
}

const OwnKernel& any_own_kernel() {
  static const OwnKernel kAny("", "", {}, true);
  return kAny;
}

}  // namespace streamscope::kernels
