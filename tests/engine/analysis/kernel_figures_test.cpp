#include "engine/analysis/kernel_figures.h"

#include <gtest/gtest.h>

#include "tests/support/stages_run.h"

namespace streamscope::analysis {
namespace {

TEST(FiguresOfAKernel, AreComparedWithThoseOfTheDevice) {
  const trace::Trace trace = testing::stages_run().trace;
  const trace::KernelFacts* facts = find_kernel(trace, 1);
  ASSERT_NE(facts, nullptr);
  const KernelFigures figures = kernel_figures(*facts, 290'000, trace.stages);
  EXPECT_DOUBLE_EQ(figures.bytes_rate, 4e12);
  EXPECT_DOUBLE_EQ(figures.of_copy_rate, 1);
  EXPECT_DOUBLE_EQ(figures.flops_rate, 1e13);
  EXPECT_DOUBLE_EQ(figures.of_peak, 1.0 / 6);
  EXPECT_DOUBLE_EQ(figures.blocks, 400.0 / 132) << "a multiprocessor holds four, but the grid has not so many";
  EXPECT_DOUBLE_EQ(figures.occupancy, 400.0 / 132 * 256 / 2'048);
  // 310 ns before the first tile and 100 before the third and the fifth; 200 of work on each of six.
  ASSERT_TRUE(figures.waited);
  EXPECT_DOUBLE_EQ(*figures.waited, 510.0 / 1'710);
}

TEST(FiguresOfAKernel, WhatIsNotKnownIsLeftOut) {
  const KernelFigures none = kernel_figures({}, 0, {});
  EXPECT_EQ(none.bytes_rate, 0);
  EXPECT_EQ(none.occupancy, 0);
  EXPECT_FALSE(none.waited);
  trace::KernelFacts full;
  full.blocks = 100'000;
  full.blocks_at_once = 8;
  full.threads = 256;
  full.most_threads = 2'048;
  full.multiprocessors = 132;
  EXPECT_DOUBLE_EQ(kernel_figures(full, kAbsent, {}).occupancy, 1);
  EXPECT_EQ(find_kernel({}, 0), nullptr);
}

}  // namespace
}  // namespace streamscope::analysis
