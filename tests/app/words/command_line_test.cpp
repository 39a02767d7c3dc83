// What the commands say.
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "app/cli/cli.h"
#include "engine/base/files.h"
#include "tests/support/bracketed.h"

namespace streamscope::cli {
namespace {

const std::vector<testing::NoMessage> kExcused = testing::excused({
    {R"((^|[\s"\[`(])(-\w,)?--?[a-z][-a-z]*(\{\w+\})?)", "options"},
    {R"(\b(FILE|FILES|CODE|TEXT|KEY|VALUE|NAME|TIME|COMMAND|SHARE|WxH|FROM\.\.TO|NAMES|LINE|PROFILE\.toml)\b|\|first\[:SM\])",
     "what stands for a value in --help, as the sentences there name it"},
    {R"(\bstreamscope( [a-z]+)?\b|(^|\n)  (run|explain|sweep|check|devices|calibrate|engine|help|lessons|lesson)(?=  ))", "commands"},
    {R"((\S*/)?[-\w]+\.(toml|streams|json)\b)", "files"},
    {R"(: (error|warning):)", "as compilers write it, for editors that look for it"},
    {R"(Error while parsing [^\n]*)", "the TOML library's own words"},
    {R"((^|\n) +simulated(?=\n))", "the trace's name for its clock"},
    {R"(\b(full|bare|sampled|cupti|calls):)", "instruments, as --instrument has them"},
    {R"((^|\n)(Four streams|Tile lab|Synchronous)(?=\n))", "experiments, as their files name them"},
    {R"((, nonblocking)?  ·  depth-first\b|\bpipeline(?=, ))", "values of an experiment's keys"},
    {R"((^|\n)(streams|chunk|kernel\.stages)(?=  |: )|\b[a-z.]+=\S+)", "keys of an experiment, and their settings"},
    {R"((Workstation GPU|Laptop GPU|GPU with one copy engine)[^\n]*\(datasheet\)|NVIDIA H100 80GB HBM3)", "devices, as profiles name them"},
    {R"((^|\n)\d+\. [-a-z]+(?=  ))", "causes, as files name them"},
    {R"((^|\n) +[-+] [^\n]*)", "lines of a program or an experiment"},
    {R"(\bmodel:[-\w]+|\b(laptop-pcie4x8|one-copy-engine|workstation-pcie3)\b)", "devices, as --device has them"},
});

class CommandWords : public testing::InBrackets {
 protected:
  CommandWords() {
    char folder[] = "/tmp/streamscope-words-XXXXXX";
    folder_ = ::mkdtemp(folder);
    was_ = std::filesystem::current_path();
    std::filesystem::current_path(folder_);
  }
  ~CommandWords() override {
    std::filesystem::current_path(was_);
    std::error_code error;
    std::filesystem::remove_all(folder_, error);
  }
  // The command's output and errors.
  static std::string output_of(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "streamscope");
    std::vector<char*> argv;
    for (std::string& each : arguments) argv.push_back(each.data());
    ::testing::internal::CaptureStdout();
    ::testing::internal::CaptureStderr();
    command_line(static_cast<int>(argv.size()), argv.data(), {});
    return ::testing::internal::GetCapturedStdout() + ::testing::internal::GetCapturedStderr();
  }
  // There is some, and no word of it lies outside.
  static void said(const std::vector<std::string>& arguments) {
    const std::string out = output_of(arguments);
    EXPECT_FALSE(out.empty()) << fmt::format("{}", fmt::join(arguments, " "));
    EXPECT_THAT(testing::words_outside(out, kExcused), ::testing::IsEmpty())
        << fmt::format("{}", fmt::join(arguments, " ")) << "\n"
        << out;
  }
  void write(const char* name, std::string_view text) { ASSERT_TRUE(write_text(name, text).has_value()); }

  std::filesystem::path folder_, was_;
};

TEST_F(CommandWords, Help) {
  said({"--help"});
  said({"help"});
  for (const char* command : {"run", "explain", "sweep", "check", "devices", "calibrate", "engine", "lessons", "lesson"})
    said({command, "--help"});
}

TEST_F(CommandWords, AVerdict) {
  said({"explain", "one-stream", "--device", "model:h200", "--fix"});
  said({"explain", "default-stream-trap", "--device", "model:h200"});
  said({"explain", "four-streams", "--device", "model:h200", "--top", "x"});
  said({"explain", "four-streams", "--device", "model:h200", "--instrument", "calls"});
}
TEST_F(CommandWords, Devices) { said({"devices"}); }

TEST_F(CommandWords, WhatIsWrongWithAnInput) {
  write("wrong.streams",
        "stream A\nbuffer d 1MiB device\nA: h2d d h\nA: kernel d 5\nB: sync\nA: kernel d 1ms x=3\nevent e\nA: wait e\n"
        "A: d2h\nwhat is this\n\"unclosed\n");
  write("wrong.toml", "bytes = \"1KiB\"\nstreams = 99\nbogus = 1\nmode = \"sideways\"\n[kernel]\nname = \"axpd\"\n");
  write("no.toml", "bytes = = 2\n");
  said({"check", "wrong.streams"});
  said({"check", "wrong.toml"});
  said({"check", "no.toml"});
  said({"check", "absent.toml"});
  said({"check", "four-stream"});
  said({"check", "nothing-alike-at-all"});
  said({"check", "."});
  said({"check", "four-streams", "--set", "streams"});
  said({"check", "four-streams", "--set", "9=1"});
  said({"check", "four-streams"});
}

TEST_F(CommandWords, WhatIsNoCommandLine) {
  said({"--nonsense"});
  said({"rnu", "x", "y"});
  said({"--theme", "dark"});
  said({"run", "--pgn", "f.png", "--engine", "x"});
  said({"--engine", "x", "run"});
  said({"x.toml", "run"});
  said({"run", "a.toml", "b.toml"});
  said({"run", "a.toml", "streams=8"});
  said({"run", "a.toml", "check"});
  said({"devices", "a.toml"});
  said({"check"});
  said({"check", "--json", "x"});
  said({"run", "--png"});
  said({"run", "--png", "a", "--png", "b"});
  said({"run", "--gate=x"});
  said({"calibrate", "--programs", "x"});
}

TEST_F(CommandWords, WhatIsWrongWithOptions) {
  said({"run", "four-streams", "--device", "model:h2000"});
  said({"run", "four-streams", "--device", "quantum"});
  said({"run", "four-streams", "--device", "model:h200,copies.engine=1"});
  said({"run", "four-streams", "--dry-run", "--csv", "f.csv"});
  said({"run", "four-streams", "--png", "no/such/f.png", "--svg", ".", "--csv", "a", "--json", "a"});
  said({"run",
        "four-streams",
        "--repeat",
        "0",
        "--instrument",
        "eye",
        "--share",
        "0",
        "--in-kernel",
        "200%",
        "--max-noise",
        "7",
        "--min-samples",
        "1",
        "--timeout",
        "1",
        "--predict=x",
        "--size",
        "1x1",
        "--scale",
        "99",
        "--theme",
        "blue",
        "--colour",
        "red",
        "--tracks",
        "S0",
        "--interval",
        "2ms..1ms",
        "--open",
        "x"});
  said({"run", "four-streams", "--instrument", "bare", "--share", "4", "--in-kernel", "10%", "--csv", "f.csv"});
  said({"run", "four-streams", "--repeat", "2", "--max-noise", "1%", "--min-samples", "9", "--open", "first"});
  said({"run", "four-streams", "--in-kernel", "70%", "--open", "first", "--png", "f.png", "--instrument", "sampled"});
  said({"run", "four-streams", "--device", "model:h200", "--png", "f.png", "--tracks", "nothing", "--interval",
        "9s..10s"});
  said({"run", "tile-lab", "--device", "model:h200", "--png", "f.png", "--open", "99"});
  said({"sweep", "four-streams", "--axis", "streams"});
  said({"sweep", "four-streams", "--axis", "streams=[1,2]", "--figure", "beauty", "--device", "model:h200"});
  said({"sweep", "four-streams"});
  said({"calibrate", "--time", "5h", "--device", "model:h200"});
  said({"calibrate", "--programs", "0", "--device", "model:h200"});
}

TEST_F(CommandWords, Runs) {
  said({"run", "four-streams", "--device", "model:h200"});
  said({"run", "four-streams", "--device", "model:h200,copies.engines=1", "--predict=model:h200", "--repeat", "3"});
  said({"run", "tile-lab", "--device", "model:h200", "--in-kernel", "10%"});
  said({"run", "synchronous", "--device", "model:h200", "--instrument", "bare", "--repeat", "4"});
  said({"run", "events", "--device", "model:h200", "--dry-run"});
  output_of({"run", "four-streams", "--device", "model:h200", "--json", "saved.json"});
  said({"run", "saved.json"});
  said({"run", "saved.json", "--gate", "--repeat", "3"});
}

TEST_F(CommandWords, Sweeps) {
  said({"sweep", "four-streams", "--axis", "streams=[1,2]", "--device", "model:h200"});
  said({"sweep", "four-streams", "--axis", "streams=[1,2]", "--axis", "chunk=[1MiB,999GiB]", "--device", "model:h200"});
  said({"sweep", "tile-lab", "--axis", "kernel.stages=[1,2]", "--device", "model:h200"});
}

}  // namespace
}  // namespace streamscope::cli
