// Engines behind ssh and srun: programs of these names on the PATH start what they are given, as those do, and go wrong
// as those do.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "tests/app/cli/command_line.h"

namespace streamscope::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// ssh [-x...] HOST WORD...: a shell there has the words. The connection to the host `drops` is lost in
// the middle of an answer.
constexpr std::string_view kSsh = R"(#!/bin/sh
while [ "${1#-}" != "$1" ]; do shift; done
host=$1
shift
case $host in
  gpubox) exec /bin/sh -c "$*" ;;
  drops)
    exec 3<&0
    out=$(mktemp -u)
    mkfifo "$out"
    /bin/sh -c "$*" <&3 >"$out" &
    dd bs=1 count=40000 <"$out" 2>/dev/null
    rm "$out"
    echo "client_loop: send disconnect: Broken pipe" >&2
    exit 255 ;;
  locked) echo "me@locked: Permission denied (publickey)." >&2; exit 255 ;;
  *) echo "ssh: Could not resolve hostname $host: Name or service not known" >&2; exit 255 ;;
esac
)";
// srun [-x...] WORD...: hands on whole lines of its output, and keeps what has none yet.
constexpr std::string_view kSrun = R"(#!/bin/sh
while [ "${1#-}" != "$1" ]; do shift; done
if [ "$1" = nothing ]; then
  echo "srun: error: Unable to allocate resources: Requested node configuration is not available" >&2
  exit 1
fi
exec 3<&0
"$@" <&3 | LC_ALL=C sed -u ''
)";

class EnginesElsewhere : public CommandLine {
 protected:
  EnginesElsewhere() {
    namespace fs = std::filesystem;
    for (const auto& [name, text] : {std::pair{"ssh", kSsh}, std::pair{"srun", kSrun}}) {
      write(name, std::string(text));
      fs::permissions(path(name), fs::perms::owner_all);
    }
    fs::create_symlink(STREAMSCOPE_PROGRAM, path("streamscope"));
    fs::create_symlink(STREAMSCOPE_TEST_PROGRAMS "/misbehaving_engine", path("of_another_version"));
    fs::create_symlink(STREAMSCOPE_TEST_PROGRAMS "/frail_engine", path("frail_engine"));
    options_.environment["PATH"] = folder_.string() + ":" + std::getenv("PATH");
  }

  // Six points of two devices; the file that it wrote is at path("s.csv").
  ChildResult sweep(const std::vector<std::string>& engines) const {
    std::vector<std::string> arguments{
        "sweep",  "all-gather",  "--device", "model:h200x2", "--axis",   "chunk=[4MiB,8MiB,16MiB]",
        "--axis", "steps=[1,2]", "--csv",    path("s.csv"),  "--engines"};
    arguments.insert(arguments.end(), engines.begin(), engines.end());
    return streamscope_child(arguments, options_);
  }
  // The points' columns up to the wall time, a line each.
  static std::string walls(const std::string& csv) {
    std::string out;
    for (std::size_t at = 0; at < csv.size();) {
      const std::size_t line_end = std::min(csv.find('\n', at), csv.size());
      std::size_t column = at;
      for (int i = 0; i < 4 && column < line_end; ++i) column = csv.find(',', column) + 1;
      out.append(csv, at, column - at).push_back('\n');
      at = line_end + 1;
    }
    return out;
  }

  ChildOptions options_;
};

TEST_F(EnginesElsewhere, FindWhatOneHereFinds) {
  ASSERT_EQ(sweep({"streamscope engine"}).code, 0);
  const std::string here = walls(written("s.csv"));
  EXPECT_THAT(here, HasSubstr("16MiB,2,1,"));
  for (const char* command : {"ssh gpubox streamscope engine", "ssh -x gpubox streamscope engine",
                              "srun -N1 streamscope engine", "ssh gpubox srun -N1 streamscope engine"}) {
    const ChildResult there = sweep({command});
    ASSERT_EQ(there.code, 0) << there.err;
    EXPECT_THAT(there.err, HasSubstr("engine " + std::string(command) + ": NVIDIA H200, MODEL"));
    EXPECT_EQ(walls(written("s.csv")), here) << command;
    EXPECT_THAT(there.out, HasSubstr("Engine " + std::string(command) + ": 6 of 6 points"));
  }
}

TEST_F(EnginesElsewhere, ThatCannotBeReachedSayWhyAndTheOthersGoOn) {
  const ChildResult result =
      sweep({"ssh nowhere streamscope engine", "ssh locked streamscope engine", "ssh gpubox not-installed engine",
             "ssh gpubox of_another_version protocol", "srun nothing streamscope engine",
             "srun -N1 of_another_version protocol", "srun -N1 streamscope engine"});
  ASSERT_EQ(result.code, 0) << result.err;
  for (const char* why :
       {"Engine ssh nowhere streamscope engine cannot be used: The engine ended with exit code 255. (ssh: Could not "
        "resolve hostname nowhere: Name or service not known)\n",
        "Engine ssh locked streamscope engine cannot be used: The engine ended with exit code 255. (me@locked: "
        "Permission denied (publickey).)\n",
        "Engine ssh gpubox not-installed engine cannot be used: The engine ended with exit code 127 (its command was "
        "not found). (",
        "not-installed: not found)\n",
        "Engine ssh gpubox of_another_version protocol cannot be used: The engine is streamscope 9.9 and speaks "
        "protocol 99",
        "Engine srun -N1 of_another_version protocol cannot be used: The engine is streamscope 9.9 and speaks protocol "
        "99",
        "Engine srun nothing streamscope engine cannot be used: The engine ended with exit code 1. (srun: error: "
        "Unable "
        "to allocate resources: Requested node configuration is not available)\n"})
    EXPECT_THAT(result.err, HasSubstr(why));
  EXPECT_THAT(result.out, HasSubstr("Engine srun -N1 streamscope engine: 6 of 6 points"));
}

TEST_F(EnginesElsewhere, ThatAreLostInARunLeaveNoPointOut) {
  ASSERT_EQ(sweep({"streamscope engine"}).code, 0);
  const std::string here = walls(written("s.csv"));
  for (const char* lost :
       {"ssh drops streamscope engine", "ssh gpubox frail_engine 2 dies", "srun frail_engine 2 dies"}) {
    // The other begins once this one is gone, so that it has begun.
    const std::string first = "(" + std::string(lost) + "); c=$?; echo over >" + path("over") + "; exit $c";
    const std::string second = "read over <" + path("over") + "; exec ssh gpubox streamscope engine";
    std::filesystem::remove(path("over"));
    ASSERT_EQ(::mkfifo(path("over").c_str(), 0600), 0);
    const ChildResult result = sweep({first, second});
    ASSERT_EQ(result.code, 0) << result.err;
    EXPECT_THAT(result.err, HasSubstr("Engine " + first + " was lost: ")) << lost;
    EXPECT_EQ(walls(written("s.csv")), here) << lost;
    EXPECT_THAT(result.out, HasSubstr("Engine " + second + ": ")) << lost;
    EXPECT_THAT(result.out, Not(HasSubstr("not run"))) << lost;
  }
}

// An srun that is killed leaves its job behind; asked to end, it cancels it.
TEST_F(EnginesElsewhere, ThatAreGivenUpAreAskedToEnd) {
  const std::string cancels = "trap 'echo cancelled >" + path("job") + "; exit 1' TERM; ";
  const ChildResult result = sweep({cancels + STREAMSCOPE_TEST_PROGRAMS "/misbehaving_engine garbage <&0 & wait"});
  EXPECT_EQ(result.code, 4);
  EXPECT_THAT(result.err, HasSubstr("The engine sent an invalid message"));
  EXPECT_EQ(written("job"), "cancelled\n");
}

TEST_F(EnginesElsewhere, ThatAreAllOutOfReachEndTheSweep) {
  const ChildResult result = sweep({"ssh nowhere streamscope engine"});
  EXPECT_EQ(result.code, 4);
  EXPECT_THAT(result.err, AllOf(HasSubstr("Could not resolve hostname"), HasSubstr("No engine is left")));
}

}  // namespace
}  // namespace streamscope::cli
