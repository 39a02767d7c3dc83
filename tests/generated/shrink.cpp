#include "tests/generated/shrink.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>
#include <vector>

#include "engine/program/syntax/parse.h"
#include "engine/program/syntax/print.h"

namespace streamscope::generated {
namespace {

using program::Syntax;
using program::syntax::Line;
using Lines = std::vector<Line>;

class Shrinker {
 public:
  Shrinker(Case one, const std::function<bool(const Case&)>& still, int most)
      : best_(std::move(one)), still_(still), left_(most) {}

  Case shrink() {
    bool smaller = true;
    while (smaller && left_ > 0) {
      smaller = false;
      smaller |= leave_out_lines();
      smaller |= open_blocks();
      smaller |= leave_out_options();
      smaller |= leave_out_changes();
      smaller |= make_numbers_small();
    }
    return std::move(best_);
  }

 private:
  bool accept(Case next) {
    if (left_ <= 0 || (next.text == best_.text && next.device == best_.device)) return false;
    --left_;
    if (!still_(next)) return false;
    best_ = std::move(next);
    return true;
  }
  bool accept(const Syntax& syntax) { return accept({program::print(syntax), best_.device}); }
  Syntax tree() const { return program::parse(best_.text).syntax; }

  // Every list of lines in it: of the program, and of each block.
  static void lists_of(Lines& lines, std::vector<Lines*>& all) {
    all.push_back(&lines);
    for (Line& line : lines) {
      if (line.statement && line.statement->opens_block) lists_of(line.statement->body, all);
    }
  }
  // Changes a copy of the tree at its number-th list.
  template <class Change>
  std::optional<Syntax> changed(std::size_t number, const Change& change) const {
    Syntax syntax = tree();
    std::vector<Lines*> all;
    lists_of(syntax.lines, all);
    if (number >= all.size() || !change(*all[number])) return std::nullopt;
    return syntax;
  }
  std::size_t lists() const {
    Syntax syntax = tree();
    std::vector<Lines*> all;
    lists_of(syntax.lines, all);
    return all.size();
  }
  std::size_t length(std::size_t list) const {
    std::size_t found = 0;
    changed(list, [&](const Lines& lines) {
      found = lines.size();
      return false;
    });
    return found;
  }

  bool leave_out_lines() {
    bool any = false;
    for (std::size_t list = 0; list < lists() && left_ > 0; ++list) {
      for (std::size_t count = std::max<std::size_t>(1, length(list) / 2);; count /= 2) {
        // From the end: what is declared goes after what uses it.
        for (std::size_t end = length(list); end > 0 && left_ > 0;) {
          const std::size_t first = end > count ? end - count : 0;
          const auto next = changed(list, [&](Lines& lines) {
            if (end > lines.size()) return false;
            lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(first),
                        lines.begin() + static_cast<std::ptrdiff_t>(end));
            return true;
          });
          any |= next && accept(*next);
          end = first;
        }
        if (count == 1) break;
      }
    }
    return any;
  }

  // What is in a block instead of it.
  bool open_blocks() {
    bool any = false;
    for (std::size_t list = 0; list < lists() && left_ > 0; ++list) {
      for (std::size_t i = length(list); i-- > 0 && left_ > 0;) {
        const auto next = changed(list, [&](Lines& lines) {
          if (i >= lines.size() || !lines[i].statement || !lines[i].statement->opens_block) return false;
          const Lines body = std::move(lines[i].statement->body);
          const auto at = lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(i));
          lines.insert(at, body.begin(), body.end());
          return true;
        });
        any |= next && accept(*next);
      }
    }
    return any;
  }

  bool leave_out_options() {
    bool any = false;
    for (std::size_t list = 0; list < lists() && left_ > 0; ++list) {
      for (std::size_t i = 0; i < length(list) && left_ > 0; ++i) {
        for (std::size_t option = 0;; ++option) {
          const auto next = changed(list, [&](Lines& lines) {
            if (!lines[i].statement || option >= lines[i].statement->options.size()) return false;
            auto& options = lines[i].statement->options;
            options.erase(options.begin() + static_cast<std::ptrdiff_t>(option));
            return true;
          });
          if (!next) break;
          if (accept(*next)) any = true, --option;
        }
      }
    }
    return any;
  }

  bool leave_out_changes() {
    bool any = false;
    for (std::size_t i = best_.device.changes.size(); i-- > 0 && left_ > 0;) {
      Case next = best_;
      next.device.changes.erase(next.device.changes.begin() + static_cast<std::ptrdiff_t>(i));
      any |= accept(std::move(next));
    }
    return any;
  }

  // Each run of digits: 0, 1, or half of it. Each `{...}`: a number.
  bool make_numbers_small() {
    bool any = false;
    for (std::size_t at = 0; at < best_.text.size() && left_ > 0; ++at) {
      const std::string& text = best_.text;
      if (text[at] == '{' && at + 1 < text.size() && text[at + 1] != '\n') {
        const std::size_t end = text.find('}', at);
        if (end == std::string::npos) break;
        any |= accept({text.substr(0, at) + "0" + text.substr(end + 1), best_.device});
        continue;
      }
      const auto digit = [&](std::size_t i) {
        return i < text.size() && std::isdigit(static_cast<unsigned char>(text[i])) != 0;
      };
      const auto in_word = [&](std::size_t i) {
        return std::isalnum(static_cast<unsigned char>(text[i])) != 0 || text[i] == '_';
      };
      if (!digit(at) || (at > 0 && in_word(at - 1))) continue;
      std::size_t end = at;
      while (digit(end)) ++end;
      const std::string number = text.substr(at, end - at);
      std::vector<std::string> smaller;
      if (number != "0") smaller.push_back("0");
      if (number != "0" && number != "1") smaller.push_back("1");
      if (number.size() < 16 && number.size() > 1) smaller.push_back(std::to_string(std::stoll(number) / 2));
      for (const std::string& each : smaller) {
        if (!accept({best_.text.substr(0, at) + each + best_.text.substr(end), best_.device})) continue;
        any = true;
        break;
      }
      while (digit(at + 1)) ++at;
    }
    return any;
  }

  Case best_;
  const std::function<bool(const Case&)>& still_;
  int left_;
};

}  // namespace

Case shrink(Case one, const std::function<bool(const Case&)>& still, int most) {
  return Shrinker(std::move(one), still, most).shrink();
}

}  // namespace streamscope::generated
