// The statements of the language as one table: parser, printer and suggestions all read it.
#pragma once

#include <span>
#include <string_view>

#include "engine/program/syntax/tree.h"

namespace streamscope::program::grammar {

// Where a statement may stand: by itself, after `A:`, after `host:`; block: by itself, and it opens one.
enum class Side : std::uint8_t { declaration, stream, host, block };

enum class ArgumentKind : std::uint8_t {
  new_name,   // a name that is declared here
  name,       // a name declared elsewhere
  range,      // x or x[OFF:LEN]
  direction,  // h2d or d2h
  bytes,
  duration,
  integer,
  from,           // the word `from`
  to,             // the word `to`
  on,             // the word `on`
  times,          // how often
  which_default,  // legacy or per-thread
  side,           // a range and the device whose side it is on: x[OFF:LEN]@1
  on_off,         // on or off
  how_it_fails,   // illegal-address ...
  file,           // "mine.cu", a Word with its quotes
  parameters,     // (float* y, int n), a Word with its brackets
  given,          // ranges and numbers, any number of them; a Word for one with a decimal point
};

// What is written behind `key=`, or for an option without a key.
constexpr ArgumentKind argument_kind(kernels::OptionKind kind) {
  return kind == kernels::OptionKind::duration ? ArgumentKind::duration
         : kind == kernels::OptionKind::bytes  ? ArgumentKind::bytes
                                               : ArgumentKind::integer;
}

struct Form {
  syntax::Verb verb;
  Side side;
  std::string_view word;
  std::span<const ArgumentKind> arguments;
  std::span<const kernels::Option> options;
  std::string_view usage;                   // a line that is right, for messages
  const kernels::Kernel* kernel = nullptr;  // of Verb::kernel
  std::size_t optional = 0;                 // so many of the last arguments may be left out, all of them or none
};

// Those of the kernels are made from what they say of their options and operands.
std::span<const Form> forms();
const Form* find(Side side, std::string_view word);
const Form& form(const syntax::Statement& statement);  // of any verb but none

// Values of `to=`.
inline constexpr std::string_view kLocation[] = {"device", "host"};
// What `default-stream` takes, as nvcc's option of that name does.
inline constexpr std::string_view kDefaultStreams[] = {"legacy", "per-thread"};

inline constexpr std::string_view kOnOff[] = {"on", "off"};

// Names that cannot be declared: they mean something else, or would read as a statement.
bool reserved(std::string_view name);

}  // namespace streamscope::program::grammar
