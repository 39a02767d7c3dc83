// What must hold of texts, right and nearly right.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/program/read_program.h"
#include "engine/program/syntax/grammar.h"
#include "engine/program/syntax/parse.h"
#include "engine/program/syntax/print.h"
#include "tests/generated/property.h"

namespace streamscope::generated {
namespace {

// Words, numbers, signs and white space: together the text.
std::vector<std::string> tokens(std::string_view text) {
  const auto is_word = [](char one) {
    return std::isalnum(static_cast<unsigned char>(one)) != 0 || one == '_' || one == '-' || one == '.';
  };
  std::vector<std::string> all;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    while (is_word(text[at]) && end < text.size() && is_word(text[end])) ++end;
    all.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return all;
}

std::string other_number(Random& random) {
  constexpr std::string_view kNumbers[] = {"0",
                                           "1",
                                           "-1",
                                           "4096",
                                           "99999999999999999999",
                                           "9223372036854775807",
                                           "2147483648",
                                           "1.5",
                                           "0x10",
                                           "1e9",
                                           "us",
                                           "600s",
                                           "601s",
                                           "GiB",
                                           "{1/0}",
                                           "{9223372036854775807+1}",
                                           "{i}",
                                           "{",
                                           "3MiBx",
                                           "0.3KiB"};
  return std::string(random.one_of(kNumbers));
}

std::string other_word(Random& random, const std::vector<std::string>& all) {
  if (random.once_in(2)) return random.one_of(all);
  const auto& form = random.one_of(program::grammar::forms());
  if (!form.options.empty() && random.once_in(2)) return std::string(random.one_of(form.options).key);
  return std::string(form.word);
}

std::string spoilt(std::string_view text, Random& random) {
  std::vector<std::string> all = tokens(text);
  for (std::int64_t changes = random.doubling(1, 4); changes > 0 && !all.empty(); --changes) {
    const auto at = static_cast<std::size_t>(random.below(all.size()));
    const auto here = all.begin() + static_cast<std::ptrdiff_t>(at);
    switch (random.below(8)) {
      case 0: all.erase(here); break;
      case 1: all.insert(here, all[at]); break;
      case 2: std::swap(all[at], all[static_cast<std::size_t>(random.below(all.size()))]); break;
      case 3: all[at] = other_number(random); break;
      case 4: all[at] = other_word(random, all); break;
      case 5: all[at] = random.once_in(2) ? "\n" : std::string(1, static_cast<char>(random.below(256))); break;
      case 6: all[at] += "\xC3\xA4"; break;
      default: {  // a line
        auto begin = here, end = here;
        while (begin != all.begin() && *std::prev(begin) != "\n") --begin;
        end = std::find(here, all.end(), "\n");
        all.erase(begin, end);
      }
    }
  }
  std::string out;
  for (const std::string& each : all) out += each;
  return out;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

// A right program with lines more that make it wrong.
struct Wrong {
  std::vector<std::string> lines;
  std::size_t line = 0;  // the one that must be refused, from 1
  void insert(std::size_t before, std::string text) {
    lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(before), std::move(text));
    line = before + 1;
  }
};

// A range of one byte more than the buffer has behind its offset.
Wrong range_too_long(Wrong program, Random& random) {
  const std::int64_t bytes = random.doubling(1, 1 << 20), offset = random.between(0, bytes - 1);
  program.insert(program.lines.size(), fmt::format("buffer zz_b {}", bytes));
  program.insert(program.lines.size(), "stream zz_s");
  program.insert(program.lines.size(), fmt::format("zz_s: memset zz_b[{}:{}] 0", offset, bytes - offset + 1));
  return program;
}

// A stream that forks from a graph's and does not join it. Nothing: there is no graph.
std::optional<Wrong> graph_not_joined(Wrong program, Random& random) {
  std::vector<std::size_t> graphs;
  for (std::size_t i = 0; i < program.lines.size(); ++i) {
    if (program.lines[i].starts_with("graph ")) graphs.push_back(i);
  }
  if (graphs.empty()) return std::nullopt;
  const std::size_t graph = random.one_of(graphs);
  const std::string& head = program.lines[graph];
  const std::size_t on = head.find(" on ");
  if (on == std::string::npos) return std::nullopt;
  const std::string origin = head.substr(on + 4, head.find(' ', on + 4) - on - 4);
  const auto end = std::ranges::find_if(program.lines.begin() + static_cast<std::ptrdiff_t>(graph), program.lines.end(),
                                        [](const std::string& line) { return line.starts_with('}'); });
  auto at = static_cast<std::size_t>(end - program.lines.begin());
  // Of the origin's device, which its declaration says; a default stream is of the first.
  std::string device;
  for (const std::string& line : program.lines) {
    const bool declares = line.starts_with("stream " + origin + " ") ||
                          line.starts_with("streams " + origin.substr(0, origin.size() - 1) + " ");
    const std::size_t says = line.find(" device=");
    if (declares && says != std::string::npos) device = line.substr(says, line.find(' ', says + 1) - says);
  }
  program.insert(graph, "stream zz_s" + device);
  program.insert(++at, fmt::format("  {}: record zz_e", origin));
  program.insert(++at, "  zz_s: wait zz_e");
  program.insert(++at, "  zz_s: spin 0us");
  return program;
}

std::size_t characters(std::string_view line) {
  return static_cast<std::size_t>(
      std::ranges::count_if(line, [](char one) { return (static_cast<unsigned char>(one) & 0xC0) != 0x80; }));
}

}  // namespace

std::string reads_back(std::string_view text) {
  const std::string once = program::print(program::parse(text).syntax);
  const std::string twice = program::print(program::parse(once).syntax);
  if (once != twice) return fmt::format("printed again it is another text:\n{}", twice);
  return same_program(text, once, "as it is printed");
}

std::string is_refused(std::string_view text, std::uint64_t seed) {
  Random random(seed);
  const Wrong right{lines_of(text)};
  auto wrong = random.once_in(2) ? graph_not_joined(right, random) : std::nullopt;
  if (!wrong) wrong = range_too_long(right, random);
  const std::string changed = fmt::format("{}\n", fmt::join(wrong->lines, "\n"));
  const auto read = program::read_program(changed, "file");
  if (read) return fmt::format("line {} is not refused:\n{}", wrong->line, changed);
  if (read.error().message.starts_with(fmt::format("file:{}:", wrong->line))) return {};
  return fmt::format("line {} is to be refused, but: {}\n{}", wrong->line, read.error().message, changed);
}

std::string is_refused_rightly(std::string_view text, std::uint64_t seed, Tally& tally) {
  Random random(seed);
  const std::string wrong = spoilt(text, random);
  ++tally.nearly_right;
  const std::vector<std::string> lines = lines_of(wrong);
  const auto read = program::read_program(wrong, "file");
  if (read) {
    const std::string what = what_is_wrong_in(read->program);
    return what.empty() ? reads_back(wrong) : what + "\n" + wrong;
  }
  ++tally.errors;
  if (read.error().kind != ErrorKind::bad_input)
    return "another error than a bad text: " + read.error().message + "\n" + wrong;
  std::string_view messages = read.error().message;
  bool any_error = false;
  while (!messages.empty()) {
    const std::size_t end = std::min(messages.find('\n'), messages.size());
    const std::string_view message = messages.substr(0, end);
    messages.remove_prefix(std::min(end + 1, messages.size()));
    unsigned line = 0, column = 0;
    char severity = 0;
    if (message.starts_with("file: and ")) continue;
    if (std::sscanf(std::string(message).c_str(), "file:%u:%u: %c", &line, &column, &severity) != 3)
      return fmt::format("a message without its place: {}\n{}", message, wrong);
    any_error |= severity == 'e';
    if (line < 1 || line > lines.size() || column < 1 || column > characters(lines[line - 1]) + 1)
      return fmt::format("a message with a place that is not there: {}\n{}", message, wrong);
  }
  return any_error ? std::string() : "it is refused without an error:\n" + wrong;
}

}  // namespace streamscope::generated
