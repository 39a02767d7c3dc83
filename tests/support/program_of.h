// A program from a text without errors, and its operations in words.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/program/text.h"

namespace streamscope {

inline Program program_of(std::string_view text) {
  auto read = read_program(text, "test");
  EXPECT_TRUE(read) << read.error().message;
  return read ? std::move(read->program) : Program{};
}

inline std::vector<std::string> described(const Program& program) {
  std::vector<std::string> all;
  for (OperationIndex i = 0; i < program.operations.size(); ++i) all.push_back(describe(program, i));
  return all;
}

}  // namespace streamscope
