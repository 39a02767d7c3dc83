// Reads one value of an experiment, or says what is wrong with it and what to write instead.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace streamscope::experiment::keys {

// A value as it was given, in a file or by --set.
struct NoValue {          // what no key takes
  std::string_view what;  // "an array of other things than text", "a table"
};
using Texts = std::vector<std::string>;
using Value = std::variant<NoValue, bool, std::int64_t, double, std::string, Texts>;

struct Given {
  std::string key;  // dotted: "kernel.fma"
  Value value;
  std::string raw;       // of --set: the text as typed, for keys that hold text
  std::string location;  // "file:3:9" or "--set kernel.fma"
};

// What is wrong with a value; none where it was read.
using Problem = std::optional<std::string>;

std::string as_written(const Given& given);  // "\"8\"", "8"
std::string expected(const Given& given, std::string_view what);

Problem read_text(const Given& given, std::string& out);
Problem read_texts(const Given& given, Texts& out);  // none of them blank
Problem read_truth(const Given& given, bool& out);
Problem read_count(const Given& given, std::uint64_t least, std::uint64_t most, std::uint64_t& out);
Problem read_size(const Given& given, std::uint64_t& out);

// The index of the word that was given.
Problem choose_word(const Given& given, std::span<const std::string_view> words, std::size_t& out);

}  // namespace streamscope::experiment::keys
