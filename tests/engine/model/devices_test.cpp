// Several modelled devices: each with its own engines, and the links between them.
#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "engine/device/model/profile/profile_file.h"
#include "tests/engine/model/simulated.h"

namespace streamscope::model {
namespace {

using ::testing::HasSubstr;

// As two H200s were measured.
Profile two_h200s(int devices = 2) {
  auto profile = catalog::open_profile(device::model_of(fmt::format("h200x{}", devices)));
  EXPECT_TRUE(profile) << profile.error().message;
  return profile.value_or(Profile{});
}
Profile two_over_pcie() {
  Profile profile = two_h200s();
  profile.links = Profile::Links{};
  return profile;
}

constexpr std::string_view kHead =
    "buffer x 256MiB device=0,1\nbuffer y 256MiB device=0,1\n"
    "stream A nonblocking\nstream B device=1 nonblocking\nstream C nonblocking\nstream D device=1 nonblocking\n";
Simulated on_two(const std::string& statements, Profile profile = two_h200s()) {
  return simulate(std::string(kHead) + statements, std::move(profile));
}
double gigabytes_per_second(Nanoseconds time, int copies = 1) {
  return copies * 268.435456e6 / static_cast<double>(time);
}
Nanoseconds together(const Simulated& run, std::size_t a, std::size_t b) {
  return std::max(run[a].end, run[b].end) - std::min(run[a].start, run[b].start);
}

TEST(ModelledDevices, ACopyBetweenThemIsAsQuickAsMeasured) {
  const auto direct = on_two("host: peer 0 1 on\nA: peer x@1 x@0\n"), staged = on_two("A: peer x@1 x@0\n");
  EXPECT_NEAR(gigabytes_per_second(took(direct[1])), 391, 1);
  EXPECT_NEAR(gigabytes_per_second(took(staged[0])), 38.6, 0.1);
  EXPECT_EQ(direct[1].device, 0);
  EXPECT_EQ(direct[1].to_device, 1);
  EXPECT_EQ(direct[1].engine, Engine::peer);
}

TEST(ModelledDevices, AccessCountsFromTheCallOnAndUntilItIsTakenBack) {
  const auto run = on_two("A: peer x@1 x@0\nhost: peer 1 0 on\nA: peer x@1 x@0\nhost: peer 0 1 off\nA: peer x@1 x@0\n");
  EXPECT_EQ(took(run[0]), took(run[4]));
  EXPECT_GT(took(run[0]), 5 * took(run[2]));
}

TEST(ModelledDevices, BothWaysAtOnceHardlySlowEachOther) {
  const auto run = on_two("host: peer 0 1 on\nA: peer x@1 x@0\nB: peer y@0 y@1\n");
  EXPECT_TRUE(overlap(run[1], run[2]));
  EXPECT_NEAR(gigabytes_per_second(together(run, 1, 2), 2), 773, 12);
}

TEST(ModelledDevices, TheSameWayTheyShare) {
  const auto run = on_two("host: peer 0 1 on\nA: peer x@1 x@0\nC: peer y@1 y@0\n");
  EXPECT_TRUE(overlap(run[1], run[2]));
  EXPECT_NEAR(gigabytes_per_second(together(run, 1, 2), 2), 393, 4);
  EXPECT_GT(took(run[1]), 7 * 268'435'456 / 391 / 4);
}

TEST(ModelledDevices, EachHasAWayOutAndAWayIn) {
  // 0 to 1 and 2 to 3 share nothing, 0 to 1 and 2 to 1 the way in.
  const auto run = [](const std::string& second) {
    return simulate(
        "buffer x 256MiB device=0,1,2,3\nstream A nonblocking\nstream B device=2 nonblocking\n"
        "host: peer 0 1 on\nhost: peer 2 3 on\nhost: peer 1 2 on\nA: peer x@1 x@0\nB: " +
            second + "\n",
        two_h200s(4));
  };
  const auto apart = run("peer x@3 x@2"), into_one = run("peer x@1 x@2");
  EXPECT_NEAR(gigabytes_per_second(took(apart[3])), 391, 1);
  EXPECT_LT(took(apart[3]) * 3 / 2, took(into_one[3]));
}

TEST(ModelledDevices, CopiesFromTheHostGoOnSideBySideAndBesidePeerCopies) {
  const auto alone = on_two("A: h2d x\n"), both = on_two("A: h2d x\nB: h2d y\n");
  EXPECT_EQ(took(both[0]), took(alone[0]));
  EXPECT_EQ(took(both[1]), took(alone[0]));
  EXPECT_NEAR(gigabytes_per_second(together(both, 0, 1), 2), 110, 2);
  const auto beside = on_two("host: peer 0 1 on\nA: h2d x\nB: peer y@0 y@1\nC: peer y@1 y@0\n");
  EXPECT_EQ(took(beside[1]), took(alone[0]));
}

TEST(ModelledDevices, OverPcieACopyBetweenThemSharesTheBusWithCopiesFromTheHost) {
  const auto alone = on_two("host: peer 0 1 on\nB: peer x@0 x@1\n", two_over_pcie());
  const auto beside = on_two("host: peer 0 1 on\nA: h2d y\nB: peer x@0 x@1\n", two_over_pcie());
  EXPECT_GT(took(beside[2]), took(alone[1]) * 11 / 10);
  const auto other_way = on_two("host: peer 0 1 on\nA: d2h y\nB: peer x@0 x@1\n", two_over_pcie());
  EXPECT_EQ(took(other_way[2]), took(alone[1]));
}

TEST(ModelledDevices, KernelsOfTwoAreNotInEachOthersWay) {
  const auto run = on_two("A: spin 1ms blocks=5000\nB: spin 1ms blocks=5000\n");
  const auto alone = on_two("A: spin 1ms blocks=5000\n");
  EXPECT_EQ(took(run[0]), took(alone[0]));
  EXPECT_EQ(took(run[1]), took(alone[0]));
}

TEST(ModelledDevices, ASynchronisationHoldsTheHostForTheCurrentOneOnly) {
  const auto run = on_two("A: spin 1ms\nB: spin 5ms\nhost: sync device\nhost: device 1\nhost: sync device\n");
  EXPECT_LT(run[2].host_end, run[1].end);
  EXPECT_GE(run[2].host_end, run[0].end);
  EXPECT_EQ(held(run[3]), 70);
  EXPECT_GE(run[4].host_end, run[1].end);
}

TEST(ModelledDevices, FreeingMemoryWaitsForItsOwn) {
  const auto run = on_two("B: spin 5ms\nhost: malloc t 1MiB\nhost: free t\n");
  EXPECT_LT(run[2].host_end, run[0].end);
}

TEST(ModelledDevices, AWaitForAnotherDevicesEventHolds) {
  const auto run = on_two("A: spin 1ms\nA: record e\nB: wait e\nB: spin 1us\n");
  EXPECT_GE(run[3].start, run[1].end);
  EXPECT_EQ(run[2].reason, trace::WaitReason::event);
}

TEST(ModelledDevices, TheTimeBetweenEventsOfTwoIsNone) {
  const auto run = on_two("A: record e\nB: record f\nhost: sync e\nhost: sync f\nhost: elapsed e f\n");
  EXPECT_EQ(run[4].result, CallResult::invalid_resource_handle);
}

TEST(ModelledDevices, EachHasMemoryOfItsOwn) {
  const auto program = tests::program_of("buffer x 100GiB\nbuffer y 100GiB device=1\nstream A\nA: spin 1us\n");
  EXPECT_TRUE(predict_wall(two_h200s(), program));
  const auto full = tests::program_of("buffer x 100GiB\nbuffer y 100GiB device=1,0\nstream A\nA: spin 1us\n");
  const auto refused = predict_wall(two_h200s(), full);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("line 2: buffer y"));
}

TEST(ModelledDevices, ThoseThatAreNotThereAreRefused) {
  const auto program = tests::program_of("stream A\nstream B device=2\nA: spin 1us\n");
  for (const auto& [profile, words] :
       {std::pair{h200(),
                  "line 2: the program is for 3 devices, counted from 0, and the model model-profile is one "
                  "device; model:model-profilex3 is 3 of them."},
        std::pair{two_h200s(),
                  "line 2: the program is for 3 devices, counted from 0, and the model h200x2 is 2 "
                  "devices, counted from 0."}}) {
    const auto loaded = make_model(profile)->load(program, {});
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error().kind, ErrorKind::no_device);
    EXPECT_EQ(loaded.error().message, words);
  }
}

TEST(ModelledDevices, TheTraceTellsOfEach) {
  const auto program = tests::program_of("stream A\nstream B device=1\nA: spin 1us\nB: spin 1us\n");
  const auto device = make_model(two_h200s(4));
  EXPECT_EQ(device->info().id, "model:h200x4");
  const auto loaded = device->load(program, {});
  ASSERT_TRUE(loaded) << loaded.error().message;
  const trace::Trace& frame = (*loaded)->frame();
  EXPECT_EQ(trace::device_count(frame), 2u);  // those that the program uses
  EXPECT_EQ(frame.device_facts.size(), 2u);
  EXPECT_EQ(frame.streams[3].device, 1u);
}

TEST(ModelledDevices, OneAloneRunsAsItDidBefore) {
  const std::string text = "buffer x 16MiB\nstreams S 2\nS0: h2d x\nS0: axpb x fma=64\nS1: memset x 0\nS0: d2h x\n";
  const auto one = simulate(text, h200());
  Profile several = h200();
  several.devices = 4;
  EXPECT_EQ(one.spans, simulate(text, several).spans);
}

TEST(Catalog, ANumberBehindAProfilesNameIsSoManyDevices) {
  const auto four = catalog::open_profile(device::model_of("h200x4"));
  ASSERT_TRUE(four) << four.error().message;
  EXPECT_EQ(four->devices, 4);
  EXPECT_EQ(four->id, "h200x4");
  EXPECT_EQ(make_model(*four)->info().devices, 4);
  const auto named_so = catalog::open_profile(device::model_of("laptop-pcie4x8"));
  ASSERT_TRUE(named_so);
  EXPECT_EQ(named_so->devices, 1);
  EXPECT_EQ(catalog::open_profile(device::model_of("laptop-pcie4x8x2"))->devices, 2);
  for (const char* wrong : {"h200x0", "h200x02", "h200x65", "h200x", "x2", "h999x2"})
    EXPECT_FALSE(catalog::open_profile(device::model_of(wrong))) << wrong;
}

TEST(ModelledDevices, TheExampleOfTheDocumentsRuns) {
  const auto page = read_text(STREAMSCOPE_SOURCE "/docs/language.md", 1u << 20);
  ASSERT_TRUE(page);
  std::string example = page->substr(page->find("## Several devices"));
  example = example.substr(example.find("    buffer"));
  example = example.substr(0, example.find("\n\n") + 1);
  const auto run = simulate(example, two_h200s());
  ASSERT_EQ(run.spans.size(), 12u);
  EXPECT_NEAR(gigabytes_per_second(took(run[2])), 391, 1);
  EXPECT_GE(run[5].start, run[2].end);
}

TEST(Profiles, MayLeaveTheLinksOut) {
  const auto text = read_text(STREAMSCOPE_SOURCE "/tests/golden/model-profile.toml", 1u << 20);
  ASSERT_TRUE(text);
  EXPECT_EQ(text->find("[links]"), std::string::npos);
  auto profile = parse_profile(*text, "f", "f");
  ASSERT_TRUE(profile) << profile.error().message;
  const auto written = parse_profile(write_profile(*profile, ""), "f", "f");
  ASSERT_TRUE(written) << written.error().message;
  EXPECT_EQ(written->links.peer.points.size(), profile->links.peer.points.size());
  EXPECT_EQ(written->links.over_bus, profile->links.over_bus);
  const auto unfinished = parse_profile(*text + "\n[links]\n", "f", "f");
  ASSERT_FALSE(unfinished);
  EXPECT_THAT(unfinished.error().message, HasSubstr("\"peer\" is missing in [links]"));
}

}  // namespace
}  // namespace streamscope::model
