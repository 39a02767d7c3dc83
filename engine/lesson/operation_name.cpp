#include "engine/lesson/operation_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "engine/base/place.h"
#include "engine/base/suggest.h"
#include "engine/base/translate.h"
#include "engine/program/syntax/characters.h"

namespace streamscope::lesson {
namespace {

bool is_word(std::string_view text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](char c) { return program::is_letter(c) || program::is_digit(c) || c == '-'; });
}

Error wrong(const OperationName& name, std::string_view what) {
  return {ErrorKind::bad_input, error_at(name.place, what)};
}

std::string tags_text(const Tags& tags) {
  std::string text;
  for (const auto& [tag, lines] : tags) text += fmt::format("{}@{}", text.empty() ? "" : ", ", tag);
  return text;
}

bool is_of(const program::Program& in, const program::Operation& operation, const OperationName& name) {
  const std::string_view stream =
      operation.stream ? std::string_view(in.streams[operation.stream->value].name) : "host";
  return stream == name.stream && (streamscope::name(program::kind(operation.work)) == name.what ||
                                   program::label(in, operation.work) == name.what);
}

}  // namespace

Result<OperationName> parse_operation_name(std::string_view text, std::string place) {
  OperationName out{std::string(text), std::move(place), {}, {}, {}, {}};
  const auto fault = [&] {
    return fail(wrong(out, tr("'{}' names no operation; write @TAG or @TAG[2], of a comment in the program, or "
                              "STREAM.KIND[2] such as S0.h2d[0]",
                              text)));
  };
  if (const std::size_t bracket = text.find('['); bracket != std::string_view::npos) {
    const std::string_view number = text.substr(bracket + 1);
    std::uint32_t index = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), index);
    if (error != std::errc() || std::string_view(end, number.data() + number.size()) != "]") return fault();
    out.index = index;
    text = text.substr(0, bracket);
  }
  if (text.starts_with('@')) {
    out.tag = text.substr(1);
    if (!is_word(out.tag)) return fault();
    return out;
  }
  const std::size_t dot = text.rfind('.');
  if (dot == std::string_view::npos) return fault();
  out.stream = text.substr(0, dot);
  out.what = text.substr(dot + 1);
  if (out.stream.empty() || !is_word(out.what)) return fault();
  return out;
}

Tags tags_of(std::string_view program) {
  Tags tags;
  for (std::uint32_t line = 1; !program.empty(); ++line) {
    const std::string_view text = program.substr(0, program.find('\n'));
    program.remove_prefix(std::min(text.size() + 1, program.size()));
    const std::size_t hash = text.find('#');
    if (hash == std::string_view::npos) continue;
    for (std::string_view rest = text.substr(hash + 1); !rest.empty();) {
      rest = rest.substr(0, rest.find_last_not_of(" \t\r") + 1);
      const std::string_view word = rest.substr(rest.find_last_of(" \t#") + 1);
      if (word.size() < 2 || word.front() != '@' || !is_word(word.substr(1))) break;
      tags[std::string(word.substr(1))].push_back(line);
      rest.remove_suffix(word.size());
    }
  }
  return tags;
}

Result<std::vector<OperationIndex>> operations(const program::Program& in, const Tags& tags,
                                               const OperationName& name) {
  std::vector<OperationIndex> found;
  const auto tagged = tags.find(name.tag);
  if (!name.tag.empty() && tagged == tags.end()) {
    if (tags.empty())
      return fail(wrong(name, tr("the program has no comment that ends with @{0}, nor any other tag; write `# @{0}` "
                                 "behind the line that is meant",
                                 name.tag)));
    return fail(wrong(name, tr("the program has no comment that ends with @{}; it has {}", name.tag, tags_text(tags))));
  }
  for (OperationIndex i = 0; i < in.operations.size(); ++i) {
    const program::Operation& each = in.operations[i];
    if (name.tag.empty() ? is_of(in, each, name) : std::ranges::binary_search(tagged->second, each.line))
      found.push_back(i);
  }
  if (found.empty()) return fail(wrong(name, tr("{}: the program has no such operation", name.text)));
  if (!name.index) return found;
  if (*name.index >= found.size())
    return fail(wrong(
        name, tr_n("{}: there is only {} of them, and the first is [0]",
                   "{}: there are only {} of them, and the first is [0]", found.size(), name.text, found.size())));
  return std::vector{found[*name.index]};
}

Result<OperationIndex> operation(const program::Program& in, const Tags& tags, const OperationName& name) {
  const auto found = TRY(operations(in, tags, name));
  return found.front();
}

Result<std::vector<std::uint32_t>> lines(const program::Program& in, const Tags& tags, const OperationName& name) {
  if (const auto tagged = tags.find(name.tag); tagged != tags.end() && !name.index) return tagged->second;
  std::vector<std::uint32_t> found;
  const auto named = TRY(operations(in, tags, name));
  for (const OperationIndex each : named) found.push_back(in.operations[each].line);
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace streamscope::lesson
