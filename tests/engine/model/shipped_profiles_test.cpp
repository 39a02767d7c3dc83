// The profiles that come with the program: each is whole, says what it is, and runs what people run first.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "engine/base/files.h"
#include "engine/device/catalog/catalog.h"
#include "engine/device/device.h"
#include "engine/device/model/model.h"
#include "engine/device/model/profile/profile_file.h"
#include "engine/device/model/profile/profile_numbers.h"
#include "engine/experiment/build.h"
#include "engine/experiment/experiment_file.h"
#include "engine/program/read_program.h"

namespace streamscope::model {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> files_of(const std::string& folder, const std::string& ending) {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(assets_folder() / folder)) {
    if (entry.path().extension() == ending) files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

struct Shipped : ::testing::TestWithParam<std::string> {};

trace::Trace run(Profile profile, const std::string& text) {
  const auto program = program::read_program(text, "test");
  EXPECT_TRUE(program) << program.error().message;
  profile.devices = static_cast<int>(program::device_count(program->program));
  const auto device = make_model(profile);
  auto loaded = device->load(program->program, {});
  EXPECT_TRUE(loaded) << loaded.error().message;
  auto pass = (*loaded)->run(device::Instrument::full, {});
  EXPECT_TRUE(pass) << pass.error().message;
  trace::Trace trace = (*loaded)->frame();
  trace.spans = std::move(pass->spans);
  return trace;
}

TEST_P(Shipped, IsWrittenAsItIsRead) {
  const auto profile = catalog::read_profile(GetParam());
  ASSERT_TRUE(profile) << profile.error().message;
  const std::string text = *read_text(GetParam());
  const std::size_t begin = text.find("name = ");
  ASSERT_NE(begin, std::string::npos);
  EXPECT_EQ(write_profile(*profile, ""), text.substr(begin));
}

TEST_P(Shipped, SaysWhatWasMeasuredAndWhatWasNot) {
  const auto profile = catalog::read_profile(GetParam());
  ASSERT_TRUE(profile) << profile.error().message;
  ASSERT_EQ(profile->origins.size(), profile_numbers().size());
  const auto measured = std::count(profile->origins.begin(), profile->origins.end(), Origin::measured);
  if (profile->name.find("(datasheet)") == std::string::npos) {
    EXPECT_GT(measured, 40) << "a profile that is not measured has (datasheet) in its name";
    return;
  }
  EXPECT_EQ(measured, 0);
  EXPECT_GT(std::count(profile->origins.begin(), profile->origins.end(), Origin::datasheet), 10);
  EXPECT_THAT(*read_text(GetParam()), ::testing::HasSubstr("no such GPU was measured"));
}

TEST_P(Shipped, RunsTheExperimentsAndPrograms) {
  const auto profile = catalog::read_profile(GetParam());
  ASSERT_TRUE(profile) << profile.error().message;
  std::vector<std::pair<std::string, std::string>> texts;
  for (const std::string& file : files_of("programs", ".streams")) texts.emplace_back(file, *read_text(file));
  for (const std::string& file : files_of("experiments", ".toml")) {
    const auto experiment = experiment::parse_experiment(*read_text(file), file);
    ASSERT_TRUE(experiment) << experiment.error().message;
    texts.emplace_back(file, experiment::build(experiment->experiment));
  }
  for (const auto& [file, text] : texts) {
    SCOPED_TRACE(file);
    // attention asks for cp.async: older devices refuse it, by name.
    const double capability = std::strtod(profile->compute_capability.c_str(), nullptr);
    if (text.find(": attention") != std::string::npos && capability > 0 && capability < 8.0) {
      const auto read = program::read_program(text, file);
      ASSERT_TRUE(read) << read.error().message;
      const auto loaded = make_model(*profile)->load(read->program, {});
      ASSERT_FALSE(loaded);
      EXPECT_THAT(loaded.error().message, ::testing::HasSubstr("attention needs compute capability 8.0"));
      continue;
    }
    const trace::Trace trace = run(*profile, text);
    EXPECT_TRUE(
        std::all_of(trace.spans.begin(), trace.spans.end(), [](const trace::Span& span) { return known(span.end); }));
  }
}

INSTANTIATE_TEST_SUITE_P(All, Shipped, ::testing::ValuesIn(files_of("devices", ".toml")), [](const auto& file) {
  std::string name = fs::path(file.param).stem().string();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

// docs/cuda-rules.md 11: with one engine, depth-first issue leaves stream 1's copy in behind stream 0's copy out;
// breadth-first overlaps.
TEST(OneCopyEngine, OverlapsOnlyWhatIsIssuedBreadthFirst) {
  const auto profile = catalog::read_profile(assets_folder() / "devices" / "one-copy-engine.toml");
  ASSERT_TRUE(profile) << profile.error().message;
  const std::string head = "buffer x 64MiB\nstreams S 4 nonblocking\n";
  const std::string in = "S{i}: h2d x[{i*16}MiB:16MiB]\n", kernel = "S{i}: spin 3ms\n",
                    out = "S{i}: d2h x[{i*16}MiB:16MiB]\n";
  const auto four = [](const std::string& lines) { return "repeat 4 as i {\n" + lines + "}\n"; };
  const trace::Trace depth = run(*profile, head + four(in + kernel + out));
  const trace::Trace breadth = run(*profile, head + four(in) + four(kernel) + four(out));
  // Of stream 0: h2d, spin, d2h; then of stream 1.
  EXPECT_GE(depth.spans[3].start, depth.spans[2].end);
  EXPECT_EQ(depth.spans[3].reason, trace::WaitReason::engine);
  EXPECT_EQ(depth.spans[3].waits_for, 2u) << "one the other way";
  EXPECT_LT(breadth.spans[1].start, breadth.spans[4].end);
  EXPECT_LT(static_cast<double>(breadth.spans.back().end), 0.85 * static_cast<double>(depth.spans.back().end));
}

}  // namespace
}  // namespace streamscope::model
