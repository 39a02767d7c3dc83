#include "engine/device/catalog/catalog.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "engine/base/files.h"
#include "engine/base/stop_source.h"
#include "engine/device/catalog/open_devices.h"
#include "engine/device/model/model.h"
#include "engine/measure/host_pace.h"
#include "engine/predict/host_pace.h"
#include "tests/engine/measure/fake_device.h"
#include "tests/support/open_device.h"
#include "tests/support/program_of.h"

namespace streamscope::model {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(Catalog, ListsGpusFirstAndTheModelsAfterThem) {
  const device::DeviceList list = catalog::list_devices();
  const auto is_model = [](const device::DeviceInfo& info) { return info.kind == trace::Provenance::Kind::model; };
  EXPECT_TRUE(std::is_partitioned(list.devices.rbegin(), list.devices.rend(), is_model));
  EXPECT_TRUE(std::any_of(list.devices.begin(), list.devices.end(),
                          [](const device::DeviceInfo& info) { return info.id == "model:h200"; }));
  const bool gpu = std::any_of(list.devices.begin(), list.devices.end(), std::not_fn(is_model));
  EXPECT_NE(gpu, !list.why_no_gpu.empty());
  EXPECT_EQ(list.why_no_gpu.find('\n'), std::string::npos);
}

TEST(Catalog, OpensEachDeviceItLists) {
  for (const device::DeviceInfo& info : catalog::list_devices().devices) {
    const auto device = tests::open_device(info.id);
    ASSERT_TRUE(device) << device.error().message;
    EXPECT_EQ((*device)->info().id, info.id);
  }
}

TEST(Catalog, ListsTwoOfTheDefaultModelBehindIt) {
  const std::vector<device::DeviceInfo> all = catalog::list_devices().devices;
  const auto one = std::find_if(all.begin(), all.end(), [](auto& info) { return info.id == "model:h200"; });
  ASSERT_LT(one + 1, all.end());
  const device::DeviceInfo& two = one[1];
  EXPECT_EQ(two.id, "model:h200x2");
  EXPECT_EQ(one->devices, 1);
  EXPECT_EQ(two.devices, 2);
  EXPECT_EQ(device::title(*one), "NVIDIA H200");
  EXPECT_EQ(device::title(two), "2 × NVIDIA H200");
  device::DeviceInfo gpu = two;
  gpu.kind = trace::Provenance::Kind::measured;
  EXPECT_EQ(device::title(gpu), "NVIDIA H200") << "one of two that are there";
}

TEST(Catalog, AModelOfAsManyDevices) {
  const auto of = [](const std::string& name, std::size_t devices) {
    return text(catalog::with_devices(device::parse_device(name).value(), devices));
  };
  EXPECT_EQ(of("model:h200", 1), "model:h200");
  EXPECT_EQ(of("model:h200,copies.engines=1", 2), "model:h200x2,copies.engines=1");
  EXPECT_EQ(of("model:h200x2", 2), "model:h200x2");
  EXPECT_EQ(of("model:h200x4", 2), "model:h200x4") << "it has them";
  EXPECT_EQ(of("model:h200x2", 4), "model:h200x4");
  EXPECT_EQ(of("model:laptop-pcie4x8", 2), "model:laptop-pcie4x8x2") << "its own name ends in a number";
  EXPECT_EQ(of("model:none", 2), "model:none");
  EXPECT_EQ(of("cuda:0", 2), "cuda:0");
  const std::string file = "model:" + (assets_folder() / "devices" / "h200.toml").string();
  EXPECT_EQ(of(file, 2), file + "x2");
  EXPECT_EQ(of(file + "x2", 4), file + "x4");
}

// As `auto` does without a GPU; with one it is that, whatever the program names.
TEST(OpenDevices, AutoTakesAModelOfAsManyDevicesAsTheProgramNames) {
  catalog::OpenDevices devices;
  const device::DeviceSpec automatic;
  for (const auto& [count, model] :
       {std::pair{1, "model:h200"}, {2, "model:h200x2"}, {1, "model:h200"}, {5, "model:h200x5"}}) {
    const auto opened = devices.open(automatic, static_cast<std::size_t>(count));
    ASSERT_TRUE(opened) << opened.error().message;
    if ((*opened)->info().kind == trace::Provenance::Kind::measured) {
      EXPECT_EQ(*opened, *devices.open(automatic));
    } else {
      EXPECT_EQ((*opened)->info().id, model);
      EXPECT_EQ((*opened)->info().devices, count);
    }
  }
  const auto named = devices.open(device::model_of("h200"), 2);
  ASSERT_TRUE(named);
  EXPECT_EQ((*named)->info().id, "model:h200") << "what is named is taken as it is";
}

TEST(Catalog, AutoIsTheFirstOfTheListOrTheH200Model) {
  const device::DeviceList list = catalog::list_devices();
  const auto device = tests::open_device("auto");
  ASSERT_TRUE(device) << device.error().message;
  EXPECT_EQ((*device)->info().id, list.why_no_gpu.empty() ? list.devices.front().id : "model:h200");
}

// GPUs of which one cannot be used as the list says, and others fail when they are opened.
class GpusInTurn : public testing::Test {
 protected:
  GpusInTurn() {
    for (const int i : {0, 2, 3}) {
      device::DeviceInfo gpu;
      gpu.id = "cuda:" + std::to_string(i);
      gpus_.devices.push_back(gpu);
    }
    gpus_.skipped.push_back({"cuda:1", "Old", "no kernels"});
  }
  // The devices stand for GPUs: `works` is the one that opens.
  Result<catalog::Automatic> open(int works) {
    return catalog::open_first(gpus_, [&, works](int index) -> Result<std::unique_ptr<device::Device>> {
      asked_.push_back(index);
      if (index != works) return fail(ErrorKind::device_failed, "cudaMalloc failed with 46.");
      return tests::open_device("model:h200,copies.engines=1");
    });
  }
  device::DeviceList gpus_;
  std::vector<int> asked_;
};

TEST_F(GpusInTurn, TheFirstIsTakenWhereItOpens) {
  const auto opened = open(0);
  ASSERT_TRUE(opened);
  EXPECT_THAT(opened->passed_over, testing::IsEmpty());
  EXPECT_THAT(asked_, testing::ElementsAre(0));
}

TEST_F(GpusInTurn, ASickOneIsPassedOverWithItsReason) {
  const auto opened = open(3);
  ASSERT_TRUE(opened);
  EXPECT_EQ(opened->device->info().copy_engines, 1);
  EXPECT_THAT(opened->passed_over, testing::ElementsAre("cuda:0 was passed over: cudaMalloc failed with 46.",
                                                        "cuda:1 was passed over: no kernels.",
                                                        "cuda:2 was passed over: cudaMalloc failed with 46."));
  EXPECT_THAT(asked_, testing::ElementsAre(0, 2, 3)) << "not that which the list says cannot be used";
}

TEST_F(GpusInTurn, TheModelWhereNoneOpens) {
  const auto opened = open(-1);
  ASSERT_TRUE(opened);
  EXPECT_EQ(opened->device->info().id, "model:h200");
  EXPECT_THAT(opened->passed_over, testing::SizeIs(4));
}

TEST(Catalog, ModelMeansTheH200) {
  const auto device = tests::open_device("model");
  ASSERT_TRUE(device);
  EXPECT_EQ((*device)->info().id, "model:h200");
}

TEST(Catalog, AProfileMayBeAFile) {
  const std::string path = (assets_folder() / "devices" / "h200.toml").string();
  const auto device = tests::open_device("model:" + path);
  ASSERT_TRUE(device) << device.error().message;
  EXPECT_EQ((*device)->info().id, "model:" + path);
}

// What the refusal of a program of two devices advises.
TEST(Catalog, AProfileOfAFileMayBeOfSeveralDevices) {
  const std::string file = "model:" + (assets_folder() / "devices" / "h200.toml").string();
  const auto program = tests::program_of("stream A\nstream B device=1\nA: spin 1us\n");
  const auto one = tests::open_device(file), two = tests::open_device(file + "x2");
  ASSERT_TRUE(one && two);
  const auto refused = (*one)->load(program, {});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("; " + file + "x2 is 2 of them"));
  EXPECT_EQ((*two)->info().id, file + "x2");
  EXPECT_EQ((*two)->info().devices, 2);
  EXPECT_TRUE((*two)->load(program, {}));
}

struct HostPace : ::testing::Test {
  // On a GPU of that name whose host took so many times as long as the profile h200 has it.
  std::string asked(const std::string& model, double slower) {
    const auto profile = catalog::open_profile(device::parse_device("model:h200").value());
    EXPECT_TRUE(profile);
    const auto own = predict_wall(*profile, measure::pace_program());
    EXPECT_TRUE(own);
    script.bare_walls.assign(100, static_cast<Nanoseconds>(slower * static_cast<double>(*own)));
    measure::FakeDevice device(script);
    const predict::PacedModel paced = predict::at_host_pace(device::parse_device(model).value(), device, stop.flag());
    note = paced.note;
    return text(paced.model);
  }
  HostPace() { script.name = "NVIDIA H200"; }
  measure::Script script;
  StopSource stop;
  std::string note;
};

TEST_F(HostPace, IsMeasuredAndBecomesAChangeOfTheModel) {
  EXPECT_EQ(asked("model:h200", 1.25), "model:h200,host.pace=1.250");
  EXPECT_EQ(asked("model", 1.25), "model:h200,host.pace=1.250");
  EXPECT_EQ(asked("model:h200,copies.engines=1", 0.9), "model:h200,copies.engines=1,host.pace=0.900");
  EXPECT_EQ(asked("model:h200", 1.01), "model:h200") << "that near it is the same";
  EXPECT_EQ(note, "");
  const auto device = tests::open_device(asked("model:h200", 1.25));
  ASSERT_TRUE(device) << device.error().message;
  EXPECT_EQ((*device)->info().profile, "h200, changed: host.pace 1.25 (was 1)");
}

TEST_F(HostPace, IsThatOfTheHostWhateverElseIsAskedWhatIf) {
  EXPECT_EQ(asked("model:h200,host.launch=10us", 1), "model:h200,host.launch=10us");
  EXPECT_EQ(asked("model:h200,host.launch=10us", 1.25), "model:h200,host.launch=10us,host.pace=1.250");
}

TEST_F(HostPace, IsOfEveryProfileThatWasMadeForTheDevice) {
  const std::string file = "model:" + (assets_folder() / "devices" / "h200.toml").string();
  EXPECT_EQ(asked(file, 1.25), file + ",host.pace=1.250");
}

TEST_F(HostPace, BeyondWhatAProfileTakesIsTheMostItTakes) {
  const auto device = tests::open_device(asked("model:h200", 1e6));
  EXPECT_TRUE(device) << device.error().message;
}

TEST_F(HostPace, IsLeftToWhoSetsIt) {
  EXPECT_EQ(asked("model:h200,host.pace=1", 1.25), "model:h200,host.pace=1");
  EXPECT_TRUE(script.log.empty());
}

TEST_F(HostPace, IsOfNoUseToAModelOfAnotherDevice) {
  EXPECT_EQ(asked("model:laptop-pcie4x8", 1.25), "model:laptop-pcie4x8");
  script.name = "NVIDIA Other";
  EXPECT_EQ(asked("model:h200", 1.25), "model:h200");
  script.name = "NVIDIA H200";
  script.kind = trace::Provenance::Kind::model;
  EXPECT_EQ(asked("model:h200", 1.25), "model:h200");
  EXPECT_TRUE(script.log.empty());
  EXPECT_EQ(note, "");
}

TEST_F(HostPace, ThatCannotBeMeasuredLeavesTheModelAsItIsAndSaysWhy) {
  script.fail_at = "bare";
  script.fail_on = 30;
  EXPECT_EQ(asked("model:h200", 1.25), "model:h200");
  EXPECT_THAT(note, HasSubstr("scripted failure of bare"));
  EXPECT_THAT(script.log, ::testing::Contains("unload"));
}

TEST_F(HostPace, IsNotMeasuredForARunThatIsStopped) {
  stop.request_stop();
  EXPECT_EQ(asked("model:h200", 1.25), "model:h200");
  EXPECT_TRUE(script.log.empty());
}

TEST(Catalog, AProfileIsThatOfAModel) {
  const auto changed = catalog::open_profile(device::parse_device("model:h200,copies.engines=1").value());
  ASSERT_TRUE(changed) << changed.error().message;
  EXPECT_EQ(changed->copies.engines, 1);
  const auto none = catalog::open_profile(device::parse_device("cuda:0").value());
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message, HasSubstr("\"cuda:0\" is no model"));
}

struct NoSuchDevice : ::testing::TestWithParam<const char*> {};

TEST_P(NoSuchDevice, IsReportedWithWhatThereIs) {
  const auto device = tests::open_device(GetParam());
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
  const auto device = tests::open_device("model:" + path.string());
  std::filesystem::remove(path);
  ASSERT_FALSE(device);
  EXPECT_EQ(device.error().kind, ErrorKind::bad_input);
  EXPECT_THAT(device.error().message, HasSubstr(path.string() + ":1:8: "));
}

}  // namespace
}  // namespace streamscope::model
