// A copy pipeline in a kernel, as the model has it: what stages bring, and where they bring nothing more.
#include "tests/engine/model/simulated.h"

namespace streamscope::model {
namespace {

Nanoseconds kernel(const std::string& settings, const Profile& profile = h200()) {
  return took(simulate("buffer x 256MiB\nstream A nonblocking\nA: tiles x tile=16KiB threads=512 " + settings + "\n",
                       profile)[0]);
}

TEST(Tiles, WithMoreStagesTakeNoLonger) {
  for (const std::string fma : {"1", "32", "128"}) {
    Nanoseconds before = kernel("fma=" + fma + " stages=1");
    for (int stages = 2; stages <= 8; ++stages) {
      const Nanoseconds now = kernel("fma=" + fma + " stages=" + std::to_string(stages));
      EXPECT_LE(now, before) << fma << " " << stages;
      before = now;
    }
  }
}

TEST(Tiles, CopiesGoOnDuringTheWork) {
  const double one = static_cast<double>(kernel("fma=32 stages=1")),
               two = static_cast<double>(kernel("fma=32 stages=2"));
  EXPECT_GT(one, 1.2 * two);
  EXPECT_GT(kernel("fma=32 copy=sync"), kernel("fma=32 stages=1")) << "through registers";
  EXPECT_LT(kernel("fma=32 stages=4 copy=bulk align=128"), kernel("fma=32 stages=4")) << "one thread asks for all";
}

TEST(Tiles, AreNeverFasterThanMemoryOrArithmetic) {
  const Profile profile = h200();
  const double bytes = 2.0 * (256 << 20);  // read and written
  const double by_memory = bytes / static_cast<double>(profile.compute.memory_rate) * 1e9;
  EXPECT_GT(static_cast<double>(kernel("fma=1 stages=8", profile)), 0.9 * by_memory);
  const double fmas = 1000.0 * (256 << 20) / 4;
  const double by_arithmetic = fmas / (132.0 * profile.compute.fma_per_clock * profile.compute.clock_mhz) * 1e3;
  EXPECT_GT(static_cast<double>(kernel("fma=1000 stages=8", profile)), 0.9 * by_arithmetic);
}

TEST(Tiles, GoWithMemoryAndTheClockWhereAPersonChangesThem) {
  Profile changed = h200();
  changed.compute.memory_rate /= 2;
  EXPECT_GT(kernel("fma=1 stages=8", changed), kernel("fma=1 stages=8") * 3 / 2);
  changed = h200();
  changed.compute.clock_mhz /= 2;
  EXPECT_GT(kernel("fma=200 stages=8", changed), kernel("fma=200 stages=8") * 3 / 2);
}

TEST(Tiles, BlocksShareAMultiprocessorAndItsSharedMemory) {
  EXPECT_LT(kernel("fma=1 stages=1 per-sm=2"), kernel("fma=1 stages=1 per-sm=1")) << "one copies while the other works";
  Profile small = h200();
  small.compute.shared_bytes = 100 << 10;
  small.compute.block_shared = 99 << 10;
  // Three stages of 16 KiB: two blocks fit, four do not.
  EXPECT_GE(kernel("fma=1 stages=3 per-sm=4", small), kernel("fma=1 stages=3 per-sm=2", small));
  const program::Program program = tests::program_of("buffer x 1MiB\nstream A\nA: tiles x fma=1 tile=32KiB stages=4\n");
  const auto loaded = make_model(small)->load(program, {});
  ASSERT_FALSE(loaded);
  EXPECT_THAT(loaded.error().message, ::testing::HasSubstr("shared memory"));
}

TEST(Tiles, OneOfABlockIsCopiedAndWorkedOnWhateverTheStages) {
  const auto one_each = [](const char* stages) {
    return took(
        simulate("buffer x 2MiB\nstream A\nA: tiles x fma=32 tile=16KiB stages=" + std::string(stages) + "\n")[0]);
  };
  EXPECT_EQ(one_each("8"), one_each("1"));
}

TEST(Tiles, CostMoreInSmallPieces) {
  EXPECT_GT(kernel("fma=32 stages=1 bytes=4"), kernel("fma=32 stages=1 bytes=8"));
  EXPECT_GT(kernel("fma=32 stages=1 bytes=8"), kernel("fma=32 stages=1 bytes=16"));
  EXPECT_GT(kernel("fma=32 stages=1 align=4"), kernel("fma=32 stages=1 bytes=4")) << "the work goes by words, too";
  EXPECT_GT(kernel("fma=1 copy=warp-specialised producers=1"), kernel("fma=1 copy=warp-specialised producers=4"));
}

// Who commits in parts waits for tiles that it meant to leave on their way.
TEST(Tiles, OfWarpsThatDivergeAreNotAsFarAhead) {
  for (const std::string copy : {"cp.async", "primitives", "pipeline"}) {
    const std::string way = "fma=1 copy=" + copy;
    EXPECT_GT(kernel(way + " stages=4 diverge=32"), kernel(way + " stages=4")) << copy;
    EXPECT_GE(kernel(way + " stages=8 diverge=32"), kernel(way + " stages=8 diverge=4")) << copy;
  }
}

TEST(Tiles, AreRefusedWhereTheDeviceCannotCopySo) {
  Profile older = h200();
  older.compute_capability = "8.0";
  const program::Program program = tests::program_of("buffer x 1MiB\nstream A\nA: tiles x fma=1 copy=bulk\n");
  const auto loaded = make_model(older)->load(program, {});
  ASSERT_FALSE(loaded);
  EXPECT_THAT(loaded.error().message, ::testing::HasSubstr("copy=bulk needs compute capability 9.0"));
}

TEST(Tiles, APartOfATileIsATileToo) {
  const auto of = [](const char* bytes) {
    return took(
        simulate(std::string("buffer x 64MiB\nstream A\nA: tiles x[0:") + bytes + "] fma=32 tile=16KiB per-sm=1\n")[0]);
  };
  EXPECT_GT(of("4"), 0);
  EXPECT_LE(of("4"), of("16KiB"));
  EXPECT_LE(of("16KiB"), of("64MiB"));
}

// With four stages two groups may be under way when a tile has been waited for.
TEST(Tiles, AWaitForMoreThanNeededOverlapsLess) {
  const auto with = [](const std::string& wait) { return kernel("fma=8 stages=4 wait=" + wait); };
  EXPECT_EQ(with("2"), with("needed"));
  EXPECT_GT(with("1"), with("2"));
  EXPECT_GT(with("0"), with("1"));
  EXPECT_EQ(with("all"), with("0"));
  EXPECT_LE(kernel("fma=8 stages=4 leave-out=wait"), with("2")) << "nothing is waited for";
}

TEST(Tiles, NarrowCopiesIntoBadlyAlignedSharedMemoryCostMore) {
  EXPECT_GT(kernel("fma=1 stages=3 smem-align=4 bytes=4"), kernel("fma=1 stages=3 smem-align=16"));
  EXPECT_EQ(kernel("fma=1 stages=3 smem-align=4 bytes=4"), kernel("fma=1 stages=3 align=4 bytes=4"));
}

// The model moves no data: it tells by rule.
TEST(Tiles, WrongOnPurposeAreToldSo) {
  const auto verified = [](const std::string& options) {
    const program::Program program = tests::program_of("buffer x 1MiB\nstream A\nA: tiles x fma=1 " + options + "\n");
    auto loaded = make_model(h200())->load(program, {});
    EXPECT_TRUE(loaded) << loaded.error().message;
    const auto right = (*loaded)->verify();
    EXPECT_TRUE(right);
    const trace::Notes notes = (*loaded)->notes();
    const trace::Note* const note = trace::first_of(notes, trace::NoteKind::wrong_data);
    EXPECT_EQ(note != nullptr, *right == false);
    if (note != nullptr) {
      EXPECT_THAT(note->text, ::testing::HasSubstr("would read data that has not come"));
    }
    return *right;
  };
  EXPECT_EQ(verified("stages=4 wait=3"), false);
  EXPECT_EQ(verified("leave-out=barrier"), false);
  EXPECT_EQ(verified("stages=4 wait=2"), std::nullopt);
}

}  // namespace
}  // namespace streamscope::model
