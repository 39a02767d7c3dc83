// The default, unit and example of each option of the command line.
#include <algorithm>
#include <iterator>

#include "app/cli/help_entries.h"
#include "engine/base/translate.h"

namespace streamscope::cli {
namespace {

constexpr OptionFacts kFacts[] = {
    {"", "FILE", tr_later("what was open last"), "", "streamscope four-streams"},
    {"", "--engine", tr_later("this machine"), "", "streamscope --engine \"ssh gpubox streamscope engine\""},
    {"", "--language", tr_later("the system's"), "", "streamscope --language zh"},

    {"run", "FILE", "four-streams", "", "streamscope run pageable"},
    {"run", "--set", "", "", "streamscope run four-streams --set streams=8 --set chunk=4MiB"},
    {"run", "--device", "auto", "", "streamscope run four-streams --device model:h200,copies.engines=1"},
    {"run", "--predict", "", "", "streamscope run four-streams --predict"},
    {"run", "--repeat", tr_later("5 on a GPU, 1 on a model"), tr_later("runs"),
     "streamscope run four-streams --repeat 15"},
    {"run", "--instrument", "full", "", "streamscope run four-streams --instrument calls"},
    {"run", "--referee", "auto", "", "streamscope run four-streams --referee off"},
    {"run", "--share", "16", "", "streamscope run four-streams --instrument sampled --share 8"},
    {"run", "--in-kernel", "off", tr_later("share of the blocks"), "streamscope run tile-lab --in-kernel 1%"},
    {"run", "--gate", tr_later("no gate"), "", "streamscope run four-streams --gate"},
    {"run", "--max-noise", "", tr_later("% or a part of 1"), "streamscope run four-streams --repeat 50 --max-noise 1%"},
    {"run", "--min-samples", "5", tr_later("runs"), "streamscope run four-streams --max-noise 1% --min-samples 10"},
    {"run", "--timeout", "", "ns, us, ms, s", "streamscope run four-streams --timeout 30s"},
    {"run", "--long-kernels", tr_later("refused"), "", "streamscope run four-streams --long-kernels"},
    {"run", "--own-kernels", tr_later("refused"), "", "streamscope run four-streams --own-kernels"},
    {"run", "--own-limit", "10s", "ns, us, ms, s", "streamscope run four-streams --own-kernels --own-limit 30s"},
    {"run", "--json", "", "", "streamscope run four-streams --json -"},
    {"run", "--csv", "", "", "streamscope run four-streams --csv operations.csv"},
    {"run", "--trace", "", "", "streamscope run four-streams --trace run.trace.json"},
    {"run", "--markdown", "", "", "streamscope run four-streams --markdown -"},
    {"run", "--png", "", "", "streamscope run four-streams --png timeline.png"},
    {"run", "--svg", "", "", "streamscope run four-streams --svg timeline.svg"},
    {"run", "--pdf", "", "", "streamscope run four-streams --theme print --interval 1ms..3ms --pdf part.pdf"},
    {"run", "--emit-program", "", "", "streamscope run pageable --emit-program - --dry-run"},
    {"run", "--emit-cuda", "", "", "streamscope run four-streams --emit-cuda four-streams.cu --dry-run"},
    {"run", "--dry-run", "", "", "streamscope run four-streams --dry-run --device model"},
    {"run", "--size", "1600x900", tr_later("pixels, 16 to 16384 a side"),
     "streamscope run four-streams --png wide.png --size 2400x800"},
    {"run", "--scale", "1", tr_later("a factor, 0.25 to 8"), "streamscope run four-streams --png sharp.png --scale 2"},
    {"run", "--theme", "light", "", "streamscope run four-streams --png dark.png --theme dark"},
    {"run", "--colour", "kind", "", "streamscope run four-streams --png streams.png --colour stream"},
    {"run", "--interval", tr_later("the whole run"), "ns, us, ms, s",
     "streamscope run four-streams --pdf part.pdf --interval 1ms..3ms"},
    {"run", "--tracks", tr_later("all"), "", "streamscope run four-streams --png part.png --tracks \"streams,h2d\""},
    {"run", "--title", tr_later("the experiment's name"), "",
     "streamscope run four-streams --png t.png --title \"Four streams\""},
    {"run", "--caption", "", "", "streamscope run four-streams --png t.png --caption \"256 MiB, pinned\""},
    {"run", "--path", tr_later("not drawn"), "", "streamscope run pageable --png path.png --path=pale"},
    {"run", "--rulers", tr_later("not drawn"), "", "streamscope run four-streams --png bounds.png --rulers"},
    {"run", "--why", tr_later("not said"), "", "streamscope run pageable --png why.png --why"},
    {"run", "--no-legend", "", "", "streamscope run four-streams --png plain.png --no-legend"},
    {"run", "--no-figures", "", "", "streamscope run four-streams --png plain.png --no-figures"},
    {"run", "--open", "", "", "streamscope run tile-lab --in-kernel 1% --png lab.png --open first"},

    {"lessons", "--json", "", "", "streamscope lessons --json lessons.json"},
    {"lessons", "--language", tr_later("the system's"), "", "streamscope lessons --language zh"},
    {"lesson", "NAME", "", "", "streamscope lesson four-streams"},
    {"lesson", "FILES", "", "", "streamscope lesson four-streams --check ana.json ben.json --csv grades.csv"},
    {"lesson", "--text", "", "", "streamscope lesson four-streams --text"},
    {"lesson", "--sheet", "", "", "streamscope lesson four-streams --sheet ana.json"},
    {"lesson", "--check", "", "", "streamscope lesson four-streams --check ana.json"},
    {"lesson", "--handout", "", "", "streamscope lesson four-streams --handout four-streams.pdf"},
    {"lesson", "--csv", "", "", "streamscope lesson four-streams --check ana.json --csv grades.csv"},
    {"lesson", "--rerun", "", "", "streamscope lesson four-streams --check ana.json --rerun"},
    {"lesson", "--language", tr_later("the system's"), "", "streamscope lesson four-streams --language ko"},
    {"lesson", "--device", "auto", "", "streamscope lesson four-streams --text --device model:h200"},
    {"lesson", "--test", "", "", "streamscope lesson mine --test --device model:one-copy-engine"},

    {"explain", "--instrument", "full", "", "streamscope explain four-streams --instrument sampled"},
    {"explain", "--json", "", "", "streamscope explain four-streams --json verdict.json"},
    {"explain", "--fix", "", "", "streamscope explain pageable --fix"},
    {"explain", "--top", "5", "", "streamscope explain four-streams --top 1"},

    {"sweep", "FILE", "four-streams", "", "streamscope sweep pageable --axis \"chunk=[1MiB,16MiB]\""},
    {"sweep", "--axis", "", "",
     "streamscope sweep four-streams --axis \"streams=[1,2,4]\" --axis \"chunk=[4MiB,16MiB]\""},
    {"sweep", "--set", "", "", "streamscope sweep four-streams --set bytes=64MiB --axis \"streams=[1,4]\""},
    {"sweep", "--figure", tr_later("by what the programs are"), "",
     "streamscope sweep four-streams --axis \"streams=[1,2]\" --figure overlap"},
    {"sweep", "--device", "auto", "", "streamscope sweep four-streams --axis \"streams=[1,2]\" --device model"},
    {"sweep", "--engines", tr_later("this process"), "",
     "streamscope sweep four-streams --axis \"streams=[1,2]\" --engines \"ssh a streamscope engine\" \"ssh b "
     "streamscope "
     "engine\""},
    {"sweep", "--repeat", tr_later("5 on a GPU, 1 on a model"), tr_later("runs"),
     "streamscope sweep four-streams --axis \"streams=[1,2]\" --repeat 9"},
    {"sweep", "--timeout", "", "ns, us, ms, s",
     "streamscope sweep four-streams --axis \"streams=[1,2]\" --timeout 10s"},
    {"sweep", "--long-kernels", tr_later("refused"), "",
     "streamscope sweep four-streams --axis \"streams=[1,2]\" --long-kernels"},
    {"sweep", "--csv", "", "", "streamscope sweep four-streams --axis \"streams=[1,2]\" --csv sweep.csv"},
    {"sweep", "--json", "", "", "streamscope sweep four-streams --axis \"streams=[1,2]\" --json -"},
    {"sweep", "--png", "", "", "streamscope sweep four-streams --axis \"streams=[1,2]\" --png sweep.png"},
    {"sweep", "--size", "1600x900", tr_later("pixels, 16 to 16384 a side"),
     "streamscope sweep four-streams --axis \"streams=[1,2]\" --png s.png --size 1200x600"},
    {"sweep", "--scale", "1", tr_later("a factor, 0.25 to 8"),
     "streamscope sweep four-streams --axis \"streams=[1,2]\" --png s.png --scale 2"},
    {"sweep", "--theme", "light", "",
     "streamscope sweep four-streams --axis \"streams=[1,2]\" --png s.png --theme print"},

    {"check", "FILE", tr_later("must be given"), "", "streamscope check four-streams"},
    {"check", "--set", "", "", "streamscope check four-streams --set chunk=8MiB"},

    {"devices", "--json", "", "", "streamscope devices --json -"},

    {"calibrate", "--output", tr_later("named after the device"), "", "streamscope calibrate -o mine.toml"},
    {"calibrate", "--device", "cuda", "", "streamscope calibrate --device cuda:1"},
    {"calibrate", "--start", tr_later("the shipped one of the nearest kind"), "",
     "streamscope calibrate --start mine.toml"},
    {"calibrate", "--time", "55s", "ns, us, ms, s", "streamscope calibrate --time 180s"},
    {"calibrate", "--programs", "300", tr_later("programs"), "streamscope calibrate --programs 600"},
    {"calibrate", "--seed", "1000", "", "streamscope calibrate --seed 7"},
    {"calibrate", "--no-probes", tr_later("with probes"), "", "streamscope calibrate --no-probes"},
    {"calibrate", "--png", "", "", "streamscope calibrate --png fit.png"},
    {"calibrate", "--csv", "", "", "streamscope calibrate --csv fit.csv"},
    {"calibrate", "--json", "", "", "streamscope calibrate --json -"},
};

struct CommandFacts {
  std::string_view command, example;
};
constexpr CommandFacts kCommands[] = {
    {"", "streamscope run.trace.json"},
    {"run", "streamscope run four-streams --set streams=8 --png eight.png"},
    {"explain", "streamscope explain pageable --fix"},
    {"sweep", "streamscope sweep four-streams --axis \"streams=[1,2,4]\" --axis \"chunk=[4MiB,16MiB]\" --png s.png"},
    {"check", "streamscope check four-streams"},
    {"devices", "streamscope devices"},
    {"calibrate", "streamscope calibrate -o mine.toml"},
    {"engine", "streamscope --engine \"ssh gpubox streamscope engine\""},
    {"lessons", "streamscope lessons"},
    {"lesson", "streamscope lesson four-streams"},
    {"help", "streamscope help wait"},
};

}  // namespace

std::string_view example_of(const Command& command) {
  const auto at = std::find_if(std::begin(kCommands), std::end(kCommands),
                               [&](const CommandFacts& each) { return each.command == command.name; });
  return at == std::end(kCommands) ? std::string_view{} : at->example;
}

std::string example_of(const Command& command, const OptionFacts& facts) {
  std::string example(facts.example);
  const std::string theirs = facts.command.empty() ? "streamscope " : "streamscope " + std::string(facts.command) + " ";
  if (facts.command != command.name && example.starts_with(theirs)) {
    example.replace(0, theirs.size(), "streamscope " + std::string(command.name) + " ");
  }
  return example;
}

const OptionFacts* facts_of(const Command& command, const Option& option) {
  const auto of = [&](std::string_view name) {
    const auto at = std::find_if(std::begin(kFacts), std::end(kFacts), [&](const OptionFacts& each) {
      return each.command == name && each.option == plain_name(option);
    });
    return at == std::end(kFacts) ? nullptr : at;
  };
  const OptionFacts* const own = of(command.name);
  if (own != nullptr) return own;
  // What every command has of the window, and `explain` of `run`, is the same there.
  if (plain_name(option) == "--language") return of("");
  return command.name == "explain" ? of("run") : nullptr;
}

}  // namespace streamscope::cli
