// How large chunks, grids and pipelines are.
#include "engine/remedy/text_edits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "engine/base/quantity.h"
#include "engine/base/translate.h"
#include "engine/program/syntax/expression.h"
#include "engine/remedy/statements.h"

namespace streamscope::remedy {

using program::Syntax;
using program::syntax::Argument;
using program::syntax::Line;
using program::syntax::Number;
using program::syntax::Option;
using program::syntax::Range;
using program::syntax::Statement;
using program::syntax::Verb;
using verdict::Cause;

namespace {

constexpr std::int64_t kSmallestPiece = 4096;  // bytes

const Range* first_range(const Statement& repeat) {
  for (const Line& line : repeat.body) {
    if (!line.statement) continue;
    for (const Argument& one : line.statement->arguments) {
      if (const auto* range = std::get_if<Range>(&one); range != nullptr && range->bytes) return range;
    }
  }
  return nullptr;
}

// What stands in the braces that a text begins with; empty where there is more than one pair.
std::string braced(const std::string& text) {
  const std::size_t end = text.find('}');
  if (text.empty() || text[0] != '{' || end == std::string::npos || text.find('{', 1) != std::string::npos) return {};
  return text.substr(1, end - 1);
}

// By how much an offset of the second turn is behind that of the first.
std::optional<std::int64_t> stride(const Number& offset, const std::string& variable) {
  std::int64_t at[2] = {};
  for (const std::int64_t turn : {0, 1}) {
    // Of repeats around it the first turn.
    const program::Evaluated found = program::evaluate(
        offset.expression,
        [&](std::string_view name) -> std::optional<std::int64_t> { return name == variable ? turn : 0; });
    if (!std::holds_alternative<std::int64_t>(found)) return std::nullopt;
    at[turn] = std::get<std::int64_t>(found) * offset.factor;
  }
  return at[1] - at[0];
}

std::optional<Syntax> with_chunks(const Syntax& syntax, const Place& place, std::int64_t by, bool larger) {
  Syntax changed = syntax;
  Statement& repeat = at(changed, place);
  auto* const count = repeat.arguments.empty() ? nullptr : std::get_if<Number>(&repeat.arguments[0]);
  const Range* const first = first_range(repeat);
  if (count == nullptr || !count->expression.nodes.empty() || !repeat.variable || first == nullptr) return {};
  const std::int64_t bytes = first->bytes->value;
  if (larger ? count->value % by != 0 : bytes % (by * kSmallestPiece) != 0) return {};
  const std::int64_t new_bytes = larger ? bytes * by : bytes / by;
  const std::string& variable = repeat.variable->text;
  for (Line& line : repeat.body) {
    if (!line.statement) continue;
    if (!line.statement->stream || line.statement->opens_block) return {};
    if (option(*line.statement, "rows") != nullptr) return {};  // a part of a matrix, whatever the range's length
    // With other chunks there are more or fewer of what has no range: other work.
    const bool marks = line.statement->verb == Verb::record || line.statement->verb == Verb::wait;
    if (!marks && std::ranges::none_of(line.statement->arguments,
                                       [](const Argument& one) { return std::holds_alternative<Range>(one); })) {
      return {};
    }
    // `S{i}` has a stream for each turn there is now.
    if (line.statement->stream->text.ends_with("{" + variable + "}") && !larger) {
      line.statement->stream->text.insert(line.statement->stream->text.size() - 1, "%" + std::to_string(count->value));
    }
    for (Argument& one : line.statement->arguments) {
      auto* const range = std::get_if<Range>(&one);
      if (range == nullptr) continue;
      const bool is_chunk = range->offset && range->bytes->expression.nodes.empty() && range->bytes->value == bytes &&
                            stride(*range->offset, variable) == bytes;
      if (!is_chunk) return {};
      const std::string inside = braced(range->offset->text);
      if (inside.empty()) return {};
      if (larger) {
        range->offset->text.replace(1, inside.size(),
                                    with_variable(inside, variable, "(" + variable + "*" + std::to_string(by) + ")"));
      } else {
        range->offset->text = "{(" + with_variable(inside, variable, "(" + variable + "/" + std::to_string(by) + ")") +
                              ")*" + std::to_string(range->offset->factor) + "+" + variable + "%" + std::to_string(by) +
                              "*" + std::to_string(new_bytes) + "}";
      }
      range->bytes->text = exact_bytes(static_cast<std::uint64_t>(new_bytes));
    }
  }
  count->text = std::to_string(larger ? count->value / by : count->value * by);
  return changed;
}

// A repeat over equal chunks, over fewer larger or more smaller ones.
void other_chunks(const Syntax& syntax, Cause cause, bool larger, TextEdits& edits) {
  for (const Place& place : places(syntax, [](const Statement& one) { return one.verb == Verb::repeat; })) {
    for (const std::int64_t by : {2, 4}) {
      if (auto changed = with_chunks(syntax, place, by, larger)) {
        const Range* const range = first_range(at(*changed, place));
        if (range != nullptr)
          add(edits, cause, tr("chunks of {} in line {}", range->bytes->text, line_of(syntax, place)),
              std::move(*changed));
      }
    }
  }
}

}  // namespace

void larger_chunks(const Syntax& syntax, TextEdits& edits) {
  other_chunks(syntax, Cause::chunks_too_small, true, edits);
}
void smaller_chunks(const Syntax& syntax, TextEdits& edits) {
  other_chunks(syntax, Cause::chunks_too_large, false, edits);
}

namespace {

// Kernels that write an option out as a number: with another one.
void each_number(
    const Syntax& syntax, std::string_view key,
    const std::function<void(const Place&, std::int64_t value, const std::function<Syntax(std::int64_t)>&)>& visit) {
  for (const Place& place :
       places(syntax, [&](const Statement& one) { return one.verb == Verb::kernel && option(one, key) != nullptr; })) {
    const auto number_in = [&](Syntax& of) -> Number* {
      Option& found = *option(at(of, place), key);
      auto* const number = found.value ? std::get_if<Number>(&*found.value) : nullptr;
      return number != nullptr && number->expression.nodes.empty() ? number : nullptr;
    };
    Syntax copy = syntax;
    const Number* const now = number_in(copy);
    if (now == nullptr) continue;
    visit(place, now->value, [&](std::int64_t value) {
      Syntax changed = syntax;
      number_in(changed)->text = std::to_string(value);
      return changed;
    });
  }
}

// The same of kernels that have the option and leave it out.
void each_left_out(
    const Syntax& syntax, std::string_view key,
    const std::function<void(const Place&, std::int64_t value, const std::function<Syntax(std::int64_t)>&)>& visit) {
  const auto its_option = [&](const Statement& one) -> const kernels::Option* {
    if (one.verb != Verb::kernel || one.kernel == nullptr) return nullptr;
    const auto found = std::ranges::find(one.kernel->options, key, &kernels::Option::key);
    return found == one.kernel->options.end() ? nullptr : &*found;
  };
  for (const Place& place : places(
           syntax, [&](const Statement& one) { return its_option(one) != nullptr && option(one, key) == nullptr; })) {
    visit(place, its_option(at(syntax, place))->standard, [&](std::int64_t value) {
      Syntax changed = syntax;
      at(changed, place)
          .options.push_back(
              {.location = {},
               .key = std::string(key),
               .value = Number{.location = {}, .text = std::to_string(value), .value = value, .expression = {}}});
      return changed;
    });
  }
}

}  // namespace

void fewer_blocks(const Syntax& syntax, TextEdits& edits) {
  each_number(syntax, "blocks", [&](const Place& place, std::int64_t now, const auto& with) {
    // The blocks of a kernel with data share the same work. One without takes as long with fewer only if all of them
    // fit on the device at once.
    const bool has_data = at(syntax, place).kernel->operands != kernels::Operands::none;
    for (const std::int64_t by : {2, 4}) {
      if (now < 2 * by) continue;
      add(edits, Cause::sm_full,
          tr("{} blocks in line {}, so that kernels fit side by side", now / by, line_of(syntax, place)),
          with(now / by));
      if (!has_data) edits.back().fits_at_once = line_of(syntax, place);
    }
  });
}

void more_stages(const Syntax& syntax, TextEdits& edits) {
  Syntax all = syntax;
  std::size_t count = 0;
  const auto stages = [&](const Place& place, std::int64_t now, const auto& with) {
    for (const std::int64_t more : {now + 1, 2 * now}) {
      Syntax one = with(more);
      at(all, place) = at(one, place);
      add(edits, Cause::tile_stages, tr("{} stages in line {}", more, line_of(syntax, place)), std::move(one));
    }
    ++count;
  };
  each_number(syntax, "stages", stages);
  each_left_out(syntax, "stages", stages);
  if (count > 1) add(edits, Cause::tile_stages, tr("twice the stages in {} lines", count), std::move(all));
  each_number(syntax, "buffers", [&](const Place& place, std::int64_t now, const auto& with) {
    if (now != 1) return;
    add(edits, Cause::tile_stages, tr("two places for a tile in line {}", line_of(syntax, place)), with(2));
  });
  for (const Place& place :
       places(syntax, [](const Statement& one) { return value_of(option(one, "copy")) == "sync"; })) {
    Syntax changed = syntax;
    std::erase_if(at(changed, place).options, [](const Option& one) { return one.key == "copy"; });
    add(edits, Cause::tile_stages, tr("asynchronous copies of tiles in line {}", line_of(syntax, place)),
        std::move(changed));
  }
}

// What holds the copies of tiles up more than the kernel by itself would have it: a wait for more of them, and narrow
// ones.
void own_choice_of_copies(const Syntax& syntax, TextEdits& edits) {
  for (const Place& place : places(syntax, [](const Statement& one) { return one.verb == Verb::kernel; })) {
    std::string all;
    Syntax none = syntax;
    for (const std::string_view key : {"wait", "smem-align", "bytes"}) {
      const Option* const now = option(at(syntax, place), key);
      if (now == nullptr) continue;
      const auto is_it = [&](const Option& one) { return one.key == key; };
      Syntax one = syntax;
      std::erase_if(at(one, place).options, is_it);
      std::erase_if(at(none, place).options, is_it);
      const std::string words = fmt::format("{}={}", key, value_of(now));
      add(edits, Cause::tile_stages, tr("{} left out in line {}", words, line_of(syntax, place)), std::move(one));
      all += (all.empty() ? "" : ", ") + words;
    }
    if (all.find(',') != std::string::npos)
      add(edits, Cause::tile_stages, tr("{} left out in line {}", all, line_of(syntax, place)), std::move(none));
  }
}

void converged(const Syntax& syntax, TextEdits& edits) {
  Syntax all = syntax;
  std::size_t count = 0;
  each_number(syntax, "diverge", [&](const Place& place, std::int64_t now, const auto& with) {
    if (now <= 1) return;
    Syntax one = with(1);
    at(all, place) = at(one, place);
    ++count;
    add(edits, Cause::divergence, tr("warps that commit as one in line {}", line_of(syntax, place)), std::move(one));
  });
  if (count > 1) add(edits, Cause::divergence, tr("warps that commit as one in {} lines", count), std::move(all));
}

}  // namespace streamscope::remedy
