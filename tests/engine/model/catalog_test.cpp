#include "engine/device/catalog/catalog.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "engine/base/files.h"

namespace streamscope {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(Catalog, ListsGpusFirstAndTheModelsAfterThem) {
  const DeviceList list = list_devices();
  const auto is_model = [](const DeviceInfo& info) { return info.kind == Provenance::Kind::model; };
  EXPECT_TRUE(std::is_partitioned(list.devices.rbegin(), list.devices.rend(), is_model));
  EXPECT_TRUE(std::any_of(list.devices.begin(), list.devices.end(),
                          [](const DeviceInfo& info) { return info.id == "model:h200"; }));
  const bool gpu = std::any_of(list.devices.begin(), list.devices.end(), std::not_fn(is_model));
  EXPECT_NE(gpu, !list.why_no_gpu.empty());
  EXPECT_EQ(list.why_no_gpu.find('\n'), std::string::npos);
}

TEST(Catalog, OpensEachDeviceItLists) {
  for (const DeviceInfo& info : list_devices().devices) {
    const auto device = open_device(info.id);
    ASSERT_TRUE(device) << device.error().message;
    EXPECT_EQ((*device)->info().id, info.id);
  }
}

TEST(Catalog, AutoIsTheFirstOfTheListOrTheH200Model) {
  const DeviceList list = list_devices();
  const auto device = open_device("auto");
  ASSERT_TRUE(device) << device.error().message;
  EXPECT_EQ((*device)->info().id, list.why_no_gpu.empty() ? list.devices.front().id : "model:h200");
}

TEST(Catalog, ModelMeansTheH200) {
  const auto device = open_device("model");
  ASSERT_TRUE(device);
  EXPECT_EQ((*device)->info().id, "model:h200");
}

TEST(Catalog, AProfileMayBeAFile) {
  const std::string path = (assets_folder() / "devices" / "h200.toml").string();
  const auto device = open_device("model:" + path);
  ASSERT_TRUE(device) << device.error().message;
  EXPECT_EQ((*device)->info().id, "model:" + path);
}

struct NoSuchDevice : ::testing::TestWithParam<const char*> {};

TEST_P(NoSuchDevice, IsToldWithWhatThereIs) {
  const auto device = open_device(GetParam());
  ASSERT_FALSE(device);
  EXPECT_EQ(device.error().kind, ErrorKind::no_device);
  EXPECT_THAT(device.error().message, AllOf(HasSubstr(GetParam()), HasSubstr("model:h200")));
}

INSTANTIATE_TEST_SUITE_P(Names, NoSuchDevice,
                         ::testing::Values("", "gpu", "cuda:", "cuda:x", "cuda:-1", "cuda:0x0", "cuda:99999",
                                           "cuda:99999999999999999999", "model:", "model:b17", "model:../devices/h200",
                                           "model:/nowhere/none.toml", "Model", "auto "));

TEST(Catalog, AProfileThatIsWrongIsBadInputWithItsPlace) {
  const auto path = std::filesystem::temp_directory_path() / ("streamscope-" + std::to_string(::getpid()) + ".toml");
  ASSERT_TRUE(write_text(path, "name = 3\n"));
  const auto device = open_device("model:" + path.string());
  std::filesystem::remove(path);
  ASSERT_FALSE(device);
  EXPECT_EQ(device.error().kind, ErrorKind::bad_input);
  EXPECT_THAT(device.error().message, HasSubstr(path.string() + ":1:8: "));
}

}  // namespace
}  // namespace streamscope
