#include <fmt/format.h>

#include "engine/base/translate.h"
#include "engine/lesson/quantities.h"

namespace streamscope::lesson {
namespace {

using Kind = Expression::Kind;

// How tightly it holds its operands together.
int binding_of(const Expression& of) {
  switch (of.kind) {
    case Kind::any: return 0;
    case Kind::all: return 1;
    case Kind::no: return 2;
    case Kind::compare: return 3;
    case Kind::arithmetic: return of.text == "+" || of.text == "-" ? 4 : 5;
    case Kind::negate: return 6;
    default: return 7;
  }
}

std::string_view sign_of(std::string_view written) {
  if (written == "<=") return "≤";
  if (written == ">=") return "≥";
  if (written == "==") return "=";
  if (written == "!=") return "≠";
  if (written == "*") return "×";
  return written;
}

std::string quantity_words(const Expression& of) {
  std::string of_what = of.run;
  const std::string_view rest = of.operation ? std::string_view(of.operation->text) : std::string_view(of.text);
  if (!rest.empty()) of_what += fmt::format("{}{}", of_what.empty() ? "" : ", ", rest);
  const std::string_view title = tr(of.quantity->title);
  return of_what.empty() ? std::string(title) : tr("{} ({})", title, of_what);
}

std::string operand_words(const Expression& operand, int least) {
  std::string words = in_words(operand);
  return binding_of(operand) < least ? tr("({})", words) : words;
}

}  // namespace

std::string_view sign_in_words(const Expression& comparison) { return sign_of(comparison.text); }

std::string in_words(const Expression& of) {
  const int own = binding_of(of);
  switch (of.kind) {
    case Kind::number:
      return of.type.dimension == kNumber && of.type.shown == Shown::plain ? fmt::format("{}", of.number)
                                                                           : display(of.number, of.type);
    case Kind::text: return fmt::format("\"{}\"", of.text);
    case Kind::quantity: return quantity_words(of);
    case Kind::answer: return tr("the answer");
    case Kind::negate: return "-" + operand_words(of.operands[0], own);
    case Kind::no: return tr("not {}", operand_words(of.operands[0], own));
    case Kind::arithmetic:
    case Kind::compare:
      return fmt::format("{} {} {}", operand_words(of.operands[0], own), sign_of(of.text),
                         operand_words(of.operands[1], own + 1));
    case Kind::all:
    case Kind::any: break;
  }
  std::string words = operand_words(of.operands[0], own);
  for (std::size_t i = 1; i < of.operands.size(); ++i) {
    const std::string next = operand_words(of.operands[i], own);
    words = of.kind == Kind::all ? tr("{}, and {}", words, next) : tr("{} or {}", words, next);
  }
  return words;
}

}  // namespace streamscope::lesson
