// What the words of the program and of its CUDA C++ mean, and that they can be read in every theme.
#include "app/window/panels/code_words.h"

#include <gmock/gmock.h>

#include "app/timeline/contrast.h"

namespace streamscope::window {
namespace {

using ::testing::Contains;
using Meaning = WordMeaning;

CodeWord operation(std::string_view text, OperationKind kind) { return {text, Meaning::operation, kind}; }

std::string text_of(const CodeWords& words) {
  std::string out;
  for (const CodeWord& each : words) out += each.text;
  return out;
}

TEST(CodeWords, OfAProgramAreItsStatementsAndNumbers) {
  EXPECT_THAT(
      words_of_program("  S{i%4}: h2d x[{i*16}MiB:16MiB]  # in"),
      ::testing::ElementsAre(CodeWord{"  S{i%4}: "}, operation("h2d", OperationKind::h2d), CodeWord{" x[{i*"},
                           CodeWord{"16", Meaning::number}, CodeWord{"}MiB:"}, CodeWord{"16MiB", Meaning::number},
                           CodeWord{"]  "}, CodeWord{"# in", Meaning::comment}));
  EXPECT_THAT(words_of_program("repeat 16 as i {"),
              ::testing::IsSupersetOf({CodeWord{"repeat", Meaning::keyword}, CodeWord{"as", Meaning::keyword}}));
  EXPECT_THAT(words_of_program("A: axpb x fma=64"), Contains(operation("axpb", OperationKind::kernel)));
  EXPECT_THAT(words_of_program("host: memcpy d2h x"), Contains(operation("d2h", OperationKind::d2h)));
  EXPECT_THAT(words_of_program("A: callback 5us"), Contains(operation("callback", OperationKind::hostfn)));
}

// A stream may be called as a statement is.
TEST(CodeWords, AreStatementsOnlyWhereOneStands) {
  EXPECT_THAT(words_of_program("stream record"), ::testing::Not(Contains(operation("record", OperationKind::record))));
  EXPECT_THAT(words_of_program("# h2d"), ::testing::ElementsAre(CodeWord{"# h2d", Meaning::comment}));
}

TEST(CodeWords, OfCudaHaveTheKindOfWhatTheyDo) {
  const CodeWords copy =
      words_of_cuda("  CHECK(cudaMemcpyAsync(x, x_host, 4 * MiB, cudaMemcpyHostToDevice, A));  // in");
  EXPECT_THAT(copy, ::testing::IsSupersetOf({CodeWord{"cudaMemcpyAsync", Meaning::call}, CodeWord{"4", Meaning::number},
                                           operation("cudaMemcpyHostToDevice", OperationKind::h2d),
                                           CodeWord{"// in", Meaning::comment}}));
  EXPECT_THAT(words_of_cuda("  axpb<<<2, 256, 0, A>>>(x);"), Contains(operation("axpb", OperationKind::kernel)));
  EXPECT_THAT(words_of_cuda("#include <cstdio>"), Contains(CodeWord{"#include", Meaning::keyword}));
  EXPECT_THAT(words_of_cuda(R"(printf("a \" // b", 'c');)"), Contains(CodeWord{R"("a \" // b")", Meaning::number}));
}

TEST(CodeWords, SideBySideAreTheLine) {
  for (const char* line : {"", "}", "A: h2d x[0:1MiB] from h  # \xC3\xA9", "  S{i%4}: record e{i+1}", "A:", "# x: y",
                           "a: \"", "const char* c = \"open", "\\", "'"}) {
    EXPECT_EQ(text_of(words_of_program(line)), line);
    EXPECT_EQ(text_of(words_of_cuda(line)), line);
  }
}

TEST(CodeWords, AreReadOnEveryGroundOfEveryTheme) {
  for (std::size_t t = 0; t < kNames<timeline::ThemeName>.size(); ++t) {
    const timeline::Theme& theme = timeline::theme(static_cast<timeline::ThemeName>(t));
    const auto check = [&](const CodeWord& word) {
      for (const timeline::Colour ground : {theme.background, lit_ground(theme), cursor_ground(theme)})
        EXPECT_GE(timeline::contrast(colour_of(word, theme), ground), timeline::kReadable)
            << timeline::name(theme.name) << " " << static_cast<int>(word.meaning) << " " << name(word.kind);
    };
    for (std::size_t i = 0; i < kWordMeanings; ++i) check({"", static_cast<Meaning>(i)});
    for (std::size_t i = 0; i < kOperationKinds; ++i) check(operation("", static_cast<OperationKind>(i)));
  }
}

}  // namespace
}  // namespace streamscope::window
