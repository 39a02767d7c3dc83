// Which letters beyond the Latin ones the window has to show: those of the language that it speaks, of the run in view,
// of the program and of what was typed. They only become more, so that going back to a run needs no new fonts.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <vector>

#include "app/window/platform/fonts.h"
#include "app/window/state/state.h"

namespace streamscope::window {

class Letters {
 public:
  Letters();
  bool follow(const State& state);  // there are more than before
  std::vector<ImWchar> all() const { return {letters_.begin(), letters_.end()}; }

 private:
  std::set<ImWchar> letters_;
  std::shared_ptr<const ShownRun> shown_;
  std::uint64_t version_ = 0;
  std::string search_, palette_words_, help_search_, said_;
  std::size_t names_ = 0, shipped_ = 0, lessons_ = 0;
  std::shared_ptr<const lesson::Lesson> lesson_;
};

}  // namespace streamscope::window
