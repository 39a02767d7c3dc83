// What the sources of this project tell of asynchronous CUDA, idea by idea: a program that says it, and what must be
// seen of a run of it: on the model, and what relations say, on a GPU (tests/gpu). The ids are those of the list of
// ideas: source, point; an idea that several sources have is written once.
//
// A relation is between spans, as the conformance suite has them. Words are what a person reads: texts of the
// timeline's picture, the rows beside a selected operation, lines of the generated CUDA C++, messages of the check.
// Each test tries its idea also on a run that is told wrong and on one that says nothing, and must see that.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/conformance/conformance.h"
#include "tests/ideas/shown.h"

namespace streamscope::ideas {

using conformance::all;
using conformance::Observation;
using conformance::Verdict;
using O = const Observation&;
using S = const Shown&;

// Of what no relation says.
inline Verdict that(bool is_so, std::string what) { return {is_so ? "" : "it is not so that " + what, ""}; }

struct Idea {
  std::vector<std::string> ids;  // "1.31": source 001, point 31
  std::string title;
  std::string program;  // lines are known by their comments
  std::function<Verdict(O, S)> holds;
};

// One function for each theme.
std::vector<Idea> asynchrony();
std::vector<Idea> order();
std::vector<Idea> waiting();
std::vector<Idea> memory();
std::vector<Idea> overlap();
std::vector<Idea> default_streams();
std::vector<Idea> hidden_waits();
std::vector<Idea> events();
std::vector<Idea> graphs();
std::vector<Idea> lifetimes();
std::vector<Idea> faults();
std::vector<Idea> resources();
std::vector<Idea> tile_copies();
std::vector<Idea> tile_pipelines();
std::vector<Idea> attention();
std::vector<Idea> devices();
std::vector<Idea> all_ideas();
// The first account of the same run that is wrong and is seen to be; empty where the idea believes them all.
std::string lie_seen(const Idea& idea, const Shown& shown);

// In the sources, but nothing that a program could say.
struct NotApplicable {
  std::string id, title, why;
};
std::vector<NotApplicable> not_applicable();

// The points of the sources 000 to 004.
inline constexpr int kPoints[] = {39, 57, 33, 42, 32};

}  // namespace streamscope::ideas
