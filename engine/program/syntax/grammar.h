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
};

enum class OptionKind : std::uint8_t { flag, integer, bytes, duration, host_memory, location, tile_copy, float_type };

struct OptionForm {
  std::string_view key;
  OptionKind kind;
  bool required = false;
  std::string_view example;  // of the value
};

struct Form {
  syntax::Verb verb;
  Side side;
  std::string_view word;
  std::span<const ArgumentKind> arguments;
  std::span<const OptionForm> options;
  std::string_view usage;  // a line that is right, for messages
};

std::span<const Form> forms();
const Form* find(Side side, std::string_view word);
const Form& form(syntax::Verb verb);  // of any verb but none and repeat

// Values of `host=`, of `to=` and of `copy=`; those of the last in the order of TileCopy.
inline constexpr std::string_view kHostMemory[] = {"pinned", "pageable", "write-combined", "mapped", "managed"};
inline constexpr std::string_view kLocation[] = {"device", "host"};
inline constexpr std::string_view kTileCopy[] = {"sync",    "cp.async", "primitives",       "cg",
                                                 "barrier", "pipeline", "warp-specialised", "bulk"};
inline constexpr std::string_view kFloatType[] = {"fp32", "bf16"};  // of `type=`

// Names that cannot be declared: they mean something else, or would read as a statement.
bool reserved(std::string_view name);

}  // namespace streamscope::program::grammar
