// Entries as man pages, in the macros that every man knows.
#include <fmt/format.h>

#include <algorithm>

#include "app/help/write.h"
#include "engine/base/translate.h"

namespace streamscope::help {
namespace {

// As text of roff: a backslash is \e, a hyphen that is to be copied \-, and a line does not begin with a request.
std::string roff(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (const auto lead = static_cast<unsigned char>(c); lead >= 0xC0) {  // a character of several bytes
      const std::size_t more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
      unsigned code = lead & (0x3Fu >> more);
      for (std::size_t n = 0; n < more && i + 1 < text.size(); ++n)
        code = code << 6 | (static_cast<unsigned char>(text[++i]) & 0x3Fu);
      out += fmt::format("\\[u{:04X}]", code);
    } else if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if (c == '"') {
      out += "\\(dq";
    } else if (c == '\'') {
      out += "\\(aq";
    } else if (c == '`') {
      out += "\\(ga";
    } else if (c == '^') {
      out += "\\(ha";
    } else if (c == '~') {
      out += "\\(ti";
    } else {
      if ((out.empty() || out.back() == '\n') && c == '.') out += "\\&";
      out += c;
    }
  }
  return out;
}

std::string title(std::string_view name, int section, std::string_view version) {
  return fmt::format(".TH {} {} \"\" \"streamscope {}\"\n", name, section, version);
}
std::string heading(const char* text) { return fmt::format(".SH \"{}\"\n", roff(text)); }

std::string item(std::string_view tag, std::string_view text) {
  return fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff(tag), roff(text));
}

// Lines as they stand.
std::string verbatim(std::string_view text) {
  std::string out = ".RS 4\n.nf\n";
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string line = roff(text.substr(0, end));
    out += (line.empty() ? "\\&" : line) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out + ".fi\n.RE\n";
}

// Behind what an entry says.
std::string standard_of(const Entry& entry) {
  if (entry.standard.empty()) return {};
  if (entry.standard == tr("must be given")) return std::string(" ") + tr("It must be given.");
  return " " + tr("Default: {}.", entry.standard);
}

std::string option_items(const Entries& entries, std::string_view command) {
  std::string out;
  for (const Entry& each : entries) {
    if (each.kind != Kind::option || each.of != command) continue;
    out += item(each.syntax, each.sentence + standard_of(each));
  }
  return out;
}

std::string items(const Entries& entries, Kind kind) {
  std::string out;
  for (const Entry& each : entries) {
    if (each.kind == kind) out += item(each.word, each.sentence + standard_of(each));
  }
  return out;
}

}  // namespace

std::string man_page(const Entries& entries, std::string_view version) {
  std::string out = title("STREAMSCOPE", 1, version);
  out += heading(tr("NAME")) + "streamscope \\- " + roff(tr("an oscilloscope for CUDA streams")) + "\n";
  out += heading(tr("SYNOPSIS"));
  for (const Entry& each : entries) {
    if (each.kind == Kind::command) out += fmt::format("{}\n.br\n", roff(each.syntax));
  }
  out += heading(tr("DESCRIPTION"));
  out += roff(tr(
             "Streamscope runs an experiment or a stream program on a GPU, or on a model of one, and draws every copy, "
             "kernel and wait on a timeline. What was measured is labelled MEASURED, what was simulated MODEL.")) +
         "\n.PP\n";
  out +=
      roff(tr("Without a command it opens the window. `streamscope help WORD` explains any word: of the language, an "
              "option, a key of an experiment, a CUDA call.")) +
      "\n";
  out += heading(tr("COMMANDS"));
  for (const Entry& each : entries) {
    if (each.kind != Kind::command) continue;
    out += fmt::format(".SS \"streamscope{}{}\"\n{}\n", each.of.empty() ? "" : " ", roff(each.of), roff(each.sentence));
    if (!each.text.empty()) out += fmt::format(".PP\n{}\n", roff(each.text));
    out += option_items(entries, each.of);
  }
  out += heading(tr("EXPERIMENT KEYS"));
  out += roff(tr("What `--set KEY=VALUE` and an experiment's file may give:")) + "\n" +
         items(entries, Kind::experiment_key);
  if (std::any_of(entries.begin(), entries.end(), [](const Entry& each) { return each.kind == Kind::key; })) {
    out += heading(tr("KEYS OF THE WINDOW")) + items(entries, Kind::key);
  }
  out += heading(tr("EXIT STATUS")) + items(entries, Kind::exit_code);
  out += heading(tr("ENVIRONMENT")) + items(entries, Kind::variable);
  out += heading(tr("FILES"));
  out += item("assets/experiments, assets/programs", tr("What comes with the program, called by its name alone."));
  out += item("assets/devices", tr("Profiles of the modelled devices, called model:NAME."));
  out += heading(tr("EXAMPLES"));
  for (const char* example :
       {"streamscope run four-streams", "streamscope run four-streams --set streams=8 --png eight.png",
        "streamscope sweep four-streams --axis \"streams=[1,2,4,8]\" --png sweep.png",
        "streamscope run four-streams --predict", "streamscope help wait"})
    out += verbatim(example);
  out += heading(tr("SEE ALSO")) + "\\fBstreamscope\\-language\\fR(7)\n";
  return out;
}

std::string language_man_page(const Entries& entries, std::string_view version) {
  std::string out = title("STREAMSCOPE\\-LANGUAGE", 7, version);
  out += heading(tr("NAME")) + "streamscope\\-language \\- " + roff(tr("the language of stream programs (.streams)")) +
         "\n";
  out += heading(tr("DESCRIPTION"));
  out +=
      roff(tr(
          "A stream program says, a statement a line, what the host asks the GPU to do, in the order in which it asks. "
          "Everything behind # is a comment. Its meaning is that of the CUDA calls named below.")) +
      "\n";
  const auto group = [&](const char* name, auto which) {
    out += heading(name);
    for (const Entry& each : entries) {
      if (!which(each)) continue;
      out += fmt::format(".SS \"{}\"\n{}\n", roff(each.syntax.empty() ? each.word : each.syntax), roff(each.sentence));
      if (!each.text.empty()) out += fmt::format(".PP\n{}\n", roff(each.text));
      if (!each.calls.empty())
        out += fmt::format(".PP\nCUDA: {}\n", roff(fmt::format("{}", fmt::join(each.calls, ", "))));
      for (const Entry& option : entries) {
        if (each.kind != Kind::statement || option.kind != Kind::statement_option || option.of != each.word) continue;
        std::string text = option.sentence;
        if (!option.range.empty()) text += fmt::format(" {}: {}.", tr("Values"), option.range);
        out += item(option.word, text + standard_of(option));
      }
      if (!each.example.empty()) out += fmt::format(".PP\n{}:\n", roff(tr("Example"))) + verbatim(each.example);
    }
  };
  group(tr("STATEMENTS"), [](const Entry& each) { return each.kind == Kind::statement; });
  group(tr("IN STATEMENTS"), [](const Entry& each) { return each.kind == Kind::notion; });
  out += heading(tr("SEE ALSO")) + "\\fBstreamscope\\fR(1)\n";
  return out;
}

}  // namespace streamscope::help
