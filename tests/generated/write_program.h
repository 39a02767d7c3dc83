// Stream programs at random, of all words of the language: graphs, host threads, nested repeats, both default streams,
// memory of every kind, streams and events that the run makes. They are right by the language's rules, and the same
// ones come from the same seed. (tests/engine/generated/words_test.cpp fails where a word is left out.)
#pragma once

#include <cstdint>
#include <string>

namespace streamscope::generated {

struct Wishes {
  int lines = 60;         // about so many
  bool threads = true;    // now and then
  bool all_words = true;  // else one thread's copies, kernels, events and waits, without blocks of lines
  int devices = 1;        // that it has work for
  double capability = 9;  // compute capability of the device that it is for
};
std::string write_program(std::uint64_t seed, const Wishes& wishes = {});

}  // namespace streamscope::generated
