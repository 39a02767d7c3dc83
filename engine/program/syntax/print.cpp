#include "engine/program/syntax/print.h"

#include <variant>

#include "engine/program/syntax/grammar.h"

namespace streamscope::program {
namespace {

using syntax::Line;
using syntax::Statement;

class Printer {
 public:
  std::string print(const std::vector<Line>& lines) {
    all(lines, 0);
    return std::move(out_);
  }

 private:
  void all(const std::vector<Line>& lines, std::size_t depth) {
    for (const Line& line : lines) {
      if (!blank(line)) indent(depth);
      if (line.statement) head(*line.statement);
      comment(line.comment, line.statement.has_value());
      out_ += '\n';
      if (!line.statement || !line.statement->opens_block) continue;
      all(line.statement->body, depth + 1);
      indent(depth);
      out_ += '}';
      comment(line.statement->closing_comment, true);
      out_ += '\n';
    }
  }

  void indent(std::size_t depth) { out_.append(2 * depth, ' '); }

  void comment(const std::string& text, bool behind) {
    if (text.empty()) return;
    if (behind) out_ += "  ";
    out_ += text;
  }

  void head(const Statement& statement) {
    if (statement.broken) {
      out_ += statement.text;
      return;
    }
    const grammar::Form& form = grammar::form(statement);
    if (form.side == grammar::Side::stream) out_ += statement.stream->text + ": ";
    if (form.side == grammar::Side::host) out_ += "host: ";
    const bool named = statement.verb == syntax::Verb::own;  // its name stands first
    if (!named) out_ += form.word;
    for (const syntax::Argument& one : statement.arguments) {
      if (!named || &one != statement.arguments.data()) out_ += ' ';
      argument(one);
    }
    if (statement.variable) out_ += " as " + statement.variable->text;
    for (const syntax::Option& option : statement.options) {
      out_ += ' ';
      out_ += option.key;
      if (!option.value) continue;
      out_ += '=';
      argument(*option.value);
    }
    if (statement.opens_block) out_ += " {";
  }

  void argument(const syntax::Argument& argument) {
    if (const auto* range = std::get_if<syntax::Range>(&argument)) {
      out_ += range->buffer.text;
      if (range->offset) out_ += "[" + range->offset->text + ":" + range->bytes->text + "]";
      if (range->device) out_ += "@" + range->device->text;
    } else {
      std::visit(
          [&](const auto& one) {
            if constexpr (requires { one.text; }) out_ += one.text;
          },
          argument);
    }
  }

  std::string out_;
};

}  // namespace

std::string print(const Syntax& syntax) { return Printer().print(syntax.lines); }

}  // namespace streamscope::program
