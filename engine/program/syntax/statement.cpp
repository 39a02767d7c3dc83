#include "engine/program/syntax/statement.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "engine/program/syntax/characters.h"
#include "engine/program/syntax/grammar.h"
#include "engine/program/syntax/suggest.h"

namespace streamscope::program {
namespace {

using grammar::ArgumentKind;
using grammar::Form;
using grammar::OptionForm;
using grammar::OptionKind;
using grammar::Side;
using syntax::Statement;
using syntax::Verb;

std::vector<std::string_view> words_of(Side side) {
  std::vector<std::string_view> all;
  for (const Form& form : grammar::forms()) {
    if (form.side == side) all.push_back(form.word);
  }
  if (side == Side::declaration) {
    all.push_back("repeat");
    for (const std::string_view block : words_of(Side::block)) all.push_back(block);
  }
  return all;
}

std::string joined(const std::vector<std::string_view>& all) { return fmt::format("{}", fmt::join(all, ", ")); }

class StatementParser {
 public:
  explicit StatementParser(Cursor& cursor) : cursor_(cursor) { statement_.location = cursor.location(); }

  Statement parse() {
    statement_.broken = !lead();
    return std::move(statement_);
  }

 private:
  bool error(SourceLocation location, std::string message) {
    cursor_.error(location, std::move(message));
    return false;
  }

  // The first word decides: a declaration, `repeat`, `host:`, or a stream's name and a colon.
  bool lead() {
    const SourceLocation location = cursor_.location();
    const std::string_view before = cursor_.rest();
    const char first = before[0];
    const bool letter = is_letter(first);
    if (!letter) {
      return error(location,
                   fmt::format("expected a statement, found {}: write a declaration ({}), `host: …` or `STREAM: …`",
                               cursor_.found(), joined(words_of(Side::declaration))));
    }
    auto name = cursor_.name("a statement");
    if (!name) return false;
    if (cursor_.take(':')) {
      if (name->text == "host") return after_colon(Side::host);
      statement_.stream = std::move(*name);
      return after_colon(Side::stream);
    }
    if (name->text == "repeat") return repeat();
    if (const Form* form = grammar::find(Side::declaration, name->text)) return arguments(*form);
    if (const Form* form = grammar::find(Side::block, name->text)) return block(*form);
    return unknown_lead(*name);
  }

  bool unknown_lead(const syntax::Name& name) {
    const std::string word = printable(name.text);
    if (name.text == "host")
      return error(cursor_.location(), fmt::format("expected ':' behind `host`, found {}", cursor_.found()));
    const Form* on_stream = grammar::find(Side::stream, name.text);
    const Form* on_host = grammar::find(Side::host, name.text);
    if (on_stream) {
      return error(name.location,
                   fmt::format("`{}` needs the stream it is given to; write for example `{}`", word, on_stream->usage));
    }
    if (on_host) {
      return error(name.location,
                   fmt::format("`{}` is done by the host; write for example `{}`", word, on_host->usage));
    }
    const std::string hint = did_you_mean(name.text, words_of(Side::declaration));
    note_declaration(nearest(name.text, words_of(Side::declaration)));
    if (hint.empty() && !cursor_.done()) {
      const auto verb = Cursor(cursor_).word();
      if (grammar::find(Side::stream, verb)) {
        return error(cursor_.location(),
                     fmt::format("expected ':' behind the stream's name, found {}; write `{}: {} …`", cursor_.found(),
                                 word, verb));
      }
    }
    return error(name.location,
                 fmt::format("unknown statement '{}'{} expected a declaration ({}), `host: …` or `STREAM: …`", word,
                             hint.empty() ? ":" : hint + " Otherwise", joined(words_of(Side::declaration))));
  }

  // `bufer x 1MiB`: x counts as declared, so that its uses are not reported.
  void note_declaration(std::string_view word) {
    const Form* form = grammar::find(Side::declaration, word);
    if (!form) form = grammar::find(Side::block, word);
    if (!form) return;
    std::vector<Diagnostic> unwanted;
    Cursor ahead(cursor_.rest(), 0, unwanted);
    auto name = ahead.name("a name");
    if (!name) return;
    statement_.verb = form->verb;
    statement_.arguments.emplace_back(std::move(*name));
  }

  bool after_colon(Side side) {
    cursor_.skip_blanks();
    const SourceLocation location = cursor_.location();
    const std::string_view word = cursor_.word();
    const std::string who = side == Side::host ? "host" : printable(statement_.stream->text);
    if (word.empty()) {
      cursor_.expected(
          fmt::format("what {} does ({})", side == Side::host ? "the host" : "the stream", joined(words_of(side))));
      return false;
    }
    if (const Form* form = grammar::find(side, word)) return arguments(*form);
    const Side other = side == Side::host ? Side::stream : Side::host;
    if (const Form* form = grammar::find(other, word)) {
      return error(location, fmt::format("'{}' is {}; write for example `{}`", word,
                                         other == Side::host ? "done by the host, not by a stream"
                                                             : "given to a stream, not done by the host",
                                         form->usage));
    }
    return error(
        location,
        fmt::format(
            "unknown operation '{}'{} {} {}", printable(word),
            did_you_mean(word, words_of(side)).empty() ? ":" : did_you_mean(word, words_of(side)) + " Otherwise",
            side == Side::host ? "the host does" : "a stream takes", joined(words_of(side))));
  }

  bool arguments(const Form& form) {
    statement_.verb = form.verb;
    statement_.kernel = form.kernel;
    for (const ArgumentKind kind : form.arguments) {
      if (!argument(form, kind)) return false;
    }
    return options(form);
  }

  bool argument(const Form& form, ArgumentKind kind) {
    const std::string right = fmt::format(", as in `{}`", form.usage);
    if (cursor_.done()) {
      return error(cursor_.location(), fmt::format("expected {}, found the end of the line; right is for example `{}`",
                                                   meaning(kind), form.usage));
    }
    if (kind == ArgumentKind::direction) return direction();
    if (kind == ArgumentKind::from) return from(form);
    if (kind == ArgumentKind::new_name || kind == ArgumentKind::name) {
      auto name = cursor_.name(meaning(kind) + right);
      if (!name) return false;
      if (kind == ArgumentKind::new_name && grammar::reserved(name->text)) {
        error(name->location,
              fmt::format("'{}' cannot be declared: it has a meaning of its own; choose another name", name->text));
        return false;
      }
      statement_.arguments.emplace_back(std::move(*name));
      return true;
    }
    if (kind == ArgumentKind::range) {
      auto range = cursor_.range("a buffer's name");
      if (range) statement_.arguments.emplace_back(std::move(*range));
      return range.has_value();
    }
    auto number = cursor_.number(kind, meaning(kind));
    if (!number) return false;
    if (!detached_unit(kind, *number)) return false;
    statement_.arguments.emplace_back(std::move(*number));
    return true;
  }

  // "64 MiB"
  bool detached_unit(ArgumentKind kind, const syntax::Number& number) {
    if (kind == ArgumentKind::integer || cursor_.done()) return true;
    const SourceLocation location = cursor_.location();
    const std::string_view next = Cursor(cursor_).word();
    if (!is_unit(next)) return true;
    return error(location,
                 fmt::format("a unit stands right behind its number; write {}{}", printable(number.text), next));
  }

  bool direction() {
    static constexpr std::array<std::string_view, 2> kDirections{"h2d", "d2h"};
    cursor_.skip_blanks();
    const SourceLocation location = cursor_.location();
    const std::string found = cursor_.found();
    const std::string_view word = cursor_.word();
    if (std::find(kDirections.begin(), kDirections.end(), word) == kDirections.end()) {
      return error(location, fmt::format("expected the direction, h2d or d2h, found {}{}", found,
                                         did_you_mean(word, kDirections)));
    }
    statement_.arguments.emplace_back(syntax::Word{location, std::string(word)});
    return true;
  }

  bool from(const Form& form) {
    cursor_.skip_blanks();
    const SourceLocation location = cursor_.location();
    const std::string found = cursor_.found();
    if (cursor_.word() == "from") {
      statement_.arguments.emplace_back(syntax::Word{location, "from"});
      return true;
    }
    return error(location, fmt::format("expected 'from' and what '{}' reads, found {}; right is for example `{}`",
                                       form.word, found, form.usage));
  }

  static std::string meaning(ArgumentKind kind) {
    switch (kind) {
      case ArgumentKind::new_name: return "a name to declare";
      case ArgumentKind::name: return "a name";
      case ArgumentKind::range: return "a buffer or a range of one, such as x[0:16MiB]";
      case ArgumentKind::direction: return "h2d or d2h";
      case ArgumentKind::bytes: return "a size";
      case ArgumentKind::duration: return "a duration";
      case ArgumentKind::integer: return "a whole number";
      case ArgumentKind::from: return "'from'";
    }
    return {};
  }

  // Options may come in any order; the tree has them in the order of the table. Reading goes on after a wrong one.
  bool options(const Form& form) {
    std::vector<std::optional<syntax::Option>> given(form.options.size());
    bool good = true;
    while (!cursor_.done() && cursor_.peek() != '{' && cursor_.peek() != '}') {
      if (one_option(form, given)) continue;
      good = false;
      if (form.options.empty()) return false;
      cursor_.skip_word();
    }
    for (std::size_t i = 0; i < given.size(); ++i) {
      if (given[i]) {
        statement_.options.push_back(std::move(*given[i]));
      } else if (good && form.options[i].required) {
        good = error(cursor_.location(), fmt::format("'{}' needs {}={}, as in `{}`", form.word, form.options[i].key,
                                                     form.options[i].example, form.usage));
      }
    }
    return good;
  }

  bool one_option(const Form& form, std::vector<std::optional<syntax::Option>>& given) {
    const SourceLocation location = cursor_.location();
    const std::string found = cursor_.found();
    const std::string_view key = cursor_.word();
    std::vector<std::string_view> keys;
    for (const OptionForm& option : form.options) keys.push_back(option.key);
    const auto at = std::find(keys.begin(), keys.end(), key);
    if (at == keys.end()) return unknown_option(form, keys, location, found, key);
    const auto index = static_cast<std::size_t>(at - keys.begin());
    if (given[index]) return error(location, fmt::format("'{}' is given twice; keep one", key));
    return option(form.options[index], location, given[index]);
  }

  bool unknown_option(const Form& form, const std::vector<std::string_view>& keys, SourceLocation location,
                      const std::string& found, std::string_view key) {
    if (keys.empty()) {
      return error(location,
                   fmt::format("expected the end of the line, found {}; right is for example `{}`", found, form.usage));
    }
    return error(location, fmt::format("unknown option {}{} `{}` takes {}", found,
                                       did_you_mean(key, keys).empty() ? ":" : did_you_mean(key, keys) + " Otherwise",
                                       form.word, joined(keys)));
  }

  bool option(const OptionForm& form, SourceLocation location, std::optional<syntax::Option>& given) {
    syntax::Option option{location, std::string(form.key), std::nullopt};
    const bool equals = cursor_.take('=');
    if (form.kind == OptionKind::flag) {
      if (equals) return error(location, fmt::format("'{}' takes no value; write it alone, or leave it out", form.key));
      given = std::move(option);
      return true;
    }
    if (!equals) {
      return error(cursor_.location(), fmt::format("expected '=' and a value behind '{}', found {}; write {}={}",
                                                   form.key, cursor_.found(), form.key, form.example));
    }
    if (form.kind == OptionKind::word) return word_of(form.words, std::move(option), given);
    const ArgumentKind kind = form.kind == OptionKind::integer ? ArgumentKind::integer
                              : form.kind == OptionKind::bytes ? ArgumentKind::bytes
                                                               : ArgumentKind::duration;
    auto number = cursor_.number(kind, fmt::format("{} for '{}'", meaning(kind), form.key));
    if (!number || !detached_unit(kind, *number)) return false;
    option.value = std::move(*number);
    given = std::move(option);
    return true;
  }

  // One of the given words behind `key=`.
  bool word_of(std::span<const std::string_view> words_of, syntax::Option option,
               std::optional<syntax::Option>& given) {
    cursor_.skip_blanks();
    const SourceLocation location = cursor_.location();
    const std::string found = cursor_.found();
    const std::string_view word = cursor_.dotted_word();
    if (std::find(words_of.begin(), words_of.end(), word) == words_of.end()) {
      return error(location, fmt::format("expected {} or {} behind '{}=', found {}{}",
                                         fmt::join(words_of.first(words_of.size() - 1), ", "), words_of.back(),
                                         option.key, found, did_you_mean(word, words_of)));
    }
    option.value = syntax::Word{location, std::string(word)};
    given = std::move(option);
    return true;
  }

  // `graph G on A {`, `thread T {`
  bool block(const Form& form) {
    statement_.verb = form.verb;
    if (!argument(form, ArgumentKind::new_name)) return false;
    if (form.verb == Verb::graph) {
      cursor_.skip_blanks();
      const SourceLocation location = cursor_.location();
      const std::string found = cursor_.found();
      if (cursor_.word() != "on") {
        return error(location,
                     fmt::format("expected 'on' and the stream to capture, found {}; right is for example `{}`", found,
                                 form.usage));
      }
      if (!argument(form, ArgumentKind::name)) return false;
    }
    if (!cursor_.take('{')) {
      return error(cursor_.location(),
                   fmt::format("expected '{{', found {}; right is for example `{}`", cursor_.found(), form.usage));
    }
    statement_.opens_block = true;
    return true;
  }

  bool repeat() {
    constexpr std::string_view kRight = "right is for example `repeat 16 as i {`";
    statement_.verb = Verb::repeat;
    if (cursor_.done())
      return error(cursor_.location(), fmt::format("expected how often, found the end of the line; {}", kRight));
    auto count = cursor_.number(ArgumentKind::integer, "how often to repeat, a whole number");
    if (!count) return false;
    statement_.arguments.emplace_back(std::move(*count));
    cursor_.skip_blanks();
    if (cursor_.peek() != '{') {
      const SourceLocation location = cursor_.location();
      const std::string found = cursor_.found();
      const std::string_view as = cursor_.word();
      if (as != "as") return error(location, fmt::format("expected 'as' or '{{', found {}; {}", found, kRight));
      auto variable = cursor_.name("the variable's name");
      if (!variable) return false;
      if (!variable->pieces.empty()) {
        return error(variable->location,
                     fmt::format("a variable's name has no braces, found '{}'; {}", printable(variable->text), kRight));
      }
      statement_.variable = std::move(*variable);
    }
    if (!cursor_.take('{'))
      return error(cursor_.location(), fmt::format("expected '{{', found {}; {}", cursor_.found(), kRight));
    statement_.opens_block = true;
    return true;
  }

  Cursor& cursor_;
  Statement statement_;
};

}  // namespace

Statement parse_statement(Cursor& cursor) { return StatementParser(cursor).parse(); }

}  // namespace streamscope::program
