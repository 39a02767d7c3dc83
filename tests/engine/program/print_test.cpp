// The canonical form: what is printed is read back to the same, and printed to the same again.
#include <gtest/gtest.h>

#include <filesystem>

#include "engine/base/files.h"
#include "engine/program/diagnostic.h"
#include "engine/program/read_program.h"
#include "engine/program/syntax/parse.h"
#include "engine/program/syntax/print.h"

namespace streamscope::program {
namespace {

std::string printed(std::string_view text) { return print(parse(text).syntax); }

// Every statement and option of the language, in the canonical form.
constexpr std::string_view kAll = R"(# Every statement there is

default-stream legacy
buffer x 64MiB
buffer y 64MB host=pageable  # trailing
buffer z 1.5KiB host=write-combined
buffer w {4*16}KiB host=pinned
buffer m 1MiB host=managed
buffer p 1MiB host=mapped
stream A
stream B nonblocking priority=-1
streams S 4
streams N{2} 2 nonblocking priority=-2
event e
event quiet notiming
event asleep notiming blockingsync


A: h2d x[0:16MiB]
A: d2h x
A: h2d x[0:1MiB] from y[4MiB:1MiB]
A: d2h x[{0}:1MiB] to y[4MiB:{1}MiB]
A: d2d y[0:1MiB] x[4MiB:1MiB]
A: memset x[0:1MiB] 255
A: spin 300us
A: spin 1.5ms blocks=2 threads=64 smem=48KiB
per-thread: axpb x[0:16MiB] fma=64
default: axpb x[0:16MiB] fma=64 blocks=8 threads=256
A: tiles x[0:16MiB] fma=32
A: tiles x fma=32 copy=cp.async stages=3 tile=16KiB bytes=16 l1 align=128 diverge=2 blocks=132 threads=512
A: tiles x fma=1 copy=warp-specialised stages=4 producers=2 per-sm=2
A: reduce y[0:1056] from x
A: reduce y[{16*4}:8] from x[0:1MiB] blocks=2 threads=512
A: record e
B: wait e
B: hostfn 50us
B: callback 50us
host: query A
host: query e
host: elapsed e quiet
host: attributes A
host: create-stream made nonblocking priority=-1
host: create-event mark notiming
host: destroy made
host: malloc-host h 1MiB
A: d2h x[0:1MiB] to h
host: free-host h
host: register y
host: unregister y
host: lasterror
host: lasterror peek
A: fault launch-config
host: memset x[0:4KiB] 7
host: d2d y[0:1MiB] x[0:1MiB]
host: memcpy h2d x[0:4KiB] from y[4KiB:4KiB]
host: memcpy d2h x[0:4KiB] to y[4KiB:4KiB]
A: prefetch m[0:4KiB] to=device
A: prefetch m to=host
A: malloc v 1MiB
A: free v
graph G on A {  # captured
  A: spin 1us
  repeat 2 as i {
    A: record inside{i}
  }
}  # of G
A: launch G
thread T {
  # its own stream
  per-thread: spin 1us
}
host: join T
repeat 16 as i {  # chunks
  S{i%4}: h2d x[{i*4}MiB:4MiB]

  # inner
  repeat {i + 1} {
    S{i%4}: spin {i+1}us
  }  # of inner
}
host: work 200us
host: sync device
host: sync A
host: sync per-thread
host: sync e
host: poll A
host: poll e every=20us
host: memcpy h2d x[0:1MiB]
host: memcpy d2h x
host: malloc t 64MiB
host: free t
host: touch x[0:1MiB]
)";

TEST(Print, TheCanonicalFormIsKept) {
  EXPECT_EQ(printed(kAll), kAll);
  const auto program = read_program(kAll, "all");
  EXPECT_TRUE(program) << program.error().message;
}

struct PrintCase {
  std::string_view text, canonical;
};

TEST(Print, OtherSpellingsBecomeCanonical) {
  const PrintCase cases[] = {
      {"", ""},
      {"\n", "\n"},
      {"# only a comment", "# only a comment\n"},
      {"   # moved  \t", "# moved\n"},
      {"stream\tA\r\nA :h2d  x [ 0 : 4 ]\r\n", "stream A\nA: h2d x[0:4]\n"},
      {"default:spin 1us threads = 64 blocks=2#c", "default: spin 1us blocks=2 threads=64  #c\n"},
      {"stream A priority=-1 nonblocking", "stream A nonblocking priority=-1\n"},
      {"repeat 2{\ndefault: spin 1us\n  }# end", "repeat 2 {\n  default: spin 1us\n}  # end\n"},
      {"repeat 2 as i{\n}", "repeat 2 as i {\n}\n"},
      {"\xEF\xBB\xBFstream A\n", "stream A\n"},
      {"graph  G  on A{\n A : launch  H\n}#c", "graph G on A {\n  A: launch H\n}  #c\n"},
      {"thread T{i}  {\n}", "thread T{i} {\n}\n"},
      {"A: prefetch x to = host", "A: prefetch x to=host\n"},
      {"host :reset\nhost:lasterror  peek", "host: reset\nhost: lasterror peek\n"},
      {"stream A\n\n\n\nstream B", "stream A\n\n\n\nstream B\n"},
  };
  for (const PrintCase& one : cases) {
    EXPECT_TRUE(parse(one.text).diagnostics.empty()) << format(parse(one.text).diagnostics, one.text);
    EXPECT_EQ(printed(one.text), one.canonical);
    EXPECT_EQ(printed(printed(one.text)), one.canonical);
  }
}

TEST(Print, ATextWithErrorsKeepsItsLines) {
  const std::string text = "buffer x 64Mib  # size\nrepaet 4 {\n  wibble\n}\ndefault: spin 1us\n";
  EXPECT_EQ(printed(text), text);
}

TEST(Print, ProgramsThatShipAreCanonicalAndValid) {
  int seen = 0;
  for (const auto& entry : std::filesystem::directory_iterator(STREAMSCOPE_SOURCE "/assets/programs")) {
    if (entry.path().extension() != ".streams") continue;
    const auto text = read_text(entry.path());
    ASSERT_TRUE(text) << entry.path();
    EXPECT_EQ(printed(*text), *text) << entry.path();
    const auto program = read_program(*text, entry.path().filename().string());
    ASSERT_TRUE(program) << program.error().message;
    ++seen;
  }
  EXPECT_GE(seen, 3);
}

}  // namespace
}  // namespace streamscope::program
