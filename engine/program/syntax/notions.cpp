// What stands in statements and begins none.
#include "engine/base/translate.h"
#include "engine/program/syntax/words.h"

namespace streamscope::program {
namespace {

constexpr NotionHelp kNotions[] = {
    {"default, legacy default stream",
     "default: OPERATION",
     {.word = "default",
      .calls = "cudaStreamLegacy",
      .sentence = tr_later("The legacy default stream, which is there without declaration."),
      .text = tr_later(
          "It and all blocking streams of the device wait for each other: what is given to it starts once all that "
          "was given to blocking streams before is done, and these go on only behind it. Nonblocking streams take "
          "no part."),
      .example = "stream A\n"
                 "stream B\n"
                 "A: spin 200us\n"
                 "default: spin 200us\n"
                 "B: spin 200us\n",
      .see = "stream, nonblocking, per-thread"}},
    {"per-thread",
     "per-thread: OPERATION",
     {.word = "per-thread",
      .calls = "cudaStreamPerThread",
      .sentence =
          tr_later("The default stream that each host thread has for itself, which is there without declaration."),
      .text = tr_later("It is a blocking stream: the legacy default stream and it wait for each other."),
      .example = "thread T {\n"
                 "  per-thread: spin 200us\n"
                 "  host: sync per-thread\n"
                 "}\n"
                 "per-thread: spin 200us\n"
                 "host: sync per-thread\n"
                 "host: join T\n",
      .see = "default, thread"}},
    {"host",
     "host: OPERATION",
     {.word = "host",
      .sentence = tr_later("The host thread: what stands behind it is done by the CPU when its turn comes."),
      .text = tr_later("It also is where a prefetch may go: `to=host`."),
      .example = "stream A nonblocking\n"
                 "A: spin 100us\n"
                 "host: work 20us\n"
                 "host: sync A\n",
      .see = "work, sync, poll, memcpy, malloc, free, touch, join"}},
    {"device",
     "host: sync device",
     {.word = "device",
      .calls = "cudaDeviceSynchronize",
      .sentence = tr_later("The whole device, where the host waits for it; of a prefetch (`to=device`) its memory."),
      .example = "streams S 2 nonblocking\n"
                 "S0: spin 100us\n"
                 "S1: spin 200us\n"
                 "host: sync device\n",
      .see = "sync, prefetch"}},
    {"range",
     "BUFFER or BUFFER[OFFSET:LENGTH]",
     {.word = "range",
      .sentence = tr_later("A part of a buffer: LENGTH bytes from byte OFFSET on; the name alone is all of it."),
      .example = "buffer x 8MiB\n"
                 "stream A nonblocking\n"
                 "A: h2d x[0:4MiB]    # the first half: a range\n"
                 "A: h2d x[4MiB:4MiB] # the other half\n",
      .see = "size, arithmetic, buffer"}},
    {"size, B, KiB, MiB, GiB, KB, MB, GB",
     "NUMBER[KiB|MiB|GiB|KB|MB|GB]",
     {.word = "size",
      .sentence = tr_later(
          "A number of bytes: KiB, MiB and GiB count in 1024, KB, MB and GB in 1000; without a unit it is bytes."),
      .text = tr_later("The unit stands right behind the number; fractions that come to whole bytes may be written."),
      .example = "buffer x 1.5MiB # a size of 1,572,864 bytes\n"
                 "stream A nonblocking\n"
                 "A: memset x[0:4096] 1\n",
      .see = "duration, range"}},
    {"duration, ns, us, ms, s",
     "NUMBERns|us|ms|s",
     {.word = "duration",
      .sentence = tr_later("A time with its unit, such as 300us or 1.5ms; ten minutes at most."),
      .example = "stream A nonblocking\n"
                 "A: spin 0.3ms # a duration of 300 us\n"
                 "host: work 1500ns\n",
      .see = "size, spin, work"}},
    {"arithmetic, expression, {}",
     "{EXPRESSION}",
     {.word = "arithmetic",
      .sentence = tr_later(
          "Whole numbers that are computed when the program is read: + - * / % ( ) and the variables of repeats."),
      .text = tr_later(
          "It may stand in names and in place of any number; a unit stands behind it: {i*4}MiB. Division drops the "
          "rest."),
      .example = "buffer x 8MiB\n"
                 "streams S 2 nonblocking\n"
                 "repeat 8 as i {\n"
                 "  S{i%2}: memset x[{i}MiB:1MiB] {10*i+1} # arithmetic\n"
                 "}\n",
      .see = "repeat, range"}},
    {"comment, #",
     "# TEXT",
     {.word = "comment",
      .sentence = tr_later("Whatever stands behind # up to the end of the line is for the reader."),
      .example = "# A comment may have a line of its own,\n"
                 "stream A nonblocking # or stand behind a statement.\n"
                 "A: spin 50us\n",
      .see = "name"}},
    {"name",
     "[A-Za-z_][A-Za-z0-9_]*",
     {.word = "name",
      .sentence = tr_later(
          "What is declared is called by a name of letters, digits and _ that begins with a letter or _; capitals "
          "matter."),
      .text = tr_later("Words that begin a declaration, and default, device, host and per-thread, cannot be names."),
      .example = "stream copy_in nonblocking # a name\n"
                 "copy_in: spin 50us\n",
      .see = "stream, buffer, event"}},
    {"from",
     "RANGE from RANGE",
     {.word = "from",
      .sentence =
          tr_later("Stands between what a kernel or a copy writes and what it reads, where these are two ranges."),
      .example = "buffer x 4MiB\n"
                 "buffer sums 1056\n"
                 "stream A nonblocking\n"
                 "A: h2d x\n"
                 "A: reduce sums from x\n"
                 "A: d2h sums\n",
      .see = "reduce"}},
    {"on",
     "graph GRAPH on STREAM {",
     {.word = "on",
      .sentence = tr_later("Names the stream that a graph is captured from."),
      .example = "stream A nonblocking\n"
                 "graph G on A {\n"
                 "  A: spin 50us\n"
                 "}\n"
                 "A: launch G\n",
      .see = "graph"}},
    {"as",
     "repeat COUNT as NAME {",
     {.word = "as",
      .sentence = tr_later("Names the variable of a repeat, which counts its passes from 0."),
      .example = "streams S 3 nonblocking\n"
                 "repeat 3 as i {\n"
                 "  S{i}: spin {50*i+50}us\n"
                 "}\n",
      .see = "repeat, arithmetic"}},
};

}  // namespace

std::span<const NotionHelp> notions() { return kNotions; }

}  // namespace streamscope::program
