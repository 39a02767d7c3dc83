// What is cut off is seen to be.
#include "tests/app/window_words/drawn_texts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace streamscope::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class DrawnTexts : public ::testing::Test {
 protected:
  DrawnTexts() {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {400, 300};
    io.Fonts->Build();
  }
  ~DrawnTexts() override { ImGui::DestroyContext(); }

  // In a window of 200 x 100 pixels, when it has taken its size.
  template <class Draw>
  std::vector<std::string> misplaced(Draw draw, ImGuiWindowFlags flags = 0) {
    for (int i = 0; i < 3; ++i) {
      ImGui::NewFrame();
      ImGui::SetNextWindowPos({0, 0});
      ImGui::SetNextWindowSize({200, 100});
      ImGui::Begin("window", nullptr, ImGuiWindowFlags_NoTitleBar | flags);
      draw();
      ImGui::End();
      ImGui::Render();
    }
    std::vector<std::string> out;
    for (const MisplacedText& each : misplaced_texts()) out.push_back(each.text + ": " + each.how);
    return out;
  }
};

TEST_F(DrawnTexts, ThatFitAreInTheirPlaces) {
  EXPECT_THAT(misplaced([] {
                ImGui::TextUnformatted("one\nand two");
                ImGui::Button("three");
              }),
              IsEmpty());
}

TEST_F(DrawnTexts, AreCutByWhatTheyStandOn) {
  EXPECT_THAT(misplaced([] {
                ImGui::Button("Donaudampfschifffahrt", {60, 0});
              }),
              ElementsAre(StartsWith("Donaudampfschifffahrt: right by ")));
}

TEST_F(DrawnTexts, AreCutByTheirWindow) {
  const auto draw = [] { ImGui::TextUnformatted("Donaudampfschifffahrtsgesellschaft"); };
  EXPECT_THAT(misplaced(draw), ElementsAre(StartsWith("Donaudampfschifffahrtsgesellschaft: right by ")));
  EXPECT_THAT(misplaced(draw, ImGuiWindowFlags_HorizontalScrollbar), IsEmpty());
}

TEST_F(DrawnTexts, AreCutBelowWhereNothingScrolls) {
  const auto draw = [] { ImGui::TextUnformatted("1\n2\n3\n4\n5\n6\n7\n8"); };
  EXPECT_THAT(misplaced(draw), IsEmpty());
  EXPECT_THAT(misplaced(draw, ImGuiWindowFlags_NoScrollbar),
              ElementsAre(StartsWith("1\n2\n3\n4\n5\n6\n7\n8: below by ")));
}

TEST_F(DrawnTexts, LieOverOthers) {
  EXPECT_THAT(misplaced([] {
                ImGui::TextUnformatted("a label");
                ImGui::SameLine(30);
                ImGui::TextUnformatted("a value");
              }),
              ElementsAre("a value: over: a label"));
}

TEST_F(DrawnTexts, ThatEndWithAnEllipsisAreNamed) {
  misplaced([] { ImGui::TextUnformatted("as far as…"); });
  const std::vector<ElidedText> all = elided_texts();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all.front().text, "as far as…");
  EXPECT_GT(all.front().at.x, 8);
}

}  // namespace
}  // namespace streamscope::testing
