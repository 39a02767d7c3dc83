// A program from a text without errors, and its operations in words.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/program/program.h"
#include "engine/program/read_program.h"

namespace streamscope::tests {

inline program::Program program_of(std::string_view text) {
  auto read = program::read_program(text, "test");
  EXPECT_TRUE(read) << read.error().message;
  return read ? std::move(read->program) : program::Program{};
}

inline std::vector<std::string> described(const program::Program& program) {
  std::vector<std::string> all;
  for (OperationIndex i = 0; i < program.operations.size(); ++i) all.push_back(program::describe(program, i));
  return all;
}

}  // namespace streamscope::tests
