// How a lesson names operations of a run's program: by a tag in a comment, "@copy[2]", or by stream and kind,
// "S0.h2d[0]".
//
// A tag is a word with an @ that ends the comment of a line: "A: h2d x  # first chunk @copy". It names all operations
// of that line, in the order of issue; an index, from 0, one of them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/program/program.h"

namespace streamscope::lesson {

struct OperationName {
  std::string text;          // as written
  std::string place;         // "lesson.toml:12:9", for messages
  std::string tag;           // empty: by stream and kind
  std::string stream, what;  // a stream's name, or "host"; a kind as files write it, or a label: "h2d", "axpb"
  std::optional<std::uint32_t> index{};
};
// Error: the place, and how one is written.
Result<OperationName> parse_operation_name(std::string_view text, std::string place);

// The lines of each tag, rising.
using Tags = std::map<std::string, std::vector<std::uint32_t>, std::less<>>;
Tags tags_of(std::string_view program);

// With an index one, without all of that name. Error: there is none; with what there is.
Result<std::vector<OperationIndex>> operations(const program::Program& in, const Tags& tags, const OperationName& name);
// Of a name without an index the first.
Result<OperationIndex> operation(const program::Program& in, const Tags& tags, const OperationName& name);
// The lines of the program: of a tag its own, which need not hold operations.
Result<std::vector<std::uint32_t>> lines(const program::Program& in, const Tags& tags, const OperationName& name);

}  // namespace streamscope::lesson
