#include "engine/program/syntax/statement.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "engine/base/suggest.h"
#include "engine/base/translate.h"
#include "engine/program/program.h"
#include "engine/program/syntax/characters.h"
#include "engine/program/syntax/grammar.h"

namespace streamscope::program {
namespace {

using grammar::ArgumentKind;
using grammar::Form;
using grammar::Side;
using syntax::Statement;
using syntax::Verb;

std::vector<std::string_view> words_of(Side side) {
  std::vector<std::string_view> all;
  for (const Form& form : grammar::forms()) {
    if (form.side == side) all.push_back(form.word);
  }
  if (side == Side::declaration) {
    for (const std::string_view block : words_of(Side::block)) all.push_back(block);
  }
  return all;
}

std::string joined(const std::vector<std::string_view>& all) { return fmt::format("{}", fmt::join(all, ", ")); }

// What stands behind an unknown word, before the list of those that there are.
std::string meant_or(std::string_view word, const std::vector<std::string_view>& words) {
  const std::string hint = did_you_mean(word, words);
  return hint.empty() ? ":" : tr("{} Otherwise", hint);
}

std::string right(std::string_view usage) { return tr("right is for example `{}`", usage); }

class StatementParser {
 public:
  StatementParser(Cursor& cursor, OwnNames& own) : cursor_(cursor), own_(own) {
    statement_.location = cursor.location();
  }

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
      return error(location, tr("expected a statement, found {}: write a declaration ({}), `host: …` or `STREAM: …`",
                                cursor_.found(), joined(words_of(Side::declaration))));
    }
    auto name = cursor_.name(tr("a statement"));
    if (!name) return false;
    if (cursor_.take(':')) {
      if (name->text == "host") return after_colon(Side::host);
      statement_.stream = std::move(*name);
      return after_colon(Side::stream);
    }
    if (const Form* form = grammar::find(Side::declaration, name->text)) return call(*form);
    if (const Form* form = grammar::find(Side::block, name->text)) return block(*form);
    return unknown_lead(*name);
  }

  bool unknown_lead(const syntax::Name& name) {
    const std::string word = printable(name.text);
    if (name.text == "host")
      return error(cursor_.location(), tr("expected ':' behind `host`, found {}", cursor_.found()));
    const Form* on_stream = grammar::find(Side::stream, name.text);
    const Form* on_host = grammar::find(Side::host, name.text);
    if (on_stream) {
      return error(name.location,
                   tr("`{}` needs the stream it is given to; write for example `{}`", word, on_stream->usage));
    }
    if (on_host) {
      return error(name.location, tr("`{}` is done by the host; write for example `{}`", word, on_host->usage));
    }
    const std::string hint = did_you_mean(name.text, words_of(Side::declaration));
    note_declaration(nearest(name.text, words_of(Side::declaration)));
    if (hint.empty() && !cursor_.done()) {
      const auto verb = Cursor(cursor_).word();
      if (grammar::find(Side::stream, verb)) {
        return error(cursor_.location(), tr("expected ':' behind the stream's name, found {}; write `{}: {} …`",
                                            cursor_.found(), word, verb));
      }
    }
    return error(name.location,
                 tr("unknown statement '{}'{} expected a declaration ({}), `host: …` or `STREAM: …`", word,
                    meant_or(name.text, words_of(Side::declaration)), joined(words_of(Side::declaration))));
  }

  // `bufer x 1MiB`: x counts as declared, so that its uses are not reported.
  void note_declaration(std::string_view word) {
    const Form* form = grammar::find(Side::declaration, word);
    if (!form) form = grammar::find(Side::block, word);
    if (!form || form->arguments.front() != ArgumentKind::new_name) return;
    std::vector<Diagnostic> unwanted;
    Cursor ahead(cursor_, unwanted);
    auto name = ahead.name(tr("a name"));
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
      cursor_.expected(side == Side::host ? tr("what the host does ({})", joined(words_of(side)))
                                          : tr("what the stream does ({})", joined(words_of(side))));
      return false;
    }
    if (const Form* form = grammar::find(side, word)) return call(*form);
    if (side == Side::stream && own_.contains(word)) {
      statement_.arguments.emplace_back(syntax::Name{.location = location, .text = std::string(word), .pieces = {}});
      return given() && options(own_form());
    }
    const Side other = side == Side::host ? Side::stream : Side::host;
    if (const Form* form = grammar::find(other, word)) {
      return error(
          location,
          other == Side::host
              ? tr("'{}' is done by the host, not by a stream; write for example `{}`", word, form->usage)
              : tr("'{}' is given to a stream, not done by the host; write for example `{}`", word, form->usage));
    }
    const std::string meant = meant_or(word, words_of(side)), all = joined(words_of(side));
    return error(location, side == Side::host
                               ? tr("unknown operation '{}'{} the host does {}", printable(word), meant, all)
                               : tr("unknown operation '{}'{} a stream takes {}", printable(word), meant, all));
  }

  static const Form& own_form() {
    Statement of;
    of.verb = Verb::own;
    return grammar::form(of);
  }

  // Ranges and numbers up to an option or the end of the line.
  bool given() {
    statement_.verb = Verb::own;
    while (!cursor_.done() && cursor_.peek() != '}') {
      Cursor ahead(cursor_);
      if (!ahead.word().empty() && ahead.take('=')) return true;
      if (auto real = cursor_.decimal()) {
        statement_.arguments.emplace_back(std::move(*real));
        continue;
      }
      const char next = cursor_.peek();
      const bool number = is_digit(next) || next == '-' || next == '{';
      if (!(number ? add(cursor_.number(ArgumentKind::integer, tr("a whole number")))
                   : add(cursor_.range(tr("a buffer, a number or an option")))))
        return false;
    }
    return true;
  }

  bool call(const Form& form) { return arguments(form) && options(form); }

  // `repeat 16 as i {`, `graph G on A {`, `thread T {`
  bool block(const Form& form) {
    if (!arguments(form)) return false;
    cursor_.skip_blanks();
    if (form.verb == Verb::repeat && cursor_.peek() != '{') {
      static constexpr std::string_view kAs[] = {"as"};
      if (!word_of(kAs, tr("'as' or '{'"), right(form.usage))) return false;
      auto variable = cursor_.name(tr("the variable's name"));
      if (!variable) return false;
      if (!variable->pieces.empty()) {
        return error(variable->location, tr("a variable's name has no braces, found '{}'; {}",
                                            printable(variable->text), right(form.usage)));
      }
      statement_.variable = std::move(*variable);
    }
    if (!form.options.empty() && !options(form)) return false;
    if (!cursor_.take('{'))
      return error(cursor_.location(), tr("expected '{{', found {}; {}", cursor_.found(), right(form.usage)));
    statement_.opens_block = true;
    return true;
  }

  bool arguments(const Form& form) {
    statement_.verb = form.verb;
    statement_.kernel = form.kernel;
    const std::size_t needed = form.arguments.size() - form.optional;
    for (std::size_t i = 0; i < form.arguments.size(); ++i) {
      if (i == needed && form.optional > 0) {
        const std::string_view next = Cursor(cursor_).word();
        if (next != "from" && next != "to") return true;
      }
      if (!argument(form, form.arguments[i])) return false;
    }
    return true;
  }

  bool argument(const Form& form, ArgumentKind kind) {
    static constexpr std::string_view kDirections[] = {"h2d", "d2h"}, kFrom[] = {"from"}, kTo[] = {"to"},
                                      kFromOrTo[] = {"from", "to"}, kOn[] = {"on"};
    if (cursor_.done()) {
      return error(cursor_.location(),
                   tr("expected {}, found the end of the line; {}", meaning(kind), right(form.usage)));
    }
    switch (kind) {
      case ArgumentKind::new_name:
      case ArgumentKind::name: {
        auto name = cursor_.name(tr("{}, as in `{}`", meaning(kind), form.usage));
        if (name && kind == ArgumentKind::new_name && grammar::reserved(name->text)) {
          return error(name->location, tr("'{}' cannot be declared: it has a meaning of its own; choose "
                                          "another name",
                                          name->text));
        }
        if (name && form.verb == Verb::own_kernel) {
          if (!name->pieces.empty() || grammar::find(Side::stream, name->text) != nullptr) {
            return error(name->location,
                         tr("'{}' is no name for a kernel: it has braces or is a word of the language; choose another",
                            printable(name->text)));
          }
          own_.insert(name->text);
        }
        return add(std::move(name));
      }
      case ArgumentKind::range: return add(cursor_.range(tr("a buffer's name")));
      case ArgumentKind::file:
        return add(cursor_.enclosed('"', '"', tr("the file of its source in quotes, as in `{}`", form.usage)));
      case ArgumentKind::parameters:
        return add(cursor_.enclosed('(', ')', tr("its parameters in brackets, as in `{}`", form.usage)));
      case ArgumentKind::given: return given();
      case ArgumentKind::side: return add(cursor_.side(tr("a buffer's name")));
      case ArgumentKind::on_off: return add(word_of(grammar::kOnOff, meaning(kind), right(form.usage)));
      case ArgumentKind::direction: return add(word_of(kDirections, tr("the direction, h2d or d2h"), {}));
      case ArgumentKind::from:
        // `host: memcpy` goes either way.
        if (form.verb == Verb::memcpy) return add(word_of(kFromOrTo, tr("'from' or 'to'"), right(form.usage)));
        return add(word_of(kFrom, tr("'from' and what '{}' reads", form.word), right(form.usage)));
      case ArgumentKind::to: return add(word_of(kTo, tr("'to' and where '{}' writes", form.word), right(form.usage)));
      case ArgumentKind::on: return add(word_of(kOn, meaning(kind), right(form.usage)));
      case ArgumentKind::which_default: return add(word_of(grammar::kDefaultStreams, meaning(kind), right(form.usage)));
      case ArgumentKind::how_it_fails: return add(word_of(kNames<FaultKind>, meaning(kind), {}));
      case ArgumentKind::times:
        return add(cursor_.number(ArgumentKind::integer, tr("how often to repeat, a whole number")));
      default: return add(number(kind, meaning(kind)));
    }
  }

  template <class Argument>
  bool add(std::optional<Argument> read) {
    if (read) statement_.arguments.emplace_back(std::move(*read));
    return read.has_value();
  }

  std::optional<syntax::Number> number(ArgumentKind kind, const std::string& what) {
    auto number = cursor_.number(kind, what);
    if (!number || kind == ArgumentKind::integer || cursor_.done()) return number;
    const std::string_view next = Cursor(cursor_).word();
    if (!is_unit(next)) return number;
    // "64 MiB"
    error(cursor_.location(), tr("a unit stands right behind its number; write {}{}", printable(number->text), next));
    return std::nullopt;
  }

  // One of these words; behind `expected` an error says what was found, and `instead`, else the nearest of them.
  std::optional<syntax::Word> word_of(std::span<const std::string_view> words, std::string_view expected,
                                      const std::string& instead, std::string_view (Cursor::*read)() = &Cursor::word) {
    cursor_.skip_blanks();
    const SourceLocation location = cursor_.location();
    const std::string found = cursor_.found();
    const std::string_view word = (cursor_.*read)();
    if (std::find(words.begin(), words.end(), word) != words.end()) return syntax::Word{location, std::string(word)};
    error(location,
          tr("expected {}, found {}{}", expected, found, instead.empty() ? did_you_mean(word, words) : "; " + instead));
    return std::nullopt;
  }

  static std::string meaning(ArgumentKind kind) {
    switch (kind) {
      case ArgumentKind::new_name: return tr("a name to declare");
      case ArgumentKind::name: return tr("a name");
      case ArgumentKind::range: return tr("a buffer or a range of one, such as x[0:16MiB]");
      case ArgumentKind::direction: return tr("h2d or d2h");
      case ArgumentKind::bytes: return tr("a size");
      case ArgumentKind::duration: return tr("a duration");
      case ArgumentKind::integer: return tr("a whole number");
      case ArgumentKind::from: return tr("'from'");
      case ArgumentKind::to: return tr("'to'");
      case ArgumentKind::on: return tr("'on' and the stream to capture");
      case ArgumentKind::times: return tr("how often");
      case ArgumentKind::which_default: return tr("legacy or per-thread");
      case ArgumentKind::file: return tr("a file in quotes");
      case ArgumentKind::parameters: return tr("parameters in brackets");
      case ArgumentKind::given: return tr("ranges and numbers");
      case ArgumentKind::side: return tr("a range and its device, such as x[0:16MiB]@1");
      case ArgumentKind::on_off: return tr("on or off");
      case ArgumentKind::how_it_fails: return tr("illegal-address, assert, trap or launch-config");
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
        good = error(cursor_.location(), tr("'{}' needs {}={}, as in `{}`", form.word, form.options[i].key,
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
    for (const kernels::Option& option : form.options) keys.push_back(option.key);
    const auto at = std::find(keys.begin(), keys.end(), key);
    if (at == keys.end()) return unknown_option(form, keys, location, found, key);
    const auto index = static_cast<std::size_t>(at - keys.begin());
    if (given[index]) return error(location, tr("'{}' is given twice; keep one", key));
    return option(form.options[index], location, given[index]);
  }

  bool unknown_option(const Form& form, const std::vector<std::string_view>& keys, SourceLocation location,
                      const std::string& found, std::string_view key) {
    if (keys.empty()) {
      return error(location, tr("expected the end of the line, found {}; {}", found, right(form.usage)));
    }
    // Options are rare there: what stands behind the ranges may be meant as anything.
    if (form.kernel == nullptr && form.side == Side::stream && did_you_mean(key, keys).empty()) {
      return error(location, tr("expected the end of the line or an option ({}), found {}; {}", joined(keys), found,
                                right(form.usage)));
    }
    return error(location,
                 tr("unknown option {}{} `{}` takes {}", found, meant_or(key, keys), form.word, joined(keys)));
  }

  bool option(const kernels::Option& form, SourceLocation location, std::optional<syntax::Option>& given) {
    syntax::Option option{location, std::string(form.key), std::nullopt};
    const bool equals = cursor_.take('=');
    if (form.kind == kernels::OptionKind::flag) {
      if (equals) return error(location, tr("'{}' takes no value; write it alone, or leave it out", form.key));
      given = std::move(option);
      return true;
    }
    if (!equals) {
      return error(cursor_.location(), tr("expected '=' and a value behind '{}', found {}; write {}={}", form.key,
                                          cursor_.found(), form.key, form.example));
    }
    const auto with_value = [&](auto value) {
      if (!value) return false;
      option.value = std::move(*value);
      given = std::move(option);
      return true;
    };
    if (form.kind == kernels::OptionKind::choice) {
      const auto expected = tr("{} or {} behind '{}='", fmt::join(form.words.first(form.words.size() - 1), ", "),
                               form.words.back(), form.key);
      return with_value(word_of(form.words, expected, {}, &Cursor::dotted_word));
    }
    const ArgumentKind kind = grammar::argument_kind(form.kind);
    if (form.kind == kernels::OptionKind::counts)
      return with_value(cursor_.numbers(tr("{} for '{}'", meaning(kind), form.key)));
    return with_value(number(kind, tr("{} for '{}'", meaning(kind), form.key)));
  }

  Cursor& cursor_;
  OwnNames& own_;
  Statement statement_;
};

}  // namespace

Statement parse_statement(Cursor& cursor, OwnNames& own) { return StatementParser(cursor, own).parse(); }

}  // namespace streamscope::program
