// Every idea of the list is said by a program and seen in its run, or stands among those that no program could say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "tests/ideas/idea.h"

namespace streamscope::ideas {
namespace {

struct Case {
  std::string id;
  Idea idea;
};
void PrintTo(const Case& one, std::ostream* out) { *out << one.id << " " << one.idea.title; }

std::string test_name(std::string id) {
  std::ranges::replace(id, '.', '_');
  return id;
}

std::vector<Case> cases() {
  std::vector<Case> out;
  for (const Idea& idea : all_ideas())
    for (const std::string& id : idea.ids) out.push_back({id, idea});
  return out;
}

// How far an H200 left the start and the end of a kernel of a program without copies in doubt at most, in ns.
constexpr std::uint32_t kDoubt = 8'000;

class TheIdea : public testing::TestWithParam<Case> {};

TEST_P(TheIdea, IsSaidAndSeen) {
  const Idea& idea = GetParam().idea;
  const Shown shown(idea.program);
  ASSERT_EQ(shown.wrong(), "") << idea.title;
  ASSERT_EQ(idea.holds(shown.observation(), shown).wrong, "") << idea.title << "\n" << shown.account();
  EXPECT_FALSE(idea.holds(shown.observation(), shown.silent()).holds()) << idea.title << ": believes what is not told";
  EXPECT_EQ(idea.holds(shown.observation(), shown.without_words()).wrong, "") << idea.title << ": by relations alone";
  EXPECT_EQ(idea.holds(shown.observation().unsure(kDoubt), shown.without_words()).wrong, "")
      << idea.title << ": a GPU's times cannot show it";
  EXPECT_EQ(shown.refused(), lie_seen(idea, shown).empty()) << idea.title << ": believes a run that is told wrong";
}

INSTANTIATE_TEST_SUITE_P(Ideas, TheIdea, testing::ValuesIn(cases()),
                         [](const auto& of) { return test_name(of.param.id); });

// What a GPU is asked (tests/gpu/ideas_test.cpp).
TEST(IdeaList, RestsOnRelationsMostly) {
  int all = 0, by_relations = 0;
  for (const Idea& idea : all_ideas()) {
    ++all;
    const Shown shown = Shown(idea.program).without_words();
    by_relations += !shown.refused() && !lie_seen(idea, shown).empty() ? 1 : 0;
  }
  EXPECT_GE(4 * by_relations, 3 * all) << by_relations << " of " << all;
}

TEST(IdeaList, HasEachIdeaOnce) {
  std::map<std::string, int> found;
  for (std::size_t source = 0; source < std::size(kPoints); ++source)
    for (int point = 1; point <= kPoints[source]; ++point)
      found[std::to_string(source) + "." + std::to_string(point)] = 0;
  EXPECT_EQ(found.size(), 203);
  for (const Case& one : cases()) ++found[one.id];
  for (const NotApplicable& one : not_applicable()) ++found[one.id];
  for (const auto& [id, times] : found) EXPECT_EQ(times, 1) << id;
  EXPECT_EQ(found.size(), 203);
  EXPECT_EQ(not_applicable().size(), 4);
}

}  // namespace
}  // namespace streamscope::ideas
