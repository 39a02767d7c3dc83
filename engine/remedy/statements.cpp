#include "engine/remedy/statements.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "engine/program/syntax/parse.h"

namespace streamscope::remedy {

using program::Syntax;
using program::syntax::Argument;
using program::syntax::Line;
using program::syntax::Name;
using program::syntax::Option;
using program::syntax::Range;
using program::syntax::Statement;
using program::syntax::Verb;

namespace {

void visit_lines(const std::vector<Line>& lines, Place& place,
                 const std::function<void(const Statement&, const Place&)>& visit) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!lines[i].statement) continue;
    place.push_back(i);
    visit(*lines[i].statement, place);
    visit_lines(lines[i].statement->body, place, visit);
    place.pop_back();
  }
}

}  // namespace

void each_statement(const Syntax& syntax, const std::function<void(const Statement&, const Place&)>& visit) {
  Place place;
  visit_lines(syntax.lines, place, visit);
}

std::vector<Line>& lines_around(Syntax& syntax, const Place& place) {
  std::vector<Line>* lines = &syntax.lines;
  for (std::size_t depth = 0; depth + 1 < place.size(); ++depth) lines = &(*lines)[place[depth]].statement->body;
  return *lines;
}
Statement& at(Syntax& syntax, const Place& place) { return *lines_around(syntax, place)[place.back()].statement; }
const Statement& at(const Syntax& syntax, const Place& place) {
  const std::vector<Line>* lines = &syntax.lines;
  for (std::size_t depth = 0; depth + 1 < place.size(); ++depth) lines = &(*lines)[place[depth]].statement->body;
  return *(*lines)[place.back()].statement;
}
std::uint32_t line_of(const Syntax& syntax, const Place& place) { return at(syntax, place).location.line; }

std::vector<Place> places(const Syntax& syntax, const std::function<bool(const Statement&)>& wanted) {
  std::vector<Place> found;
  each_statement(syntax, [&](const Statement& statement, const Place& place) {
    if (wanted(statement)) found.push_back(place);
  });
  return found;
}

Syntax without(Syntax syntax, const Place& place) {
  std::vector<Line>& lines = lines_around(syntax, place);
  lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(place.back()));
  return syntax;
}

std::vector<Line> parsed_lines(const std::string& text) { return program::parse(text).syntax.lines; }

Option* option(Statement& statement, std::string_view key) {
  const auto found = std::ranges::find(statement.options, key, &Option::key);
  return found == statement.options.end() ? nullptr : &*found;
}
const Option* option(const Statement& statement, std::string_view key) {
  const auto found = std::ranges::find(statement.options, key, &Option::key);
  return found == statement.options.end() ? nullptr : &*found;
}

std::string text_of(const Argument& argument) {
  if (const auto* range = std::get_if<Range>(&argument)) {
    return range->buffer.text + (range->offset ? "[" + range->offset->text + ":" + range->bytes->text + "]" : "") +
           (range->device ? "@" + range->device->text : "");
  }
  std::string text;
  std::visit(
      [&](const auto& one) {
        if constexpr (requires { one.text; }) text = one.text;
      },
      argument);
  return text;
}
std::string argument(const Statement& statement, std::size_t index) {
  return index < statement.arguments.size() ? text_of(statement.arguments[index]) : std::string();
}
std::string buffer_of(const Argument& argument) {
  const auto* const range = std::get_if<Range>(&argument);
  return range == nullptr ? std::string() : range->buffer.text;
}
bool uses(const Statement& statement, const std::string& buffer) {
  return std::ranges::any_of(statement.arguments, [&](const Argument& one) { return buffer_of(one) == buffer; });
}

std::string value_of(const Option* found) { return found == nullptr || !found->value ? "" : text_of(*found->value); }

std::string with_variable(const std::string& expression, const std::string& variable, const std::string& by) {
  const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  std::string out;
  for (std::size_t at = 0; at < expression.size();) {
    std::size_t end = at;
    while (end < expression.size() && is_letter(expression[end])) ++end;
    if (end == at) {
      out += expression[at++];
    } else {
      const std::string word = expression.substr(at, end - at);
      out += word == variable ? by : word;
      at = end;
    }
  }
  return out;
}

void replace_variable(Statement& statement, const std::string& variable, const std::string& by) {
  const auto in = [&](std::string& text) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t open = std::min(text.find('{', at), text.size());
      const std::size_t end = std::min(text.find('}', open), text.size());
      out += text.substr(at, open - at) + with_variable(text.substr(open, end - open), variable, by);
      at = end;
      if (at < text.size()) out += text[at++];
    }
    text = std::move(out);
  };
  const auto in_argument = [&](Argument& argument) {
    if (auto* range = std::get_if<Range>(&argument)) {
      in(range->buffer.text);
      if (range->offset) in(range->offset->text), in(range->bytes->text);
      if (range->device) in(range->device->text);
      return;
    }
    std::visit(
        [&](auto& one) {
          if constexpr (requires { one.text; }) in(one.text);
        },
        argument);
  };
  if (statement.stream) in(statement.stream->text);
  for (Argument& each : statement.arguments) in_argument(each);
  for (Option& each : statement.options) {
    if (each.value) in_argument(*each.value);
  }
  for (Line& line : statement.body) {
    if (line.statement) replace_variable(*line.statement, variable, by);
  }
}

bool same_turns(const Statement& a, const Statement& b) {
  return a.verb == Verb::repeat && b.verb == Verb::repeat && argument(a, 0) == argument(b, 0) && a.variable &&
         b.variable && a.variable->text == b.variable->text;
}

bool waits_on_host(const Statement& statement) { return statement.verb == Verb::sync || statement.verb == Verb::poll; }

std::string unused_name(const Syntax& syntax, const std::string& wish) {
  std::set<std::string> taken;
  each_statement(syntax, [&](const Statement& statement, const Place&) {
    for (const Argument& one : statement.arguments) taken.insert(text_of(one));
    if (statement.stream) taken.insert(statement.stream->text);
  });
  std::string name = wish;
  for (int number = 2; taken.contains(name); ++number) name = wish + std::to_string(number);
  return name;
}

std::string device_of(const Syntax& syntax, const Name& stream) {
  std::string device;
  each_statement(syntax, [&](const Statement& one, const Place&) {
    if (one.verb != Verb::stream && one.verb != Verb::streams && one.verb != Verb::create_stream) return;
    const std::string declared = argument(one, 0);
    // "S{i%4}" and "S2" are of "streams S 4".
    const bool numbered = one.verb == Verb::streams && stream.text.size() > declared.size() &&
                          stream.text.starts_with(declared) &&
                          (stream.text[declared.size()] == '{' ||
                           std::isdigit(static_cast<unsigned char>(stream.text[declared.size()])) != 0);
    if (stream.text != declared && !numbered) return;
    const std::string value = value_of(option(one, "device"));
    device = value.empty() ? "" : " device=" + value;
  });
  return device;
}

bool declares(const Statement& statement) {
  const Verb verb = statement.verb;
  return verb == Verb::buffer || verb == Verb::stream || verb == Verb::streams || verb == Verb::event ||
         verb == Verb::default_stream;
}

std::size_t behind_declarations(const Syntax& syntax) {
  std::size_t behind = 0;
  for (std::size_t i = 0; i < syntax.lines.size(); ++i) {
    const auto& statement = syntax.lines[i].statement;
    if (statement && declares(*statement)) behind = i + 1;
  }
  return behind;
}
void insert(Syntax& syntax, std::size_t index, const std::string& text) {
  const std::vector<Line> lines = parsed_lines(text);
  syntax.lines.insert(syntax.lines.begin() + static_cast<std::ptrdiff_t>(index), lines.begin(), lines.end());
}

}  // namespace streamscope::remedy
