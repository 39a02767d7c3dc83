#include "app/window/state/comparison.h"

namespace streamscope::window {
namespace {

struct ComparisonUpdate {
  Comparison& comparison;

  void operator()(const command::Arrange& c) { comparison.arrangement = c.arrangement; }
  void operator()(const command::Align& c) { comparison.alignment = c.alignment; }
  void operator()(const command::SortDifferences& c) { comparison.worst_by = c.by; }
};

}  // namespace

void update(Comparison& comparison, const ComparisonCommand& command) {
  std::visit(ComparisonUpdate{comparison}, command);
}

}  // namespace streamscope::window
