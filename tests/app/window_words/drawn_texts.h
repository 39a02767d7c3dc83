// All texts that Dear ImGui draws, as they are given to its draw lists.
#pragma once

#include <set>
#include <string>

namespace streamscope::testing {

std::set<std::string> take_drawn_texts();  // those since the last call

}  // namespace streamscope::testing
