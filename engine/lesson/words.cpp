#include "engine/lesson/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "engine/base/name_table.h"
#include "engine/base/place.h"
#include "engine/base/suggest.h"
#include "engine/base/translate.h"
#include "engine/lesson/quantities.h"
#include "engine/verdict/causes.h"

namespace streamscope::lesson {
namespace {

class Reader {
 public:
  Reader(std::string_view text, const std::string& file, const std::vector<Needed>& needed, const Names& names)
      : rest_(text), needed_(needed), names_(names) {
    out_.file = file;
  }

  Result<Words> read() {
    while (next()) one_line();
    end_block();
    if (out_.title.empty()) wrong(1, tr("the title is missing: begin with '# ' and the lesson's title"));
    if (out_.about.empty()) wrong(1, tr("behind the title a paragraph is missing, of what the lesson is about"));
    for (const Needed& each : needed_) look_for(each);
    if (!wrong_.empty()) return fail(ErrorKind::bad_input, std::move(wrong_));
    return std::move(out_);
  }

 private:
  void wrong(std::size_t line, std::string_view what, std::size_t column = 1) {
    wrong_ += fmt::format("{}{}", wrong_.empty() ? "" : "\n",
                          error_at(fmt::format("{}:{}:{}", out_.file, line, column), what));
  }

  bool next() {
    if (rest_.empty()) return false;
    line_ = rest_.substr(0, rest_.find('\n'));
    rest_.remove_prefix(std::min(line_.size() + 1, rest_.size()));
    if (line_.ends_with('\r')) line_.remove_suffix(1);
    ++number_;
    return true;
  }

  void one_line() {
    if (line_.starts_with("```")) return fence();
    if (line_.starts_with('#')) return heading();
    const std::size_t first = line_.find_first_not_of(" \t");
    if (first == std::string_view::npos) return end_block();
    std::string_view text = line_.substr(first, line_.find_last_not_of(" \t") + 1 - first);
    if (text.starts_with("- ")) {
      end_block();
      const std::size_t begin = text.find_first_not_of(' ', 2);
      if (begin == std::string_view::npos) return;
      if (option(text.substr(begin), first + begin + 1)) return;
      kind_ = Block::Kind::item;
      return add(text.substr(begin), first + begin + 1);
    }
    if (raw_.empty()) kind_ = Block::Kind::paragraph;
    add(text, first + 1);
  }

  // "half: About half as long." of a step that has such a choice or item.
  bool option(std::string_view text, std::size_t column) {
    const std::size_t colon = text.find(':');
    if (need_ == nullptr || !answer_.empty() || colon == std::string_view::npos) return false;
    const std::string name(text.substr(0, colon));
    if (std::ranges::find(need_->options, name) == need_->options.end()) return false;
    if (section_->options.contains(name)) wrong(number_, tr("'{}' has words already", name), column);
    option_ = &section_->options[name];
    const std::size_t begin = std::min(text.find_first_not_of(' ', colon + 1), text.size());
    if (begin < text.size()) add(text.substr(begin), column + begin);
    return true;
  }

  void fence() {
    end_block();
    const std::size_t begin = number_;
    std::string code;
    while (next() && !line_.starts_with("```")) code += fmt::format("{}\n", line_);
    if (!line_.starts_with("```") || number_ == begin)
      wrong(begin, tr("this block of code has no end: ``` is missing"));
    text()->push_back({Block::Kind::code, {{Piece::Kind::plain, std::move(code)}}});
  }

  void heading() {
    end_block();
    const std::size_t depth = std::min(line_.find_first_not_of('#'), line_.size());
    const std::size_t begin = line_.find_first_not_of(' ', depth);
    if (depth > 3 || begin == depth || begin == std::string_view::npos)
      return wrong(number_, tr("write '# title', '## step' or '### answer'"));
    const std::string name(line_.substr(begin, line_.find_last_not_of(" \t") + 1 - begin));
    if (depth == 1) {
      if (!out_.title.empty()) return wrong(number_, tr("there is a title already; a step begins with ##"));
      out_.title = name;
    } else if (depth == 2) {
      step(name, begin + 1);
    } else {
      answer(name, begin + 1);
    }
  }

  void step(const std::string& name, std::size_t column) {
    answer_.clear();
    const auto at = std::ranges::find(needed_, name, &Needed::step);
    need_ = at == needed_.end() ? nullptr : &*at;
    if (need_ == nullptr) {
      std::vector<std::string_view> steps;
      for (const Needed& each : needed_) steps.push_back(each.step);
      wrong(number_, tr("lesson.toml has no step '{}'{}", name, did_you_mean(name, steps)), column);
    }
    const auto [section, added] = out_.sections.try_emplace(name);
    if (!added) wrong(number_, tr("the step '{}' has words already", name), column);
    section_ = &section->second;
    section_->place = fmt::format("{}:{}:1", out_.file, number_);
  }

  void answer(const std::string& name, std::size_t column) {
    if (section_ == nullptr) return wrong(number_, tr("an answer stands below a step, which begins with ##"));
    answer_ = name;
    if (!section_->answers.try_emplace(name).second)
      wrong(number_, tr("the answer '{}' is there already", name), column);
    if (need_ == nullptr || std::ranges::find(need_->answers, name) != need_->answers.end() ||
        std::ranges::find(need_->options, name) != need_->options.end() || (need_->wrong_for_all && name == "wrong"))
      return;
    std::vector<std::string_view> known(need_->answers.begin(), need_->answers.end());
    known.insert(known.end(), need_->options.begin(), need_->options.end());
    wrong(number_,
          known.empty() ? tr("the step '{}' answers nothing", need_->step)
                        : tr("the step '{}' has no answer '{}'; it has {}", need_->step, name, fmt::join(known, ", ")),
          column);
  }

  // Where text goes now.
  Text* text() {
    if (section_ == nullptr) return &out_.about;
    return answer_.empty() ? &section_->text : &section_->answers[answer_];
  }

  // The lines of a paragraph become one: between letters of Chinese, which has no spaces, with none.
  void add(std::string_view part, std::size_t column) {
    if (!raw_.empty() && !(without_spaces(last_letter(raw_)) && without_spaces(part))) raw_ += ' ';
    begins_.push_back({raw_.size(), number_, column});
    raw_ += part;
  }
  static bool without_spaces(std::string_view letter) {
    const auto first = letter.empty() ? '\0' : letter.front();
    return (first >= '\xE3' && first <= '\xE9') || letter.starts_with("\xEF\xBC") || letter.starts_with("\xEF\xBD");
  }
  static std::string_view last_letter(std::string_view text) {
    std::size_t at = text.size();
    while (at > 0 && (text[--at] & 0xC0) == 0x80) continue;
    return text.substr(at);
  }

  void end_block() {
    Line line = pieces();
    if (option_ != nullptr)
      *option_ = std::move(line);
    else if (Text* to = text(); !line.empty())
      to->push_back({kind_, std::move(line)});
    raw_.clear();
    begins_.clear();
    option_ = nullptr;
  }

  // The place in the file of what is at that offset of the block.
  TextPlace place_of(std::size_t offset) const {
    const auto behind = std::ranges::upper_bound(begins_, offset, {}, &Begin::offset);
    const Begin& begin = *std::prev(behind);
    return {out_.file, begin.line, begin.column + offset - begin.offset};
  }

  Line pieces() {
    Line line;
    const auto plain = [&](std::string_view text) {
      if (text.empty()) return;
      if (!line.empty() && line.back().kind == Piece::Kind::plain)
        line.back().text += text;
      else
        line.push_back({Piece::Kind::plain, std::string(text)});
    };
    const std::string_view part = raw_;
    std::size_t at = 0;
    while (at < part.size()) {
      const std::size_t mark = std::min(part.find_first_of("*`{", at), part.size());
      plain(part.substr(at, mark - at));
      if (mark == part.size()) break;
      at = mark;
      const bool bold = part.substr(at).starts_with("**");
      if (part[at] == '*' && !bold) {
        plain(part.substr(at++, 1));
        continue;
      }
      const std::string_view end = bold ? "**" : part[at] == '`' ? "`" : "}";
      const std::size_t begin = at + end.size(), stop = part.find(end, begin);
      if (stop == std::string_view::npos) {
        const TextPlace here = place_of(at);
        wrong(here.line, tr("this is never closed: {} is missing", end), here.column);
        break;
      }
      const std::string inside(part.substr(begin, stop - begin));
      if (part[at] == '{')
        value(line, inside, place_of(begin));
      else
        line.push_back({bold ? Piece::Kind::bold : Piece::Kind::code, inside});
      at = stop + end.size();
    }
    return line;
  }

  void value(Line& line, const std::string& written, const TextPlace& place) {
    auto parsed = parse_expression(written, place, {names_.runs, {}});
    if (parsed) {
      each_quantity(*parsed, [&](const Expression& of) {
        if (of.run.empty() && (need_ == nullptr || need_->run.empty()))
          wrong_ +=
              fmt::format("{}{}", wrong_.empty() ? "" : "\n",
                          error_at(of.place, tr("this step has no run of its own: write {}(RUN)", of.quantity->name)));
      });
      line.push_back({Piece::Kind::value, written, std::move(*parsed)});
    } else {
      wrong_ += fmt::format("{}{}", wrong_.empty() ? "" : "\n", parsed.error().message);
    }
  }

  void look_for(const Needed& each) {
    const auto at = out_.sections.find(each.step);
    if (at == out_.sections.end())
      return wrong(number_, tr("the step '{}' has no words: '## {}' is missing", each.step, each.step));
    const Section& section = at->second;
    const auto missing = [&](std::string_view what) {
      wrong_ += fmt::format("{}{}", wrong_.empty() ? "" : "\n", error_at(section.place, what));
    };
    if (section.text.empty()) missing(tr("the step '{}' has no text", each.step));
    const auto has = [&](const std::string& name) {
      const auto answer = section.answers.find(name);
      return answer != section.answers.end() && !answer->second.empty();
    };
    for (const std::string& name : each.options) {
      const auto words = section.options.find(name);
      if (words == section.options.end() || words->second.empty())
        missing(tr("'- {}: …' is missing in the step '{}'", name, each.step));
      if (each.wrong_for_all && !has(name) && !has("wrong"))
        missing(tr("'### {}' is missing in the step '{}': what is said to who answered so although it is wrong", name,
                   each.step));
    }
    for (const std::string& name : each.answers)
      if (!has(name)) missing(tr("'### {}' is missing in the step '{}'", name, each.step));
  }

  std::string_view rest_, line_;
  std::size_t number_ = 0;
  const std::vector<Needed>& needed_;
  const Names& names_;
  Words out_;
  std::string wrong_;
  const Needed* need_ = nullptr;
  Section* section_ = nullptr;
  std::string answer_;
  Block::Kind kind_ = Block::Kind::paragraph;
  struct Begin {
    std::size_t offset, line, column;
  };
  std::string raw_;            // the block, its lines joined
  std::vector<Begin> begins_;  // of its lines
  Line* option_ = nullptr;
};

std::string shown(const Piece& piece, const Scope* scope) {
  if (piece.kind != Piece::Kind::value) return piece.text;
  if (scope == nullptr) return "…";
  const auto value = evaluate(*piece.value, *scope);
  if (!value) return "…";
  const std::string text = display(*value, piece.value->type);
  if (piece.value->quantity == nullptr || piece.value->quantity->name != "cause") return text;
  const auto cause = by_name<verdict::Cause>(text);
  return cause ? fmt::format("“{}”", verdict::title(*cause)) : text;
}

}  // namespace

Result<Words> read_words(std::string_view markdown, const std::string& file, const std::vector<Needed>& needed,
                         const Names& names) {
  if (markdown.starts_with("\xEF\xBB\xBF")) markdown.remove_prefix(3);
  return Reader(markdown, file, needed, names).read();
}

Heading heading_of(std::string_view markdown) {
  // Whatever is wrong further on is not this reader's.
  const std::string_view head = markdown.substr(0, markdown.find("\n## "));
  const std::string file;
  const auto words = Reader(head, file, {}, {}).read();
  return words ? Heading{words->title, plain(words->about, nullptr)} : Heading{};
}

std::string plain(const Line& line, const Scope* scope) {
  std::string out;
  for (const Piece& each : line) out += shown(each, scope);
  return out;
}

std::string plain(const Text& text, const Scope* scope) {
  std::string out;
  const Block* before = nullptr;
  for (const Block& each : text) {
    const bool list = before != nullptr && before->kind == Block::Kind::item && each.kind == Block::Kind::item;
    if (before != nullptr) out += list ? "\n" : "\n\n";
    if (each.kind == Block::Kind::item) out += "- ";
    out += plain(each.line, scope);
    if (each.kind == Block::Kind::code && out.ends_with('\n')) out.pop_back();
    before = &each;
  }
  return out;
}

std::string all_text(const Words& words) {
  std::string out = words.title + plain(words.about, nullptr);
  for (const auto& [step, section] : words.sections) {
    out += plain(section.text, nullptr);
    for (const auto& [name, line] : section.options) out += plain(line, nullptr);
    for (const auto& [name, text] : section.answers) out += plain(text, nullptr);
  }
  return out;
}

}  // namespace streamscope::lesson
