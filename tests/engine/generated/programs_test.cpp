// Generated programs keep what must hold of any run. More of them: STREAMSCOPE_GENERATED_PROGRAMS, or `./run fuzz 8h`.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "tests/generated/hunt.h"

namespace streamscope::generated {
namespace {

// A part of them where each step of memory is checked, too.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::uint64_t kStandard = 1'000;
#else
constexpr std::uint64_t kStandard = 10'000;
#endif
constexpr std::uint64_t kParts = 8;

std::uint64_t programs() {
  const char* const wanted = std::getenv("STREAMSCOPE_GENERATED_PROGRAMS");
  return (wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : kStandard) / kParts;
}

struct GeneratedPrograms : ::testing::TestWithParam<std::uint64_t> {};

TEST_P(GeneratedPrograms, KeepWhatMustHoldOfAnyRun) {
  Tally tally;
  tally.count_unnamed = true;
  const std::uint64_t count = programs();
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto found = hunt(GetParam() * 1'000'000'000 + i, tally);
    ASSERT_FALSE(found) << text(*found);
  }
  EXPECT_EQ(tally.wrong(), "");
}

INSTANTIATE_TEST_SUITE_P(Part, GeneratedPrograms, ::testing::Range(std::uint64_t{0}, kParts));

}  // namespace
}  // namespace streamscope::generated
