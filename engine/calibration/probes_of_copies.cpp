#include "engine/calibration/probe_list.h"

namespace streamscope::calibration {
namespace {

// One copy and the synchronisation behind it.
void isolated(ProbeList& list) {
  const ProbeTemplate copy{"copy $direction $host",
                           "buffer x $buffer host=$host; stream A nonblocking; A: $direction x[0:$bytes]"};
  const ProbeTemplate blocking{"memcpy $direction $host",
                               "buffer x $buffer host=$host; host: memcpy $direction x[0:$bytes]"};
  for (const std::string_view direction : {"direction=h2d", "direction=d2h"}) {
    list.add({direction, "host=pinned",
              "bytes=4KiB!,64KiB!,256KiB!,1MiB!,4MiB!,16MiB!,64MiB!,64,1KiB,2KiB,8KiB,16KiB,32KiB,48KiB,96KiB,128KiB,"
              "512KiB,2MiB,3MiB,8MiB,32MiB,128MiB,256MiB"},
             {copy});
    list.add({direction, "host=pageable",
              "bytes=4KiB!,64KiB!,256KiB!,1MiB!,4MiB!,16MiB!,1KiB,16KiB,32KiB,65KiB,128KiB,512KiB,2MiB,3MiB,8MiB,32MiB,"
              "64MiB,128MiB"},
             {copy});
    list.add({direction, "host=write-combined", "bytes=4KiB!,1MiB!,16MiB!,64KiB,256KiB,4MiB,64MiB,256MiB"}, {copy});
    list.add({direction, "host=pinned", "bytes=4KiB!,64KiB!,1MiB!,16MiB!,1KiB,32KiB,128KiB,256KiB,4MiB,64MiB"},
             {blocking});
    list.add({direction, "host=pageable", "bytes=4KiB!,64KiB!,1MiB!,16MiB!,1KiB,16KiB,65KiB,128KiB,256KiB,4MiB,64MiB"},
             {blocking});
  }
}

// In turn over the streams. Behind a spin the host has queued all before the first begins.
void back_to_back(ProbeList& list) {
  const std::string buffers = "buffer x $all; stream A nonblocking; streams S $streams nonblocking; ";
  const std::string copies = "repeat $n as i { S{i%$streams}: $direction x[{i*$kib}KiB:$bytes] }";
  const std::string ahead = "$ahead; A: record e; repeat $streams as i { S{i}: wait e }; ";
  list.add({"direction=h2d,d2h", "bytes n=4KiB 8, 4KiB 64!, 64KiB 64!, 256KiB 32!, 1MiB 16!, 4MiB 8", "streams=1!,2,4"},
           {{"copies $direction pinned", buffers + copies},
            {"copies $direction pinned", buffers + ahead + copies, "behind=300us", "", "streams=1,2"}});
}

// Many at once of pageable memory: whether staging of one overlaps the way of another.
void pageable_in_a_row(ProbeList& list) {
  for (const std::string_view direction : {"direction=h2d", "direction=d2h"}) {
    list.add({direction, "bytes n=4KiB 16!, 64KiB 16!, 256KiB 16!, 1MiB 8!, 4MiB 8", "streams=1!,4"},
             {{"copies $direction pageable",
               "buffer x $all host=pageable; streams S $streams nonblocking; "
               "repeat $n as i { S{i%$streams}: $direction x[{i*$kib}KiB:$bytes] }"}});
    // In a stream that is busy for `behind`: does the call wait for it?
    const std::string busy = "buffer x $buffer host=pageable; streams A 2 nonblocking; A0: spin 1ms; ";
    list.add({direction, "bytes=4KiB,64KiB!,256KiB,1MiB!,4MiB,16MiB"},
             {{"copy $direction pageable, its stream busy", busy + "A0: $direction x[0:$bytes]; A0: spin 20us",
               "behind=1ms"},
              {"copy $direction pageable, another stream busy", busy + "A1: $direction x[0:$bytes]; A1: spin 20us",
               "behind=1ms", "none"}});
  }
  // A blocking copy does wait for blocking streams.
  list.add({"host=pinned,pageable"},
           {{"memcpy h2d $host, a blocking stream busy",
             "buffer x $buffer host=$host; stream A; A: spin 200us; host: memcpy h2d x[0:$bytes]",
             "bytes=64KiB behind=200us", "none"}});
  list.add({"host=pinned,pageable", "direction=h2d,d2h"},
           {{"memcpys $direction $host",
             "buffer x $all host=$host; repeat $n as i { host: memcpy $direction x[{i*64}KiB:$bytes] }",
             "n=16 bytes=64KiB", "none"}});
}

void on_the_device(ProbeList& list) {
  const std::string both = "buffer x $buffer; buffer y $buffer; ";
  list.add({"bytes n=4KiB 1!, 4KiB 8!, 64KiB 1, 64KiB 8, 256KiB 1, 256KiB 8, 1MiB 1!, 1MiB 8!, 4MiB 1, 4MiB 8, "
            "16MiB 1!, 16MiB 8!, 64MiB 1, 64MiB 8, 256MiB 1!, 256MiB 8"},
           {{"d2d", both + "stream A nonblocking; repeat $n as i { A: d2d x[0:$bytes] y[0:$bytes] }"},
            {"memset", "buffer x $buffer; stream A nonblocking; repeat $n as i { A: memset x[0:$bytes] 1 }"}});
  const std::string queued = both + "stream A nonblocking; $ahead; repeat $n as i { A: ";
  const std::string in_turn = both + "streams S 4 nonblocking; repeat $n as i { S{i%4}: ";
  const std::string_view alone = "n=32 streams=1 behind=300us", many = "n=32 streams=4";
  list.add({"bytes=4KiB,1MiB,16MiB"}, {{"d2d", queued + "d2d x[0:$bytes] y[0:$bytes] }", alone, "none"},
                                       {"d2d", in_turn + "d2d x[0:$bytes] y[0:$bytes] }", many, "none"},
                                       {"memset", queued + "memset x[0:$bytes] 1 }", alone, "none"},
                                       {"memset", in_turn + "memset x[0:$bytes] 1 }", many, "none"}});
}

// Copies each way, a stream for each direction, and while something else is busy.
void together(ProbeList& list) {
  const std::string both = "buffer x $all; buffer y $all; streams S 2 nonblocking; ";
  const std::string copies = both + "repeat $n as i { S0: h2d x[{i*$kib}KiB:$bytes]; ";
  list.add({"bytes n=256KiB 32, 1MiB 16, 4MiB 8, 16MiB 4"},
           {{"copies both ways", copies + "S1: d2h y[{i*$kib}KiB:$bytes] }"},
            {"copies h2d beside d2d", copies + "S1: d2d y[0:$bytes] y[$bytes:$bytes] }", "", "none"},
            {"copies h2d beside axpb", copies + "S1: axpb y fma=1 }", "", "none"}});
  list.add({}, {{"a large copy and small ones",
                 "buffer x 64MiB; streams S 2 nonblocking; S0: h2d x[0:$bytes]; "
                 "repeat $n as i { S1: h2d x[{32*1024+i*64}KiB:64KiB] }",
                 "n=8 bytes=16MiB", "none"}});
}

}  // namespace

void add_copy_probes(ProbeList& list) {
  isolated(list);
  back_to_back(list);
  pageable_in_a_row(list);
  on_the_device(list);
  together(list);
}

}  // namespace streamscope::calibration
