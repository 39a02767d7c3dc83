// What is found is made small: statements, blocks, options, changes of the device and numbers go.
#include "tests/generated/shrink.h"

#include <gtest/gtest.h>

#include "engine/program/read_program.h"
#include "tests/generated/hunt.h"

namespace streamscope::generated {
namespace {

// A right program that has these in its text.
std::function<bool(const Case&)> has(std::vector<std::string_view> parts, std::string_view on = "") {
  return [parts = std::move(parts), on](const Case& one) {
    for (const std::string_view part : parts) {
      if (one.text.find(part) == std::string::npos) return false;
    }
    return program::read_program(one.text, "test").has_value() &&
           device::text(one.device).find(on) != std::string::npos;
  };
}

TEST(Shrink, LeavesOutWhatIsNotNeeded) {
  Case one{
      "# a comment\nbuffer x 8MiB host=pageable\nstream A nonblocking priority=-1\nstream B\n\nB: h2d x\n"
      "repeat 3 as i {\n  A: spin 20us blocks=64 threads=256\n  B: d2h x\n}\nhost: sync B\n",
      *device::parse_device("model:h200,compute.kernels=1,host.launch=5us")};
  const Case least = shrink(one, has({"A: spin", "priority"}, "compute.kernels=1"));
  EXPECT_EQ(least.text, "stream A priority=-0\nA: spin 0us\n");
  EXPECT_EQ(device::text(least.device), "model:h200,compute.kernels=1");
}

TEST(Shrink, KeepsABlockThatIsNeeded) {
  Case one{
      "stream A\nstream B\nbuffer x 1MiB\ngraph G on A {\n  A: h2d x\n  A: spin 5us\n}\nB: spin 7us\nA: launch G\nB: "
      "launch G\n",
      *device::parse_device("model:h200")};
  EXPECT_EQ(shrink(one, has({"A: spin", "B: launch G"})).text,
            "stream A\nstream B\ngraph G on A {\n  A: spin 0us\n}\nB: launch G\n");
}

TEST(Shrink, IsNotAskedMoreOftenThanItMay) {
  int asked = 0;
  const Case one = case_of(1);
  shrink(
      one, [&](const Case&) { return ++asked, false; }, 50);
  EXPECT_LE(asked, 50);
}

// From a mistake that a property sees to a text that can be pasted.
TEST(Shrink, GivesATextThatCanBePasted) {
  const Case one{"stream A\nA: spin 1us\n", *device::parse_device("model:h200,host.launch=5us")};
  EXPECT_EQ(pasteable(one), "# streamscope run FILE --device 'model:h200,host.launch=5us'\nstream A\nA: spin 1us\n");
  EXPECT_TRUE(program::read_program(pasteable(one), "test"));
}

}  // namespace
}  // namespace streamscope::generated
