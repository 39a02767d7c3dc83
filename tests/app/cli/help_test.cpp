// `streamscope help`: the real executable. And what is made of the same entries: pages of docs/, man pages, completion.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "app/cli/help_entries.h"
#include "tests/app/cli/command_line.h"

namespace streamscope::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

class Help : public CommandLine {
 protected:
  static std::string help(Arguments words) {
    words.insert(words.begin(), "help");
    const ChildResult result = streamscope_child(words);
    EXPECT_EQ(result.code, 0) << result.err;
    return result.out;
  }
};

std::vector<Command> commands() {
  std::vector<Command> all = {window_command({})};
  for (Command (*command)() :
       {run_command, sweep_command, check_command, devices_command, calibrate_command, engine_command})
    all.push_back(command());
  return all;
}

TEST_F(Help, FindsWordsOfEverySort) {
  EXPECT_THAT(help({"wait"}), AllOf(HasSubstr("STREAM: wait EVENT"), HasSubstr("cudaStreamWaitEvent"),
                                    HasSubstr("compute: wait loaded")));
  EXPECT_THAT(help({"cudaStreamWaitEvent"}), HasSubstr("STREAM: wait EVENT"));
  EXPECT_THAT(help({"--png"}), AllOf(HasSubstr("--png F"), HasSubstr("Draw the timeline")));
  EXPECT_EQ(help({"png"}), help({"--png"}));
  EXPECT_THAT(help({"--json"}), HasSubstr("Write the run as JSON"));
  EXPECT_THAT(help({"--help", "run"}), HasSubstr("Run an experiment or a stream program"));
  EXPECT_THAT(help({"kernel.fma"}), HasSubstr("--set kernel.fma="));
  EXPECT_THAT(help({"copies.engines"}), HasSubstr("number of a model's profile"));
  EXPECT_THAT(help({"observer", "effect"}), StartsWith("observer effect"));
  EXPECT_THAT(help({"stream", "streams"}),
              AllOf(HasSubstr("stream STREAM [device=NUMBER] [nonblocking]"), HasSubstr("streams STREAM NUMBER")));
}

TEST_F(Help, OfWhatIsNotThereSaysWhatComesNear) {
  const ChildResult near = streamscope_child({"help", "pinnd"});
  EXPECT_THAT(near.out + near.err, AllOf(HasSubstr("Nothing is called 'pinnd'"), HasSubstr("pinned")));
  const ChildResult nothing = streamscope_child({"help", "xyzzyplugh"});
  EXPECT_EQ(nothing.code, 2);
  EXPECT_THAT(nothing.out, IsEmpty());
  EXPECT_THAT(nothing.err, HasSubstr("Nothing is called 'xyzzyplugh'"));
  EXPECT_EQ(streamscope_child({"help", "wait", "xyzzyplugh"}).code, 2);
  EXPECT_THAT(streamscope_child({"help", "a\x1b[31m"}).err, Not(HasSubstr("\x1b")));
}

TEST_F(Help, EachOptionHasFactsAndAnExampleThatIsTaken) {
  // Each needs a GPU, a display, a terminal, minutes or answers: of these only the spelling is checked.
  const auto not_here = [](const std::string& example) {
    for (const char* word :
         {"calibrate", "--gate", "--share", "--engine", "streamscope four-streams", "streamscope lesson "}) {
      if (example.find(word) != std::string::npos) return true;
    }
    return false;
  };
  for (const Command& command : commands()) {
    EXPECT_THAT(std::string(example_of(command)), StartsWith("streamscope")) << command.name;
    for (const Option& option : command.options) {
      if (option.hidden) continue;
      const OptionFacts* const facts = facts_of(command, option);
      ASSERT_NE(facts, nullptr) << command.name << " " << option.names;
      const std::string example(facts->example);
      SCOPED_TRACE(example);
      EXPECT_THAT(example,
                  StartsWith(command.name.empty() ? "streamscope" : "streamscope " + std::string(command.name)));
      if (plain_name(option).starts_with('-') && !option.names.starts_with("-o")) {
        EXPECT_THAT(example, HasSubstr(plain_name(option)));
      }
      if (not_here(example)) continue;
      const std::string line = "cd " + folder_.string() + " && CUDA_VISIBLE_DEVICES= " STREAMSCOPE_PROGRAM +
                               example.substr(std::string_view("streamscope").size()) + " >out 2>err </dev/null";
      EXPECT_EQ(std::system(line.c_str()), 0) << written("err");
    }
  }
}

TEST_F(Help, AsJsonHasEveryEntry) {
  const auto list = nlohmann::json::parse(help({"--json", "-"}), nullptr, false);
  ASSERT_TRUE(list.is_array());
  EXPECT_GT(list.size(), 300u);
  for (const auto& each : list) {
    ASSERT_TRUE(each.contains("word") && each.contains("kind") && each.contains("sentence")) << each;
    EXPECT_TRUE(by_name<help::Kind>(each["kind"].get<std::string>())) << each;
  }
  const auto is = [&](const char* word, const char* kind) {
    return std::any_of(list.begin(), list.end(),
                       [&](const auto& each) { return each["word"] == word && each["kind"] == kind; });
  };
  EXPECT_TRUE(is("wait", "statement"));
  EXPECT_TRUE(is("range", "notion"));
  EXPECT_TRUE(is("kernel.fma", "experiment_key"));
  EXPECT_TRUE(is("--png", "option"));
  EXPECT_TRUE(is("4", "exit_code"));
  EXPECT_TRUE(is("four-streams", "experiment"));
}

TEST_F(Help, WritesNothingWhereNoFileIsNamed) {
  const auto refused = [&](const std::string& words) {
    const std::string line = "cd " + folder_.string() + " && " STREAMSCOPE_PROGRAM " help " + words + " >out 2>err";
    const int status = std::system(line.c_str());
    EXPECT_EQ(written("out"), "") << words;
    return WIFEXITED(status) && WEXITSTATUS(status) == 2 ? written("err") : std::string();
  };
  for (const char* words : {"--json --csv", "--man --json", "--man -", "--json ''", "--markdown --png"})
    EXPECT_THAT(refused(words), AllOf(HasSubstr("error: behind --"), HasSubstr("; write `streamscope help --")))
        << words;
  EXPECT_THAT(refused("--man"), HasSubstr("behind --man comes a FOLDER, found nothing"));
  EXPECT_THAT(refused("--completion"), HasSubstr("behind --completion comes a SHELL, found nothing"));
  EXPECT_THAT(refused("--markdown keys"), HasSubstr("write one of language, command-line, glossary"));
  std::set<std::string> files;
  for (const auto& each : std::filesystem::directory_iterator(folder_)) files.insert(each.path().filename());
  EXPECT_EQ(files, (std::set<std::string>{"err", "out"}));
}

TEST_F(Help, OfItselfSaysWhatItTakes) {
  EXPECT_THAT(help({"-h"}), AllOf(StartsWith("help  (command)"), HasSubstr("[WORD]..."), HasSubstr("--man FOLDER")));
  EXPECT_EQ(help({"--help"}), help({"-h"}));
}

TEST_F(Help, SaysDefaultsAsTheyAre) {
  write("page", help({"--man", path("man")}));
  const std::string page = written("man/streamscope-language.7");
  EXPECT_THAT(page,
              AllOf(HasSubstr("Default: 2; follows from copy."), HasSubstr("Default: follows from copy, threads.")));
  EXPECT_THAT(written("man/streamscope.1"), HasSubstr("Default: 1600x900."));
  EXPECT_THAT(help({"kernel.blocks"}), AllOf(HasSubstr("axpb: 0 (2 per SM)"), HasSubstr("spin: 0 (1)"),
                                             HasSubstr("tiles: 0 (as Per SM says)"), HasSubstr("0 to 2147483647")));
  EXPECT_THAT(help({"kernel.producers"}), HasSubstr("--set kernel.copy=warp-specialised --set kernel.producers="));
}

TEST_F(Help, WritesManPagesAndCompletions) {
  help({"--man", path("man")});
  EXPECT_THAT(written("man/streamscope.1"),
              AllOf(StartsWith(".TH STREAMSCOPE 1"), HasSubstr("\\-\\-png F"), HasSubstr(".SH \"EXIT STATUS\"")));
  EXPECT_THAT(written("man/streamscope-language.7"),
              AllOf(HasSubstr("STREAM: wait EVENT"), HasSubstr("cudaGraphLaunch")));
  write("bash", help({"--completion", "bash"}));
  // What bash would be given for a line.
  const auto completed = [&](const std::string& line) {
    const std::string asked = "bash -c 'source " + path("bash") + "; COMP_LINE=\"" + line +
                              "\" COMP_POINT=${#COMP_LINE}; COMP_WORDS=($COMP_LINE) COMP_CWORD=2; "
                              "_streamscope 2>/dev/null; printf %s \"${COMPREPLY[*]}\"' >" +
                              path("reply");
    EXPECT_EQ(std::system(asked.c_str()), 0);
    return written("reply");
  };
  EXPECT_EQ(completed("streamscope run --th"), "--theme");
  EXPECT_EQ(completed("streamscope run --theme pri"), "print");
  EXPECT_EQ(completed("streamscope run --theme=pri"), "print");
  EXPECT_EQ(completed("streamscope run --device model:h2"), "h200");
  EXPECT_EQ(completed("streamscope run --predict=mod"), completed("streamscope run --device=mod"));
  EXPECT_THAT(completed("streamscope run --predict=mod"), HasSubstr("model:h200"));
  EXPECT_THAT(completed("streamscope run --predict four-st"), "four-streams");
  EXPECT_EQ(completed("streamscope  run  --theme   pri"), "print");
  EXPECT_EQ(completed("streamscope run --set streams"), "streams=");
  EXPECT_EQ(completed("streamscope run four-st"), "four-streams");
  EXPECT_EQ(completed("streamscope help cudaStreamWait"), "cudaStreamWaitEvent");
  EXPECT_THAT(help({"--completion", "zsh"}),
              AllOf(StartsWith("#compdef streamscope\n"), HasSubstr("'--predict=-["), HasSubstr("'(-o --output)-o+[")));
  EXPECT_EQ(streamscope_child({"help", "--completion", "fish"}).code, 2);
}

TEST_F(Help, ManPagesAreWhatManCanShow) {
  if (std::system("groff -v >/dev/null 2>&1") != 0) GTEST_SKIP() << "no groff here";
  help({"--man", path("")});
  for (const char* page : {"streamscope.1", "streamscope-language.7"}) {
    EXPECT_EQ(std::system(("groff -man -Tutf8 -ww " + path(page) + " >/dev/null 2>" + path("warnings")).c_str()), 0);
    EXPECT_EQ(written("warnings"), "") << page;
  }
}

// Between the marks each page says what the program says.
class Pages : public Help, public ::testing::WithParamInterface<const char*> {};

TEST_P(Pages, SayWhatTheProgramSays) {
  const std::string name = GetParam(), path = std::string(STREAMSCOPE_SOURCE) + "/docs/" + name + ".md";
  const std::string begin = "<!-- begin: streamscope help --markdown " + name + " -->\n", end = "<!-- end -->\n";
  const auto page = read_text(path);
  ASSERT_TRUE(page) << page.error().message;
  const std::size_t from = page->find(begin), to = page->find(end, from);
  ASSERT_NE(from, std::string::npos);
  ASSERT_NE(to, std::string::npos);
  const std::string said = help({"--markdown", name});
  if (const char* update = std::getenv("STREAMSCOPE_UPDATE_GOLDENS"); update && std::string_view(update) == "1") {
    ASSERT_TRUE(write_text(path, page->substr(0, from) + begin + "\n" + said + page->substr(to)));
    FAIL() << path << " was written anew: read what changed, then run without STREAMSCOPE_UPDATE_GOLDENS";
  }
  EXPECT_EQ(page->substr(from + begin.size(), to - from - begin.size()), "\n" + said);
}

INSTANTIATE_TEST_SUITE_P(Docs, Pages, ::testing::Values("language", "command-line", "glossary"));

}  // namespace
}  // namespace streamscope::cli
