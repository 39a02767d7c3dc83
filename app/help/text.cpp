// Entries for a terminal of 80 columns.
#include <fmt/format.h>

#include <algorithm>

#include "app/help/write.h"
#include "engine/base/translate.h"
#include "engine/base/wide_letters.h"

namespace streamscope::help {
namespace {

constexpr std::size_t kIndent = 2, kLabel = 12;

// The words in lines of `width`, each behind so many blanks; the first line behind `label`, which is part of them.
std::string wrapped(std::string_view text, std::size_t indent, std::string_view label = {}) {
  std::string out(label);
  out.resize(std::max(out.size(), indent), ' ');
  std::size_t at = indent;
  bool behind_blank = false;
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  while (!text.empty()) {
    std::size_t end = 1;  // of a word, or of a letter beside which a line may end
    while (end < text.size() && text[end] != ' ' && ((text[end] & 0xC0) == 0x80 || !may_break(text, end))) ++end;
    const std::string_view word = text.substr(0, end);
    const std::size_t blank = behind_blank ? 1 : 0;
    if (at > indent && at + blank + columns(word) > kWidth) {
      out += '\n';
      out.append(indent, ' ');
      at = indent;
    } else {
      out.append(blank, ' ');
      at += blank;
    }
    out += word;
    at += columns(word);
    text.remove_prefix(end);
    behind_blank = text.starts_with(' ');
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  }
  return out + "\n";
}

std::string row(const char* label, std::string_view value) {
  if (value.empty()) return {};
  std::string before(kIndent, ' ');
  before += label;
  // Of a label in another language its columns count, not its bytes.
  const std::size_t wide = kIndent + columns(label);
  before.append(wide < kIndent + kLabel ? kIndent + kLabel - wide : 1, ' ');
  const std::string lines = wrapped(value, kIndent + kLabel);
  return before + lines.substr(kIndent + kLabel);
}

std::string separated_by_commas(const std::vector<std::string>& all) { return fmt::format("{}", fmt::join(all, ", ")); }

std::string block(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out += fmt::format("      {}\n", text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace

std::string as_text(const Entry& entry) {
  std::string out = fmt::format("{}  ({})\n", entry.word, what(entry.kind, entry.of));
  out += wrapped(entry.sentence, kIndent);
  for (std::string_view rest = entry.text; !rest.empty();) {
    const std::string_view paragraph = rest.substr(0, rest.find("\n\n"));
    rest.remove_prefix(std::min(paragraph.size() + 2, rest.size()));
    out += "\n" + wrapped(paragraph, kIndent);
  }
  std::string rows = row(tr("written"), entry.syntax) + row("CUDA", separated_by_commas(entry.calls)) +
                     row(tr("values"), entry.range) + row(tr("unit"), entry.unit) + row(tr("default"), entry.standard) +
                     row(tr("also"), separated_by_commas(entry.also));
  if (entry.kind == Kind::experiment_key) rows += row(tr("of kernel"), entry.of);
  if (!rows.empty()) out += "\n" + rows;
  if (!entry.example.empty()) out += fmt::format("\n  {}\n\n{}", tr("example"), block(entry.example));
  if (!entry.see.empty()) out += "\n" + row(tr("see also"), separated_by_commas(entry.see));
  return out;
}

std::string as_line(const Entry& entry) {
  constexpr std::size_t kWord = 24;
  std::string out = "  " + entry.word;
  const std::size_t wide = 2 + columns(entry.word);
  out.append(wide + 2 <= kWord ? kWord - wide : 2, ' ');
  std::string rest = what(entry.kind, entry.of);
  const std::size_t room = kWidth - columns(out);
  const std::string all = fmt::format("{}: {}", rest, entry.sentence);
  if (columns(all) <= room) return out + all + "\n";
  std::string cut;
  std::size_t at = 0;
  for (std::size_t i = 0; i < all.size();) {
    std::size_t next = i + 1;
    while (next < all.size() && (static_cast<unsigned char>(all[next]) & 0xC0) == 0x80) ++next;
    at += columns(std::string_view(all).substr(i, next - i));
    if (at > room - 3) break;
    cut += all.substr(i, next - i);
    i = next;
  }
  return out + cut + "...\n";
}

namespace {

std::string lines_of(const char* title, const std::vector<const Entry*>& entries, std::size_t from = 0) {
  constexpr std::size_t kMost = 20;
  if (from >= entries.size()) return {};
  std::string out = std::string(title) + "\n";
  const std::size_t end = std::min(from + kMost, entries.size());
  for (std::size_t i = from; i < end; ++i) out += as_line(*entries[i]);
  if (const std::size_t more = entries.size() - end; more > 0)
    out += "  " + tr_n("and {} more", "and {} more", more, more) + "\n";
  return out;
}

}  // namespace

std::string as_text(const Found& found, std::string_view word) {
  constexpr std::size_t kWhole = 4;
  const std::string shown_by = lines_of(tr("These lessons, experiments and programs show it:"), found.shown_by);
  std::string out;
  if (!found.called.empty()) {
    for (std::size_t i = 0; i < std::min(kWhole, found.called.size()); ++i)
      out += (i == 0 ? "" : "\n") + as_text(*found.called[i]);
    for (const std::string& part : {lines_of(tr("Also called so:"), found.called, kWhole), shown_by})
      out += part.empty() ? part : "\n" + part;
    return out;
  }
  std::string near;
  for (const std::string& each : found.near) near += fmt::format("{}'{}'", near.empty() ? "" : ", ", each);
  out = near.empty() ? tr("Nothing is called '{}'.", word) : tr("Nothing is called '{}'; did you mean {}?", word, near);
  return out + "\n" + shown_by + lines_of(tr("These speak of it:"), found.speak_of);
}

}  // namespace streamscope::help
