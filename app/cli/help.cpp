// `streamscope help`: what a word means, of the language, of the command line, of an experiment.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>

#include "app/cli/command.h"
#include "app/cli/help_entries.h"
#include "app/cli/terminal.h"
#include "app/help/write.h"
#include "engine/base/files.h"
#include "engine/base/translate.h"

namespace streamscope::cli {
namespace {

using Words = std::vector<std::string>;

std::string as_json(const help::Entries& entries) {
  nlohmann::ordered_json out = nlohmann::ordered_json::array();
  for (const help::Entry& each : entries) {
    nlohmann::ordered_json one{{"word", each.word}, {"kind", name_of(each.kind)}};
    const auto add = [&](const char* key, const auto& value) {
      if (!value.empty()) one[key] = value;
    };
    add("of", each.of);
    add("also", each.also);
    add("keywords", each.keywords);
    add("sentence", each.sentence);
    add("syntax", each.syntax);
    add("unit", each.unit);
    add("default", each.standard);
    add("values", each.range);
    add("cuda", each.calls);
    add("text", each.text);
    add("example", each.example);
    add("see", each.see);
    out.push_back(std::move(one));
  }
  return out.dump(1) + "\n";
}

Result<void> write_man_pages(const help::Entries& entries, const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return fail(ErrorKind::bad_input, tr("{}: error: cannot be made: {}", folder, error.message()));
  const std::filesystem::path path(folder);
  TRY(write_text(path / "streamscope.1", help::man_page(entries, STREAMSCOPE_VERSION)));
  return write_text(path / "streamscope-language.7", help::language_man_page(entries, STREAMSCOPE_VERSION));
}

// What a script's option takes: a file, a folder or a name. Alone, --json and --markdown are options to be explained.
struct Writer {
  std::string_view option, value;
  bool may_be_alone;
};
constexpr Writer kWriters[] = {{"--man", "FOLDER", false},
                               {"--json", "FILE", true},
                               {"--markdown", "PAGE", true},
                               {"--completion", "SHELL", false}};

// What is not asked by a person but by the build, by tests and by scripts: "--man FOLDER" and its like. Nothing where
// the words are none of these.
std::optional<Result<int>> written_out(const Words& words, const std::vector<Command>& commands,
                                       const help::Entries& entries) {
  const auto* const writer = std::find_if(std::begin(kWriters), std::end(kWriters),
                                          [&](const Writer& each) { return each.option == words[0]; });
  if (writer == std::end(kWriters) || words.size() > 2 || (words.size() == 1 && writer->may_be_alone))
    return std::nullopt;
  const std::string& what = words[0];
  const std::string how = words.size() == 2 ? words[1] : std::string();
  const bool standard_output = what == "--json" && how == "-";
  if (how.empty() || (how.starts_with('-') && !standard_output)) {
    const std::string found = how.empty() ? tr("nothing") : fmt::format("'{}'", printable_line(how));
    return fail(ErrorKind::bad_input,
                tr("streamscope help: error: behind {} comes a {}, found {}; write `streamscope help {} {}`", what,
                   writer->value, found, what, writer->value));
  }
  if (what == "--man") {
    const auto written = write_man_pages(entries, how);
    return written ? Result<int>(0) : Result<int>(fail(written.error()));
  }
  if (what == "--json") {
    const auto written = write_text(how, as_json(entries));
    return written ? Result<int>(0) : Result<int>(fail(written.error()));
  }
  const bool page = what == "--markdown";
  if (!page && what != "--completion") return std::nullopt;
  const std::string text = page ? help::page(entries, how) : completion(commands, entries, how);
  if (!text.empty()) return print_stdout(text);
  return fail(ErrorKind::bad_input,
              tr("{} {}: error: write one of {}", what, how, page ? "language, command-line, glossary" : "bash, zsh"));
}

Result<int> explain(const Words& words, const help::Entries& entries) {
  const std::string together = fmt::format("{}", fmt::join(words, " "));
  // Several words are one term, or else several questions.
  const help::Found found = help::find(entries, together);
  const bool any = !found.called.empty() || !found.shown_by.empty() || !found.speak_of.empty();
  if (words.size() == 1 || any) {
    if (!any)
      return fail(ErrorKind::bad_input, help::as_text(found, printable_line(together)) +
                                            tr("`streamscope help` lists commands, `man streamscope-language` "
                                               "and docs/language.md the words of the language."));
    return print_stdout(help::as_text(found, together));
  }
  int code = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) {
      if (const int said = print_stdout("\n"); said != 0) return said;
    }
    const Result<int> one = explain({words[i]}, entries);
    if (const int said = one ? *one : report(one.error()); said != 0) code = said;
  }
  return code;
}

}  // namespace

Command help_command(std::function<std::vector<Command>()> commands, help::Entries keys,
                     std::function<std::string()> overview) {
  const auto words = std::make_shared<Words>();
  Command command{
      .name = "help",
      .about = tr("Explain a word: an option, a key, a word of the language, a CUDA call"),
      .options = {},
      .footer = tr("Several words are one term, else several questions. For scripts: `help --json FILE` writes "
                   "all entries as JSON (- is standard output), `help --man FOLDER` the man pages, `help "
                   "--completion bash` or `zsh` what a shell completes, `help --markdown PAGE` a part of a "
                   "page of docs/: language, command-line or glossary."),
      .run = [words, commands = std::move(commands), keys = std::move(keys),
              overview = std::move(overview)]() -> Result<int> {
        if (words->empty()) return print_stdout(overview());
        const std::vector<Command> all = commands();
        help::Entries entries = help::all();
        for (const help::Entries& more : {command_line_entries(all), keys})
          entries.insert(entries.end(), more.begin(), more.end());
        if (*words == Words{"-h"} || *words == Words{"--help"}) return explain({"streamscope help"}, entries);
        if (const auto done = written_out(*words, all, entries)) return *done;
        return explain(*words, entries);
      }};
  command.rest = words.get();
  return command;
}

}  // namespace streamscope::cli
