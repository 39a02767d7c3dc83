// Each error of a text is reported at its location, once, with what to write instead.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/program/read_program.h"
#include "tests/engine/program/bad_input.h"

namespace streamscope::program {
namespace {

using ::testing::HasSubstr;

class OneError : public ::testing::TestWithParam<Row> {};

TEST_P(OneError, IsReportedOnceAtItsLocation) { expect_one_error(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Statements, OneError,
    ::testing::Values(
        Row{"bufer x 1MiB", 1, 1, {"'bufer'", "did you mean 'buffer'?"}},
        Row{"Stream A", 1, 1, {"'Stream'", "did you mean 'stream'?"}},
        Row{"repaet 4 {\n}", 1, 1, {"did you mean 'repeat'?"}},
        Row{"wibble",
            1,
            1,
            {"unknown statement 'wibble'", "buffer, stream, streams, event, kernel, default-stream, repeat"}},
        Row{"5: spin 1us", 1, 1, {"expected a statement", "'5'"}}, Row{"  @x", 1, 3, {"expected a statement", "'@x'"}},
        Row{"h2d x", 1, 1, {"`h2d` needs the stream", "`A: h2d x[0:16MiB]`"}},
        Row{"sync device", 1, 1, {"`host: sync device`"}},
        Row{with_x("A h2d x"), 3, 3, {"expected ':'", "'h2d'", "`A: h2d …`"}},
        Row{"host sync device", 1, 6, {"expected ':' behind `host`"}},
        Row{with_x("A:"), 3, 3, {"expected what the stream does", "the end of the line", "h2d, d2h"}},
        Row{with_x("A: h3d x"), 3, 4, {"'h3d'", "did you mean 'h2d'?"}},
        Row{with_x("A: sync device"), 3, 4, {"done by the host", "`host: sync device`"}},
        Row{"host: spin 1us", 1, 7, {"given to a stream", "`A: spin 300us"}},
        Row{"host: snyc device", 1, 7, {"'snyc'", "did you mean 'sync'?"}},
        Row{with_x("A: d2h x x"), 3, 10, {"expected the end of the line", "'x'"}},
        Row{with_x("A: spin 1us }"), 3, 13, {"'}'", "line of its own"}},
        Row{with_x("A: spin 1us {"), 3, 13, {"only `repeat`, `graph` and `thread` open blocks"}},
        Row{with_x("A: record"), 3, 10, {"expected a name", "end of the line", "`A: record e`"}},
        Row{with_x("# ä\n\xC3\xA4\xC3\xB6 \xC3\xBC"), 4, 1, {"expected a statement", "'äö'"}},
        Row{"buffer \xC3\xA4 1MiB", 1, 8, {"a name begins with a letter", "'ä'"}}));

INSTANTIATE_TEST_SUITE_P(
    Numbers, OneError,
    ::testing::Values(
        Row{"buffer x", 1, 9, {"expected a size", "end of the line", "`buffer x 64MiB host=pinned`"}},
        Row{"buffer x 64Mib", 1, 10, {"'Mib'", "did you mean 64MiB?"}},
        Row{"buffer x 64M", 1, 10, {"'M'", "write 64MiB"}}, Row{"buffer x 64 MiB", 1, 13, {"write 64MiB"}},
        Row{"buffer x MiB", 1, 10, {"expected a size such as 64MiB", "'MiB'"}},
        Row{"buffer x -4", 1, 10, {"cannot be negative"}},
        Row{"buffer x 0", 1, 10, {"the size of a buffer", "at least 1"}}, Row{"buffer x 1.5", 1, 10, {"no fraction"}},
        Row{"buffer x 0.3KiB", 1, 10, {"not a whole number of bytes"}},
        Row{"buffer x 99999999999GiB", 1, 10, {"too large"}}, Row{"buffer x 9223372036854775808", 1, 10, {"too large"}},
        Row{"buffer x {1+}MiB", 1, 13, {"expected a number"}},
        Row{"buffer x {1MiB}", 1, 12, {"without a unit", "{i*4}MiB"}},
        Row{"buffer x {4}MB2", 1, 10, {"expected a unit behind the braces"}},
        Row{"buffer x {1", 1, 10, {"never closed"}}, Row{"buffer x {(1}", 1, 11, {"'('", "never closed"}},
        Row{"buffer x {1 2}", 1, 13, {"expected an operator", "'2'"}},
        Row{"buffer x {i}MiB", 1, 11, {"'i' is no variable", "repeat 16 as i {"}},
        Row{"buffer x {4/0}MiB", 1, 12, {"division by zero: 4 / 0"}},
        Row{"buffer x {4%(2-2)}MiB", 1, 12, {"division by zero: 4 % 0"}},
        Row{"buffer x {9223372036854775807+1}", 1, 30, {"integer overflow", "9223372036854775807 + 1"}},
        Row{"buffer x {9223372036854775808}", 1, 11, {"too large"}},
        Row{"buffer x {4000000000*4000000000}", 1, 21, {"integer overflow"}},
        Row{"buffer x {(0-9223372036854775807-1)/(0-1)}", 1, 36, {"integer overflow"}},
        Row{"buffer x {9000000000}GiB", 1, 10, {"integer overflow", "9000000000 times 1073741824"}},
        Row{"buffer x 4611686018427387904\nbuffer y 1", 2, 10, {"integer overflow", "together"}},
        Row{with_x("A: spin 300"), 3, 9, {"'300' needs a unit of time"}},
        Row{with_x("A: spin 300 us"), 3, 9, {"write 300us"}},
        Row{with_x("A: spin 300usec"), 3, 9, {"did you mean 300us?"}},
        Row{with_x("A: spin 0.5ns"), 3, 9, {"not a whole number of nanoseconds"}},
        Row{with_x("A: spin {2}"), 3, 9, {"expected a unit behind the braces", "ns us ms s"}},
        Row{with_x("A: spin {0-2}us"), 3, 9, {"comes to -2000", "from 0 to 600000000000"}},
        Row{with_x("A: hostfn 601s"), 3, 11, {"'601s'", "ten minutes at most"}},
        Row{with_x("A: spin"), 3, 8, {"expected a duration", "`A: spin 300us"}}));

INSTANTIATE_TEST_SUITE_P(
    Names, OneError,
    ::testing::Values(
        Row{"buffer x 1MiB\nbuffer x 2MiB", 2, 8, {"'x' is declared twice", "a buffer of line 1"}},
        Row{"buffer x 1MiB\nstream x", 2, 8, {"declared twice", "a buffer of line 1"}},
        Row{"stream S2\nstreams S 4", 2, 9, {"'S2' is declared twice", "a stream of line 1"}},
        Row{"event e\nevent e", 2, 7, {"declared twice", "an event of line 1"}},
        Row{"default: record e\nevent e", 2, 7, {"declared twice", "an event of line 1"}},
        Row{"repeat 2 {\n  buffer x 1MiB\n}", 2, 10, {"an earlier pass of the repeat", "x{i}"}},
        Row{"stream default", 1, 8, {"'default' cannot be declared"}},
        Row{"stream host", 1, 8, {"'host' cannot be declared"}},
        Row{"repeat 2 as i {\n  stream S{i-1}\n}", 2, 10, {"'S-1'", "is no name", "(with i=0)"}},
        Row{with_x("A: h2d y"), 3, 8, {"unknown buffer 'y'", "`buffer y 64MiB`"}},
        Row{"buffer data 1MiB\ndefault: h2d dtaa", 2, 14, {"unknown buffer 'dtaa'", "did you mean 'data'?"}},
        Row{"buffer x 1MiB\nB: h2d x", 2, 1, {"unknown stream 'B'", "`stream B`"}},
        Row{"streams S 4\nrepeat 5 as i {\n  S{i}: spin 1us\n}", 3, 3, {"unknown stream 'S4'", "(with i=4)"}},
        Row{with_x("A: wait e"), 3, 9, {"unknown event 'e'", "`A: record e` or `event e`"}},
        Row{with_x("host: sync B"), 3, 12, {"unknown stream or event 'B'"}},
        Row{with_x("host: poll x"), 3, 12, {"'x' is a buffer (line 1)", "expected a stream or an event"}},
        Row{with_x("host: poll device"), 3, 12, {"cannot be polled", "`host: sync device`"}},
        Row{with_x("A: h2d A"), 3, 8, {"'A' is a stream (line 2)", "expected a buffer"}},
        Row{with_x("x: spin 1us"), 3, 1, {"'x' is a buffer (line 1)", "expected a stream"}},
        Row{with_x("A: record x"), 3, 11, {"'x' is a buffer", "expected an event"}},
        Row{"default: memset x 0\nbuffer x 1MiB", 1, 17, {"before line 2 declares it"}},
        Row{with_x("A: record " + std::string(300, 'e')), 3, 11, {"longer than 255"}}));

INSTANTIATE_TEST_SUITE_P(
    Memory, OneError,
    ::testing::Values(
        Row{with_x("A: h2d x[0:2MiB]"), 3, 12, {"ends at byte 2097152", "1048576 bytes (1MiB)", "at most 1MiB"}},
        Row{with_x("A: h2d x[2MiB:1]"), 3, 10, {"ends at byte 2097153", "offset must lie below"}},
        Row{with_x("A: h2d x[0:0]"), 3, 12, {"0 bytes", "at least 1"}},
        Row{with_x("A: h2d x[{0-4}:4]"), 3, 10, {"comes to -4", "0 or more"}},
        Row{with_x("A: h2d x[0:1MiB"), 3, 16, {"expected ']'", "end of the line"}},
        Row{with_x("A: h2d x[0]"), 3, 11, {"expected ':' and the length", "']'"}},
        Row{with_x("A: h2d x[:4]"), 3, 10, {"the offset of the range", "':'"}},
        Row{with_x("A: h2d x[9223372036854775807:9223372036854775807]"), 3, 10, {"ends at byte 18446744073709551614"}},
        Row{with_x("repeat 3 as i {\n A: d2h x[{i*512}KiB:512KiB]\n}"), 4, 22, {"ends at byte 1572864", "(with i=2)"}},
        Row{with_x("A: memset x 256"), 3, 13, {"'256'", "from 0 to 255"}},
        Row{with_x("A: memset x"), 3, 12, {"expected a whole number", "`A: memset x[0:1MiB] 0`"}},
        Row{with_x("A: memset x 1.5"), 3, 13, {"'1.5'", "without a unit or fraction"}},
        Row{with_x("A: d2d x[0:4] x[8:8]"), 3, 15, {"4 bytes to, 8 bytes from"}},
        Row{with_x("A: d2d x[0:8] x[4:8]"), 3, 15, {"overlap"}}, Row{with_x("A: d2d x x"), 3, 10, {"overlap"}},
        Row{with_x("A: axpb x[2:4] fma=1"), 3, 9, {"multiple of 4", "offset", "found 2", "write 0 or 4"}},
        Row{with_x("A: axpb x[0:6] fma=1"), 3, 9, {"multiple of 4", "length", "found 6"}},
        Row{with_x("host: memcpy d2d x"), 3, 14, {"h2d or d2h", "'d2d'"}},
        Row{with_x("host: memcpy x"), 3, 14, {"h2d or d2h", "'x'"}},
        Row{"host: malloc t 1MiB\ndefault: h2d t", 2, 14, {"'t' has no host side", "line 1", "`buffer t 1MiB`"}},
        Row{"host: malloc t 1MiB\nhost: memcpy d2h t", 2, 18, {"no host side"}},
        Row{"host: malloc t 1MiB\nhost: touch t", 2, 13, {"no host side"}},
        Row{"host: malloc t 1MiB\nhost: free t\ndefault: memset t 0", 3, 17, {"used after line 2 freed it"}},
        Row{"host: malloc t 1MiB\nhost: free t\nhost: free t", 3, 12, {"freed twice", "line 2"}},
        Row{"host: malloc t 1MiB\nhost: malloc t 1MiB", 2, 14, {"allocated already, in line 1"}},
        Row{"default: memset t 0\nhost: malloc t 1MiB", 1, 17, {"before line 2 allocates it"}},
        Row{with_x("host: malloc x 1MiB"), 3, 14, {"declared twice", "a buffer of line 1"}},
        Row{with_x("host: free x"), 3, 12, {"lives for the whole run"}},
        Row{with_x("host: free t"), 3, 12, {"unknown buffer 't'"}}));

// Its statement is on line 4.
std::string with_sums(const std::string& statement) { return "buffer x 1MiB\nbuffer y 1056\nstream A\n" + statement; }
INSTANTIATE_TEST_SUITE_P(
    TwoRanges, OneError,
    ::testing::Values(
        Row{with_sums("A: reduce y"),
            4,
            12,
            {"expected 'from', found the end of the line", "`A: reduce y[0:1056] from"}},
        Row{with_sums("A: reduce y x"), 4, 13, {"expected 'from' and what 'reduce' reads, found 'x'"}},
        Row{with_sums("A: reduce y form x"), 4, 13, {"expected 'from'", "found 'form'"}},
        Row{with_sums("A: reduce y from"), 4, 17, {"expected a buffer or a range of one"}},
        Row{with_sums("A: reduce y from z"), 4, 18, {"unknown buffer 'z'"}},
        Row{with_sums("A: reduce y[0:1052] from x"), 4, 11, {"writes 1056 bytes", "of 1052", "write y[0:1056]"}},
        Row{with_sums("A: reduce y from x blocks=2"), 4, 11, {"writes 8 bytes", "of 1056", "write y[0:8]"}},
        Row{with_sums("A: reduce x from y"), 4, 11, {"writes 1056 bytes", "of 1048576"}},
        Row{with_sums("A: reduce y[2:8] from x blocks=2"), 4, 11, {"offset", "multiple of 4", "found 2; write 0"}},
        Row{with_sums("A: reduce y from x[2:8]"), 4, 18, {"32-bit integers", "offset", "found 2", "write 0 or 4"}},
        Row{with_sums("A: reduce y from x[0:6]"), 4, 18, {"length", "multiple of 4", "found 6"}},
        Row{with_sums("A: reduce x[0:1056] from x"), 4, 26, {"ranges of 'x' overlap", "reduce", "another buffer"}},
        Row{with_sums("A: reduce x[512:8] from x[516:4] blocks=2"), 4, 25, {"overlap"}},
        Row{with_sums("A: reduce y from x threads=48"), 4, 20, {"multiple of 32", "not 48; write 32 or 64"}},
        Row{with_sums("A: reduce y from x threads=1"), 4, 20, {"not 1; write 32"}},
        Row{with_sums("A: reduce y from x blocks=0"), 4, 27, {"from 1 to 2147483647"}},
        Row{with_sums("A: reduce y from x fma=2"), 4, 20, {"unknown option 'fma'", "blocks, threads"}}));

INSTANTIATE_TEST_SUITE_P(
    Options, OneError,
    ::testing::Values(Row{"buffer x 1MiB host=pined", 1, 20, {"'pined'", "did you mean 'pinned'?"}},
                      Row{"buffer x 1MiB host", 1, 19, {"expected '='", "host=pinned"}},
                      Row{"buffer x 1MiB hots=pinned", 1, 15, {"'hots'", "did you mean 'host'?"}},
                      Row{"stream A nonblokcing", 1, 10, {"did you mean 'nonblocking'?"}},
                      Row{"stream A nonblocking=1", 1, 10, {"takes no value"}},
                      Row{"stream A priority=high", 1, 19, {"expected a whole number for 'priority'", "'high'"}},
                      Row{"stream A priority=3000000000", 1, 19, {"from -2147483648 to 2147483647"}},
                      Row{"stream A nonblocking nonblocking", 1, 22, {"given twice"}},
                      Row{"streams S 0", 1, 11, {"the number of streams", "from 1 to 65536"}},
                      Row{"streams S 70000", 1, 11, {"from 1 to 65536"}},
                      Row{"event e timing", 1, 9, {"did you mean 'notiming'?"}},
                      Row{with_x("A: spin 1us threads=1025"), 3, 21, {"'1025'", "from 1 to 1024"}},
                      Row{with_x("A: spin 1us threads=0"), 3, 21, {"from 1 to 1024"}},
                      Row{with_x("A: spin 1us blocks=0"), 3, 20, {"from 1 to 2147483647"}},
                      Row{with_x("A: spin 1us blocks=2147483648"), 3, 20, {"from 1 to 2147483647"}},
                      Row{with_x("A: spin 1us smem=228KiB"), 3, 18, {"227KiB", "many have less"}},
                      Row{with_x("A: spin 1us fma=3"), 3, 13, {"unknown option 'fma'", "blocks, threads, smem"}},
                      Row{with_x("A: axpb x"), 3, 10, {"'axpb' needs fma=64"}},
                      Row{with_x("A: axpb x fma=0"), 3, 15, {"'fma'", "from 1"}},
                      Row{with_x("A: axpb x fma=3us"), 3, 15, {"'3us'", "without a unit"}},
                      Row{with_x("host: poll A every=10ns"), 3, 20, {"'every'", "from 1000"}}));

INSTANTIATE_TEST_SUITE_P(
    Blocks, OneError,
    ::testing::Values(
        Row{"repeat {\n}", 1, 8, {"never closed"}}, Row{"repeat", 1, 7, {"expected how often", "`repeat 16 as i {`"}},
        Row{"repeat 4", 1, 9, {"expected 'as' or '{'"}}, Row{"repeat 4 i {\n}", 1, 10, {"expected 'as' or '{'", "'i'"}},
        Row{"repeat 4 as {\n}", 1, 13, {"the variable's name"}}, Row{"repeat 4 as i", 1, 14, {"expected '{'"}},
        Row{"repeat 0 {\n}", 1, 8, {"'0'", "at least once"}}, Row{"repeat -1 {\n}", 1, 8, {"at least once"}},
        Row{"repeat {2-2} {\n}", 1, 8, {"comes to 0", "at least once"}},
        Row{"repeat 2 as i {\n repeat {i} {\n }\n}", 2, 9, {"comes to 0", "(with i=0)"}},
        Row{"repeat 4 as i {\n repeat 4 as i {\n }\n}", 2, 14, {"variable of the repeat of line 1"}},
        Row{"repeat 4 as i {\n default: spin {j}us\n}", 2, 17, {"'j' is no variable", "the variables here are i"}},
        Row{"repeat 4 as chunk {\n default: spin {chnk}us\n}", 2, 17, {"did you mean 'chunk'?"}},
        Row{"repeat 4 as i {\n}\ndefault: spin {i}us", 3, 16, {"'i' is no variable"}},
        Row{"repeat 4 {\n default: spin 1us", 1, 1, {"never closed"}}, Row{"}", 1, 1, {"closes nothing"}},
        Row{"repeat 4 { default: spin 1us }", 1, 12, {"lines of their own"}},
        Row{"repeat 4 {\n} default: spin 1us", 2, 3, {"line of its own"}}));

// Settings of `tiles` that do not go together: at the setting, with what to write.
INSTANTIATE_TEST_SUITE_P(
    Tiles, OneError,
    ::testing::Values(
        Row{with_x("A: tiles x stages=4"), 3, 20, {"'tiles' needs fma="}},
        Row{with_x("A: tiles x fma=1 copy=cpasync"), 3, 23, {"expected sync, cp.async", "did you mean 'cp.async'?"}},
        Row{with_x("A: tiles x fma=1 stages=9"), 3, 25, {"'stages'", "8"}},
        Row{with_x("A: tiles x fma=1 copy=sync stages=2"), 3, 28, {"copy=sync has one stage", "stages=1"}},
        Row{with_x("A: tiles x fma=1 bytes=12"), 3, 18, {"4, 8, 16, not 12"}},
        Row{with_x("A: tiles x fma=1 copy=bulk bytes=16"), 3, 28, {"leave 'bytes' out"}},
        Row{with_x("A: tiles x fma=1 align=64"), 3, 18, {"4, 16 or 128"}},
        Row{with_x("A: tiles x fma=1 align=12 copy=bulk"), 3, 18, {"4, 16 or 128"}},
        Row{with_x("A: tiles x fma=1 tile=64 align=128"), 3, 18, {"multiple of 128", "write 128"}},
        Row{with_x("A: tiles x fma=1 align=4 bytes=16"), 3, 26, {"bytes=4 or align=16"}},
        Row{with_x("A: tiles x fma=1 copy=bulk align=4"), 3, 28, {"needs data aligned to 16"}},
        Row{with_x("A: tiles x fma=1 copy=cg l1"), 3, 26, {"only copy=cp.async", "leave 'l1' out"}},
        Row{with_x("A: tiles x fma=1 copy=bulk diverge=2"), 3, 28, {"nothing to diverge"}},
        Row{with_x("A: tiles x fma=1 producers=2"), 3, 18, {"only copy=warp-specialised", "leave 'producers' out"}},
        Row{with_x("A: tiles x fma=1 copy=warp-specialised threads=40"), 3, 40, {"a multiple of 32"}},
        Row{with_x("A: tiles x fma=1 copy=warp-specialised threads=64 producers=2"), 3, 51, {"2 warps", "1 at most"}},
        Row{with_x("A: tiles x fma=1 per-sm=1 blocks=8"), 3, 18, {"'blocks' says", "leave 'per-sm' out"}},
        Row{with_x("A: tiles x fma=1 tile=1000"), 3, 18, {"multiple of 16 bytes", "992 or 1008"}},
        Row{with_x("A: tiles x fma=1 tile=64KiB stages=4"), 3, 29, {"4 stages of 64KiB", "3 fit", "stages=3"}},
        Row{with_x("A: tiles x fma=1 tile=227KiB"), 3, 18, {"not one fits", "smaller tile"}},
        Row{with_x("A: tiles x[8:32] fma=1"), 3, 10, {"align=16", "found 8", "0 or 16, or align=4"}},
        Row{with_x("A: tiles x[0:30] fma=1"), 3, 10, {"multiple of 4 bytes", "28 or 32"}}));

INSTANTIATE_TEST_SUITE_P(
    Attention, OneError,
    ::testing::Values(Row{with_x("A: attention x head=96"), 3, 16, {"64 or 128"}},
                      Row{with_x("A: attention x heads=0"), 3, 22, {"'heads'"}},
                      Row{with_x("A: attention x buffers=3"), 3, 24, {"'buffers'", "2"}},
                      Row{with_x("A: attention x type=fp16"), 3, 21, {"expected fp32 or bf16"}},
                      Row{with_x("A: attention x[0:1000]"), 3, 14, {"Q, K, V and O", "1024 bytes", "write 1024"}},
                      Row{with_x("A: attention x[0:3000] type=bf16"), 3, 14, {"512 bytes", "2560 or 3072"}},
                      Row{with_x("A: attention x[8:1024]"), 3, 14, {"multiple of 16", "0 or 16"}}));

TEST(BadInput, AllErrorsOfATextAreReported) {
  const auto all = errors(
      "buffer x 64Mib\n"
      "strem A\n"
      "A: h2d x[0:1MiB\n"
      "A: h2d y\n"
      "repeat 4 as i {\n"
      "  B{i}: spin 1us threads=0 blocks=0 foo=1\n"
      "}\n"
      "}\n");
  std::vector<std::pair<std::uint32_t, std::uint32_t>> places;
  for (const Diagnostic& one : all) places.emplace_back(one.line, one.column);
  std::sort(places.begin(), places.end());
  using P = std::pair<std::uint32_t, std::uint32_t>;
  EXPECT_THAT(places, ::testing::ElementsAre(P{1, 10}, P{2, 1}, P{3, 16}, P{4, 8}, P{6, 3}, P{6, 26}, P{6, 35},
                                             P{6, 37}, P{8, 1}));
}

TEST(BadInput, ColumnsCountCharactersNotBytes) {
  const auto all = errors("buffer x 1MiB host=\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80 b\n");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].column, 20u);
  EXPECT_EQ(all[1].column, 24u);
  const auto behind = errors("buffer x 1MiB \xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80 b\n");
  ASSERT_EQ(behind.size(), 2u);
  EXPECT_EQ(behind[0].column, 15u);
  EXPECT_EQ(behind[1].column, 19u);
}

TEST(BadInput, UsesOfANameFromABrokenLineAreNotReported) {
  EXPECT_EQ(errors("buffer x 64Mib\nstreams S four\nS1: h2d x\n").size(), 2u);
  EXPECT_EQ(errors("repeat 0 as i {\n buffer x{i} 1MiB\n}\ndefault: h2d x0\n").size(), 1u);
  EXPECT_EQ(errors("bufer x 1MiB\ndefault: h2d x\n").size(), 1u);
  EXPECT_EQ(errors("host: malloc t 1Mib\ndefault: memset t 0\nhost: free t\n").size(), 1u);
}

TEST(BadInput, MessagesAreValidUtf8WithoutControlCharacters) {
  const auto all = errors("\x01\xFF\x80\x1B[31m\n");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_THAT(all[0].message, HasSubstr("\\x01\\xFF\\x80\\x1B"));
}

TEST(BadInput, ReadProgramGivesOneLineAnError) {
  const auto program = read_program("buffer x 0\nA: spin 1us\n", "a.streams");
  ASSERT_FALSE(program);
  EXPECT_EQ(program.error().kind, ErrorKind::bad_input);
  EXPECT_THAT(program.error().message, ::testing::StartsWith("a.streams:1:10: error: '0'"));
  EXPECT_THAT(program.error().message, HasSubstr("\na.streams:2:1: error: unknown stream 'A'"));
}

}  // namespace
}  // namespace streamscope::program
