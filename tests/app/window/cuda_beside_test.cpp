// The CUDA C++ beside the program: when it is written, what is kept of it, and what is copied and saved.
#include "app/window/state/cuda_beside.h"

#include <gmock/gmock.h>

#include "tests/support/state_loop.h"

namespace streamscope::window {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class CudaBesideProgram : public ::testing::Test {
 protected:
  CudaBesideProgram() { loop.up(); }
  // What the command wants written is written.
  std::optional<CudaWanted> after(const Command& command) {
    const Effects effects = update(loop.state, command);
    if (effects.cuda) loop.update(command::CudaFound{write_cuda(*effects.cuda)});
    return effects.cuda;
  }
  const CudaBeside& cuda = loop.state.cuda;
  testing::StateLoop loop;
};

TEST_F(CudaBesideProgram, IsWrittenOnceForEachTextWhileItIsInSight) {
  EXPECT_FALSE(after(command::EditProgram{"stream A\n"})) << "nobody looks at it";
  const auto wanted = after(command::ShowCuda{true});
  ASSERT_TRUE(wanted);
  EXPECT_EQ(wanted->program, "stream A\n");
  ASSERT_TRUE(cuda.written);
  EXPECT_THAT(cuda.written->source.text, HasSubstr("cudaStreamCreate(&A)"));
  EXPECT_FALSE(after(command::LookAtLine{1})) << "it is there";
  EXPECT_FALSE(after(command::ShowDock{command::Dock::waits}));
  EXPECT_FALSE(after(command::EditProgram{"stream AB\n"})) << "another tab is in sight";
  EXPECT_TRUE(after(command::ShowDock{command::Dock::program}));
  EXPECT_THAT(cuda.written->source.text, HasSubstr("cudaStreamCreate(&AB)"));
}

TEST_F(CudaBesideProgram, OfATextWithErrorsSaysWhyAndKeepsTheOneBefore) {
  after(command::ShowCuda{true});
  const auto before = cuda.written;
  ASSERT_TRUE(before);
  after(command::EditProgram{"stream A\nA: h2d y\n"});
  EXPECT_EQ(cuda.written, before);
  EXPECT_THAT(cuda.why_not, HasSubstr("program:2:8"));
  after(command::EditProgram{"stream A\n"});
  EXPECT_EQ(cuda.why_not, "");
  EXPECT_NE(cuda.written, before);
}

TEST_F(CudaBesideProgram, OfATextThatHasChangedSinceIsNotTaken) {
  const Effects first = update(loop.state, command::ShowCuda{true});
  ASSERT_TRUE(first.cuda);
  const Effects second = update(loop.state, command::EditProgram{"stream A\n"});
  loop.update(command::CudaFound{write_cuda(*second.cuda)});
  loop.update(command::CudaFound{write_cuda(*first.cuda)});
  EXPECT_EQ(cuda.written->version, second.cuda->version);
}

TEST_F(CudaBesideProgram, ItsLinesKnowWhichOperationIsSelected) {
  after(command::EditProgram{"stream A\nbuffer x 1MiB\nA: h2d x\n"});
  auto run = testing::a_run(loop.state.editing.program);
  auto changed = std::make_shared<trace::Run>(*run);
  changed->trace.spans[0].line = 3;
  loop.update(command::RunPrepared{prepare({.id = 0, .number = 1, .started = {}, .run = changed})});
  loop.update(command::Select{0});
  EXPECT_EQ(selected_line(loop.state), 3u);
  after(command::EditProgram{"# other\nstream A\nbuffer x 1MiB\nA: h2d x\n"});
  EXPECT_EQ(selected_line(loop.state), 0u) << "the run's lines are not the text's";
}

TEST_F(CudaBesideProgram, ItsFileIsOneWordForAShell) {
  OpenedFile file{.name = "example of (event)", .content = {}};
  file.content.program = "stream A\n";
  loop.update(command::FileOpened{std::move(file)});
  EXPECT_EQ(cuda_name(loop.state), "example_of__event_.cu");
}

TEST_F(CudaBesideProgram, IsCopiedWhole) {
  EXPECT_FALSE(update(loop.state, command::CopyCuda{}).clipboard) << "there is none";
  after(command::ShowCuda{true});
  EXPECT_EQ(update(loop.state, command::CopyCuda{}).clipboard, cuda.written->source.text);
}

TEST_F(CudaBesideProgram, IsSavedAsTheCommandLineWritesIt) {
  loop.update(command::EditProgram{"stream A\n"});
  loop.update(command::AskFile{FileQuestion::save_cuda});
  EXPECT_EQ(loop.state.files.name, "four-streams.cu");
  const Effects effects = update(loop.state, command::SaveAs{"/there/mine"});
  ASSERT_TRUE(effects.save);
  EXPECT_EQ(effects.save->path, "/there/mine.cu");
  const auto text = cuda_text(effects.save->text, effects.save->path);
  ASSERT_TRUE(text);
  EXPECT_THAT(*text, StartsWith("// nvcc -std=c++17 -O3 mine.cu -o mine\n"));
  loop.update(command::FileSaved{*effects.save});
  EXPECT_EQ(loop.state.files.asks, FileQuestion::none);
  EXPECT_TRUE(unsaved(loop.state.editing)) << "the program itself is in no file yet";
  EXPECT_EQ(loop.state.editing.path, "");
}

}  // namespace
}  // namespace streamscope::window
