// Entries as parts of the pages in docs/.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "app/help/write.h"
#include "engine/base/translate.h"
#include "kernels/registry.h"

namespace streamscope::help {
namespace {

using Which = std::function<bool(const Entry&)>;

// In a table: what would end the cell.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

std::string code(std::string_view text) { return text.empty() ? std::string() : fmt::format("`{}`", text); }

std::string indented(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out += end == 0 ? "\n" : fmt::format("    {}\n", text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string list(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& each : words) out += fmt::format("{}{}", out.empty() ? "" : ", ", code(each));
  return out;
}

// In lines of the width of the pages.
std::string paragraph(std::string_view text, std::string_view indent = {}) {
  constexpr std::size_t kPage = 110;
  std::string out;
  std::size_t at = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (at != 0 && at + 1 + word.size() > kPage) {
      out += '\n';
      out += indent;
      at = indent.size();
      out += word;
      at += word.size();
      continue;
    }
    if (at != 0) {
      out += ' ';
      ++at;
    }
    out += word;
    at += word.size();
  }
  return out + "\n";
}

std::string section(const Entries& entries, const Entry& entry) {
  std::string out = fmt::format("#### {}\n\n{}", code(entry.word),
                                paragraph(entry.sentence + (entry.text.empty() ? "" : " ") + entry.text));
  out += "\n    " + paragraph(entry.syntax, "            ");
  if (!entry.calls.empty()) out += fmt::format("\nCUDA: {}\n", list(entry.calls));
  std::string options;
  for (const Entry& each : entries) {
    if (each.kind != Kind::statement_option || each.of != entry.word) continue;
    // What the host does by the same word as a stream has options of its own.
    if (entry.syntax.starts_with("host:") && entry.syntax.find(each.word + "=") == std::string::npos) continue;
    options += fmt::format("| {} | {} | {} | {} |\n", code(each.word), cell(each.sentence), cell(each.range),
                           cell(each.standard));
  }
  if (!options.empty()) {
    out += fmt::format("\n| {} | {} | {} | {} |\n| --- | --- | --- | --- |\n{}", tr("option"), tr("what it is"),
                       tr("values"), tr("where left out"), options);
  }
  if (!entry.example.empty()) out += fmt::format("\n{}:\n\n{}", tr("Example"), indented(entry.example));
  return out + "\n";
}

std::string sections(const Entries& entries, const char* title, const Which& which) {
  std::string out = fmt::format("### {}\n\n", title);
  for (const Entry& each : entries) {
    if (which(each)) out += section(entries, each);
  }
  return out;
}

std::string option_table(const Entries& entries, std::string_view command) {
  std::string out;
  for (const Entry& each : entries) {
    if (each.kind != Kind::option || each.of != command) continue;
    out += fmt::format("| {} | {} | {} | {} | {} |\n", code(cell(each.syntax)), cell(each.sentence), cell(each.unit),
                       cell(each.standard), code(cell(each.example)));
  }
  if (out.empty()) return out;
  return fmt::format("| {} | {} | {} | {} | {} |\n| --- | --- | --- | --- | --- |\n{}\n", tr("option"),
                     tr("what it does"), tr("unit"), tr("default"), tr("example"), out);
}

}  // namespace

std::string language_page(const Entries& entries) {
  const auto kind = [](Kind wanted) { return [wanted](const Entry& each) { return each.kind == wanted; }; };
  const auto statement = [&](std::string_view begin, bool kernel) {
    return [begin, kernel](const Entry& each) {
      if (each.kind != Kind::statement) return false;
      const bool is_kernel = kernels::find(each.word) != nullptr;
      const std::size_t colon = each.syntax.find(": ");
      const std::string_view lead =
          colon == std::string::npos ? std::string_view{} : std::string_view(each.syntax).substr(0, colon);
      return is_kernel == kernel && lead == begin;
    };
  };
  return sections(entries, tr("Declarations and structure"), statement("", false)) +
         sections(entries, tr("Given to a stream"), statement("STREAM", false)) +
         sections(entries, tr("Kernels"), statement("STREAM", true)) +
         sections(entries, tr("Done by the host"), statement("host", false)) +
         sections(entries, tr("What stands in statements"), kind(Kind::notion));
}

std::string command_line_page(const Entries& entries) {
  std::string out;
  for (const Entry& each : entries) {
    if (each.kind != Kind::command) continue;
    out += fmt::format("### {}\n\n{}\n    {}\n\n", code("streamscope" + (each.of.empty() ? "" : " " + each.of)),
                       paragraph(each.sentence + (each.text.empty() ? "" : " ") + each.text), each.syntax);
    out += option_table(entries, each.of);
  }
  out += fmt::format("### {}\n\n| {} | {} |\n| --- | --- |\n", tr("Exit codes"), tr("code"), tr("what it says"));
  for (const Entry& each : entries) {
    if (each.kind == Kind::exit_code) out += fmt::format("| {} | {} |\n", each.word, cell(each.sentence));
  }
  out += fmt::format("\n### {}\n\n| {} | {} |\n| --- | --- |\n", tr("Environment"), tr("variable"), tr("what it does"));
  for (const Entry& each : entries) {
    if (each.kind == Kind::variable) out += fmt::format("| {} | {} |\n", code(each.word), cell(each.sentence));
  }
  out += fmt::format("\n### {}\n\n| {} | {} | {} | {} |\n| --- | --- | --- | --- |\n", tr("Keys of an experiment"),
                     tr("key"), tr("what it is"), tr("values"), tr("default"));
  for (const Entry& each : entries) {
    if (each.kind != Kind::experiment_key) continue;
    const std::string of = each.of.empty() ? "" : fmt::format(" ({})", each.of);
    const std::string unit = each.unit.empty() ? "" : fmt::format(" {}", each.unit);
    out += fmt::format("| {} | {}{} | {}{} | {} |\n", code(each.word), cell(each.sentence), of, cell(each.range), unit,
                       cell(each.standard));
  }
  return out;
}

std::string glossary_page(const Entries& entries) {
  std::vector<const Entry*> all;
  for (const Entry& each : entries) {
    if (each.kind == Kind::term || each.kind == Kind::wait_reason || each.kind == Kind::cause ||
        each.kind == Kind::instrument)
      all.push_back(&each);
  }
  std::string out;
  const auto table = [&](const char* title, Kind kind) {
    out += fmt::format("## {}\n\n| {} | {} | CUDA |\n| --- | --- | --- |\n", title, tr("word"), tr("what it means"));
    for (const Entry* each : all) {
      if (each->kind != kind) continue;
      std::string word = fmt::format("**{}**", each->word);
      if (kind == Kind::term || kind == Kind::cause) {
        for (const std::string& other : each->also) word += ", " + other;
      }
      out += fmt::format("| {} | {}{}{} | {} |\n", cell(word), cell(each->sentence), each->text.empty() ? "" : " ",
                         cell(each->text), list(each->calls));
    }
    out += '\n';
  };
  table(tr("Terms"), Kind::term);
  table(tr("Instruments"), Kind::instrument);
  table(tr("Why an operation waits"), Kind::wait_reason);
  table(tr("Why a run takes so long"), Kind::cause);
  return out;
}

std::string page(const Entries& entries, std::string_view name) {
  if (name == "language") return language_page(entries);
  if (name == "command-line") return command_line_page(entries);
  if (name == "glossary") return glossary_page(entries);
  return {};
}

}  // namespace streamscope::help
