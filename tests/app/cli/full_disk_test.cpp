// The disk is full at each call that changes a file: every output is the old file or the new one, whole, and nothing
// else is left. STREAMSCOPE_CUTS: at how many of the calls; 0: at each, and how many they were is printed.
#include <gmock/gmock.h>

#include <algorithm>
#include <charconv>
#include <iostream>

#include "tests/app/cli/command_line.h"
#include "tests/support/counts.h"

namespace streamscope::cli {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

constexpr std::string_view kOld = "what was there before";

class FullDisk : public CommandLine, public ::testing::WithParamInterface<Arguments> {
 protected:
  FullDisk() { std::filesystem::create_directory(disk()); }
  std::filesystem::path disk() const { return folder_ / "disk"; }

  // The command's words with OUT/ for the disk; what they name there are its outputs.
  std::vector<std::string> outputs() const {
    std::vector<std::string> out;
    for (const std::string& word : GetParam())
      if (word.starts_with("OUT/")) out.push_back("disk/" + word.substr(4));
    return out;
  }
  ChildResult run(int failing) {
    Arguments words = GetParam();
    for (std::string& word : words)
      if (word.starts_with("OUT/")) word = (disk() / word.substr(4)).string();
    for (const std::string& each : outputs()) write(each, std::string(kOld));
    ChildOptions options = without_gpu();
    options.environment["LD_PRELOAD"] = STREAMSCOPE_FULL_DISK;
    options.environment["STREAMSCOPE_DISK"] = disk().string();
    options.environment["STREAMSCOPE_DISK_FAILS"] = std::to_string(failing);
    options.environment["STREAMSCOPE_DISK_CALLS"] = path("calls");
#if defined(__SANITIZE_ADDRESS__)
    options.environment["ASAN_OPTIONS"] = "verify_asan_link_order=0";
#endif
    return streamscope_child(words, options);
  }
};

// Its first and its last bytes, without their digits: each run has another time and other sizes.
std::string ends_of(const std::string& text) {
  const std::size_t some = std::min<std::size_t>(text.size(), 8);
  std::string ends = text.substr(0, some) + text.substr(text.size() - some);
  std::erase_if(ends, [](char each) { return each >= '0' && each <= '9'; });
  return ends;
}

TEST_P(FullDisk, LeavesEachOutputOldOrWhole) {
  const ChildResult good = run(0);
  ASSERT_EQ(good.code, 0) << good.err;
  int calls = 0;
  const std::string counted = written("calls");
  std::from_chars(counted.data(), counted.data() + counted.size(), calls);
  ASSERT_GE(calls, 4 * static_cast<int>(outputs().size()));  // open, write, fsync and rename of each
  std::vector<std::string> whole;
  for (const std::string& each : outputs()) {
    whole.push_back(ends_of(written(each)));
    ASSERT_NE(whole.back(), ends_of(std::string(kOld))) << each;
  }

  const int cuts = tests::count_from("STREAMSCOPE_CUTS", 8);
  const int step = cuts == 0 ? 1 : std::max(1, calls / cuts);
  int tried = 0, refused = 0;
  for (int failing = 1; failing <= calls; failing += step, ++tried) {
    SCOPED_TRACE(std::to_string(failing) + " of " + std::to_string(calls) + " calls");
    const ChildResult result = run(failing);
    bool all_new = true;
    for (std::size_t i = 0; i < whole.size(); ++i) {
      const std::string text = written(outputs()[i]);
      EXPECT_THAT(ends_of(text), AnyOf(whole[i], ends_of(std::string(kOld)))) << outputs()[i];
      all_new = all_new && text != kOld;
    }
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(disk()), {}), static_cast<int>(whole.size()));
    // A new name that is not yet on the disk is no error: not every file system can tell.
    EXPECT_EQ(result.code, all_new ? 0 : 2) << result.err;
    if (!all_new) {
      EXPECT_THAT(result.err, HasSubstr("No space left on device"));
      ++refused;
    }
  }
  EXPECT_GE(refused, tried / 2);
  if (cuts == 0) std::cout << GetParam()[0] << ": full at each of " << tried << " calls, " << refused << " refused\n";
}

INSTANTIATE_TEST_SUITE_P(
    Of, FullDisk,
    ::testing::Values(Arguments{"run",         "four-streams", "--device",  "model",          "--json",
                                "OUT/a.json",  "--csv",        "OUT/a.csv", "--trace",        "OUT/a.trace",
                                "--markdown",  "OUT/a.md",     "--png",     "OUT/a.png",      "--svg",
                                "OUT/a.svg",   "--pdf",        "OUT/a.pdf", "--emit-program", "OUT/a.streams",
                                "--emit-cuda", "OUT/a.cu"},
                      Arguments{"sweep", "four-streams", "--device", "model", "--axis", "streams=[1,2]", "--csv",
                                "OUT/s.csv", "--json", "OUT/s.json", "--png", "OUT/s.png"},
                      Arguments{"explain", "four-streams", "--device", "model", "--json", "OUT/v.json"},
                      Arguments{"lesson", "1", "--sheet", "OUT/answers.json"},
                      Arguments{"lesson", "1", "--handout", "OUT/handout.pdf"}),
    [](const auto& made) { return made.param[0] + std::to_string(made.index); });

}  // namespace
}  // namespace streamscope::cli
