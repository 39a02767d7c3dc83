// How a device is named, and that a name comes back as it was written.
#include "engine/device/device_spec.h"

#include <gmock/gmock.h>

namespace streamscope::device {
namespace {

using ::testing::HasSubstr;
using enum DeviceSpec::Kind;

TEST(DeviceSpec, ReadsEachFormAndWritesItAgain) {
  const struct {
    const char* written;
    DeviceSpec spec;
    const char* again = nullptr;  // where it is written out otherwise
  } all[] = {
      {"auto", {}},
      {"cuda", {.kind = cuda}, "cuda:0"},
      {"cuda:3", {.kind = cuda, .index = 3}},
      {"model", {.kind = model, .profile = "h200"}, "model:h200"},
      {"model:laptop", {.kind = model, .profile = "laptop"}},
      {"model:a/b.toml,x=1,y=5us", {.kind = model, .profile = "a/b.toml", .changes = {{"x", "1"}, {"y", "5us"}}}},
      {"model,x=1", {.kind = model, .profile = "h200", .changes = {{"x", "1"}}}, "model:h200,x=1"},
      {"model:h200,x=", {.kind = model, .profile = "h200", .changes = {{"x", ""}}}},
  };
  for (const auto& each : all) {
    const auto spec = parse_device(each.written);
    ASSERT_TRUE(spec) << each.written << ": " << spec.error().message;
    EXPECT_EQ(*spec, each.spec) << each.written;
    EXPECT_EQ(text(*spec), each.again != nullptr ? each.again : each.written);
  }
}

TEST(DeviceSpec, SaysHowADeviceIsNamed) {
  for (const char* written : {"", "gpu", "Auto", "models", "cuda 0"}) {
    const auto spec = parse_device(written);
    ASSERT_FALSE(spec) << written;
    EXPECT_EQ(spec.error().kind, ErrorKind::no_device) << written;
    EXPECT_THAT(spec.error().message, HasSubstr("a device is auto, cuda, cuda:N, model")) << written;
  }
  for (const char* written : {"cuda:", "cuda:x", "cuda:-1", "cuda:1x", "cuda:99999999999"}) {
    const auto spec = parse_device(written);
    ASSERT_FALSE(spec) << written;
    EXPECT_EQ(spec.error().kind, ErrorKind::no_device) << written;
    EXPECT_THAT(spec.error().message, HasSubstr("comes one number")) << written;
  }
  for (const char* written : {"model:h200,", "model:h200,x", "model:h200,x=1,y", "model:h200,x=1,"}) {
    const auto spec = parse_device(written);
    ASSERT_FALSE(spec) << written;
    EXPECT_EQ(spec.error().kind, ErrorKind::bad_input) << written;
    EXPECT_THAT(spec.error().message, HasSubstr("key=value")) << written;
  }
}

TEST(DeviceSpec, KnowsTheFileOfItsProfile) {
  EXPECT_EQ(profile_file(*parse_device("model:mine.toml,x=1")), "mine.toml");
  EXPECT_EQ(profile_file(*parse_device("model:mine.tomlx2,x=1")), "mine.toml");
  EXPECT_EQ(profile_file(*parse_device("model:mine.tomlx1")), "") << "one is no several";
  EXPECT_EQ(profile_file(*parse_device("model:h200x2")), "");
  EXPECT_EQ(profile_file(*parse_device("model:h200")), "");
  EXPECT_EQ(profile_file(*parse_device("auto")), "");
  EXPECT_EQ(text(unchanged(*parse_device("model:mine.toml,x=1"))), "model:mine.toml");
}

}  // namespace
}  // namespace streamscope::device
