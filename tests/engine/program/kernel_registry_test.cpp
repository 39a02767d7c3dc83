// What the rest of the program takes for granted of every kernel of the registry.
#include <gtest/gtest.h>

#include <map>

#include "engine/program/read_program.h"
#include "kernels/registry.h"

namespace streamscope::program {
namespace {

TEST(KernelRegistry, EachUsageIsAStatementThatIsRight) {
  for (const kernels::Kernel* const kernel : kernels::all()) {
    const auto read =
        read_program("buffer x 64MiB\nbuffer y 64MiB\nstream A\nA: " + std::string(kernel->usage) + "\n", "usage");
    ASSERT_TRUE(read.has_value()) << read.error().message;
    const kernels::Choice* const choice = kernel_of(read->program, read->program.operations[0].work);
    ASSERT_NE(choice, nullptr) << kernel->usage;
    EXPECT_EQ(choice->kernel, kernel);
    EXPECT_EQ(label(read->program, read->program.operations[0].work), kernel->word);
  }
}

// An experiment has one key for all kernels with an option of that name.
TEST(KernelRegistry, OptionsOfOneKeyAreAlike) {
  std::map<std::string_view, kernels::Option> first;
  for (const kernels::Kernel* const kernel : kernels::all()) {
    EXPECT_LE(kernel->options.size(), kernels::kMostOptions) << kernel->word;
    for (const kernels::Option& option : kernel->options) {
      const auto [at, fresh] = first.try_emplace(option.key, option);
      EXPECT_EQ(at->second.kind, option.kind) << option.key;
      EXPECT_EQ(at->second.least, option.least) << option.key;
      EXPECT_EQ(at->second.most, option.most) << option.key;
      EXPECT_EQ(at->second.words.data(), option.words.data()) << option.key;
      EXPECT_FALSE(option.label.empty() || option.help.empty() || option.meaning.empty()) << option.key;
    }
  }
}

TEST(KernelRegistry, WhatAnExperimentBeginsWithIsPossible) {
  for (const kernels::Kernel* const kernel : kernels::all()) {
    kernels::Values values = kernels::experiment_values(*kernel);
    kernel->settle(values);
    EXPECT_FALSE(kernel->check(values)) << kernel->word;
    const kernels::Shape shape = kernel->shape(values, 16 << 20, 132);
    EXPECT_GT(shape.blocks, 0u) << kernel->word;
    EXPECT_GT(shape.threads, 0u) << kernel->word;
    EXPECT_GT(shape.registers, 0u) << kernel->word;
    EXPECT_GT(kernel->at_least(values, 16 << 20, 132, 0.5).nanoseconds, 0) << kernel->word;
    EXPECT_EQ(kernel->reference() == nullptr, kernel->operands == kernels::Operands::none) << kernel->word;
  }
}

TEST(KernelRegistry, KernelsAreKeptOnceWithEachOfTheirOptions) {
  const auto read = read_program(
      "buffer x 1MiB\nstream A\nA: axpb x fma=1\nA: axpb x fma=2\nA: axpb x[0:4] fma=1\nA: axpb x fma=1 threads=256\n"
      "A: spin 1us\n",
      "twice");
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(read->program.kernels.size(), 3u);
}

}  // namespace
}  // namespace streamscope::program
