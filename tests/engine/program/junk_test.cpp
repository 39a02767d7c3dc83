// Whatever the bytes are, parse, print and check come back.
#include <gtest/gtest.h>

#include <random>

#include "engine/program/check/check.h"
#include "engine/program/diagnostic.h"
#include "engine/program/order/order.h"
#include "engine/program/read_program.h"
#include "engine/program/syntax/parse.h"
#include "engine/program/syntax/print.h"

namespace streamscope::program {
namespace {

constexpr std::string_view kValid = R"(buffer x 64KiB host=pageable  # data
streams S 4 nonblocking
stream A priority=-1
event e notiming
repeat 8 as i {
  S{i%4}: h2d x[{i*4}KiB:4KiB]
  S{i%4}: axpb x[{i*4}KiB:4KiB] fma=2 blocks=8 threads=256
  S{(i+1)%4}: memset x[0:{i+1}] {i*2}
  repeat {i+1} as j {
    A: spin {j*10}us smem=1KiB
    A: record e{j}
  }
  A: wait e0
}
host: poll A every=10us
host: malloc t 1MiB
A: d2d t[0:64KiB] x
host: free t
buffer m 4KiB host=managed
graph G on A {
  A: memset m 0
  A: record f
  S1: wait f
  S1: axpb m fma=1
  S1: record j
  A: wait j
}
thread T {
  A: launch G
  per-thread: prefetch m to=host
  host: sync per-thread
  host: touch m
}
host: join T
A: malloc u 4KiB
A: memset u 1
A: free u
S0: launch G
host: sync device
)";

void swallow(const std::string& text) {
  const Parsed parsed = parse(text);
  const std::string once = print(parsed.syntax);
  const Checked checked = check(parsed.syntax);
  for (const Diagnostic& one : parsed.diagnostics) {
    ASSERT_GE(one.line, 1u) << text;
    ASSERT_GE(one.column, 1u) << text;
  }
  const auto program = read_program(text, "junk");
  if (!program) {
    EXPECT_FALSE(program.error().message.empty());
    return;
  }
  EXPECT_EQ(print(parse(once).syntax), once) << text;
  // A valid program is whole: nothing below reaches beyond its tables.
  const Dependencies dependencies(program->program);
  for (OperationIndex i = 0; i < program->program.operations.size(); ++i) {
    for (const Dependency& one : dependencies.of(i)) ASSERT_LT(one.on, i);
    EXPECT_FALSE(describe(program->program, i).empty());
  }
  const std::vector<Nanoseconds> same(program->program.operations.size(), 0);
  EXPECT_EQ(issue_order(program->program, same).size(), same.size());
}

TEST(Junk, EveryTruncationOfAValidProgram) {
  ASSERT_TRUE(read_program(kValid, "valid"));
  for (std::size_t length = 0; length <= kValid.size(); ++length) swallow(std::string(kValid.substr(0, length)));
}

TEST(Junk, OneByteChanged) {
  std::mt19937 random(1);
  for (int round = 0; round < 4000; ++round) {
    std::string text(kValid);
    const int changes = 1 + static_cast<int>(random() % 3);
    for (int i = 0; i < changes; ++i) {
      const std::size_t at = random() % text.size();
      switch (random() % 3) {
        case 0: text[at] = static_cast<char>(random() % 256); break;
        case 1: text.erase(at, 1 + random() % 4); break;
        default: text.insert(at, 1, "{}[]():=#%-9i \n"[random() % 15]); break;
      }
      if (text.empty()) text.push_back(' ');
    }
    swallow(text);
  }
}

TEST(Junk, RandomBytes) {
  std::mt19937 random(2);
  for (int round = 0; round < 2000; ++round) {
    std::string text(random() % 300, ' ');
    for (char& one : text) one = static_cast<char>(random() % 256);
    swallow(text);
  }
}

TEST(Junk, RandomWords) {
  static constexpr const char* kWords[] = {
      "buffer", "x",  "stream", "A",      "repeat", "as",     "i",        "{",  "}",      "\n",      "\n",
      "{i%4}",  ":",  "h2d",    "[",      "]",      "4",      "0",        "-1", "64MiB",  "host",    "sync",
      "wait",   "e",  "=",      "#",      "1us",    "record", "malloc",   "t",  "free",   "default", "graph",
      "G",      "on", "launch", "thread", "T",      "join",   "prefetch", "to", "managed"};
  std::mt19937 random(3);
  for (int round = 0; round < 4000; ++round) {
    std::string text;
    for (unsigned count = random() % 60; count > 0; --count) {
      text += kWords[random() % std::size(kWords)];
      if (random() % 4 != 0) text += ' ';
    }
    swallow(text);
  }
}

}  // namespace
}  // namespace streamscope::program
