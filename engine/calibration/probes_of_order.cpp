#include "engine/calibration/probe_list.h"

namespace streamscope::calibration {
namespace {

// There and back between two streams, each waiting for the other's event.
void ping_pong(ProbeList& list) {
  struct Sort {
    std::string group, there, back;
    std::string_view quick = "none";
  };
  for (const Sort& s : {Sort{"ping-pong of spins", "spin 5us", "spin 5us", ""},
                        {"ping-pong of copies h2d", "h2d x[0:4KiB]", "h2d x[4KiB:4KiB]"},
                        {"ping-pong of copies", "h2d x[0:4KiB]", "d2h x[4KiB:4KiB]"},
                        {"ping-pong of spin and copy h2d", "spin 5us", "h2d x[0:64KiB]", ""},
                        {"ping-pong of spin and copy d2h", "spin 5us", "d2h x[0:64KiB]"},
                        {"ping-pong of spin and memset", "spin 5us", "memset x[0:64KiB] 1"},
                        {"ping-pong of spin and d2d", "spin 5us", "d2d x[0:64KiB] x[64KiB:64KiB]"}}) {
    list.add({"n behind=1, 8, 32!, 32 500us!"},
             {{s.group,
               "buffer x 1MiB; stream A nonblocking; stream B nonblocking; $ahead; repeat $n as i { A: " + s.there +
                   "; A: record a{i}; B: wait a{i}; B: " + s.back + "; B: record b{i}; A: wait b{i} }",
               "", s.quick}});
  }
}

// Steps in one stream, each of another engine than the last.
void engines_in_turn(ProbeList& list) {
  struct Sort {
    std::string group, step;
    std::string_view quick = "none";
  };
  for (const std::string_view bytes : {"bytes=4KiB", "bytes=64KiB", "bytes=1MiB"}) {
    for (const Sort& s :
         {Sort{"h2d, spin, d2h in turn", "A: h2d x[0:$bytes]; A: spin 5us; A: d2h x[0:$bytes]", "bytes=4KiB,1MiB"},
          {"h2d, d2h in turn", "A: h2d x[0:$bytes]; A: d2h x[0:$bytes]", "bytes=4KiB,1MiB"},
          {"spin, h2d in turn", "A: spin 5us; A: h2d x[0:$bytes]"},
          {"spin, d2h in turn", "A: spin 5us; A: d2h x[0:$bytes]"},
          {"spin, memset in turn", "A: spin 5us; A: memset x[0:$bytes] 1"},
          {"spin, d2d in turn", "A: spin 5us; A: d2d x[0:$bytes] y[0:$bytes]"},
          {"h2d, memset in turn", "A: h2d x[0:$bytes]; A: memset x[0:$bytes] 1"}}) {
      list.add(
          {bytes, "n behind=1, 16!, 16 400us!"},
          {{s.group, "buffer x 1MiB; buffer y 1MiB; stream A nonblocking; $ahead; repeat $n as i { " + s.step + " }",
            "", s.quick}});
    }
  }
}

void records_between(ProbeList& list) {
  const std::string ahead = "buffer x 1MiB; stream A nonblocking; $ahead; repeat $n as i { ";
  const std::string_view spins = "n=64 for=5us", copies = "n=32 bytes=64KiB";
  list.add(
      {"behind=0,500us"},
      {{"spins with records between", ahead + "A: spin $for; A: record e }", spins},
       {"spins with untimed records between", "event e notiming; " + ahead + "A: spin $for; A: record e }", spins,
        "none"},
       {"copies with records between", ahead + "A: h2d x[0:$bytes]; A: record e }", copies, "none"},
       {"copies out with records between", ahead + "A: d2h x[0:$bytes]; A: record e }", copies, "none"},
       {"spins with waits for an ended event between",
        "stream B nonblocking; B: record e; host: sync B; " + ahead + "A: wait e; A: spin $for }", spins, "none"}});
  // One stream lets others go, and waits for all of them.
  list.add({"streams=2,4!,8,16"},
           {{"fork and join",
             "stream A nonblocking; streams S $streams nonblocking; repeat $n as i { A: spin $for; A: record f; "
             "repeat $streams as k { S{k}: wait f; S{k}: spin $for; S{k}: record j{k}; A: wait j{k} } }",
             "n=8 for=10us"}});
}

// A spin in each of some blocking streams, then one in the default stream.
void barriers(ProbeList& list) {
  list.add({"n=1,8!,32!", "streams=1,2!,8"},
           {{"barriers of the default stream",
             "streams B $streams; "
             "repeat $n as i { repeat $streams as k { B{k}: spin $for }; default: spin $for }",
             "for=5us"}});
  list.add({"n=16"},
           {{"barriers of copies in the default stream",
             "buffer x 1MiB; streams B 2; repeat $n as i { B0: spin 5us; default: h2d x[0:$bytes]; B1: spin 5us }",
             "bytes=64KiB", "none"},
            {"spins in the default stream beside nonblocking ones",
             "streams N 2 nonblocking; repeat $n as i { N0: spin $for; default: spin $for; N1: spin $for }", "for=10us",
             "none"},
            {"spins in the per-thread stream and the default one",
             "repeat $n as i { per-thread: spin $for; default: spin $for }", "for=10us", "none"}});
}

// Small versions of what people do, to check a profile as a whole.
void wholes(ProbeList& list) {
  const std::string memory = "buffer x $all; streams S $streams nonblocking; repeat $n as i { ";
  const std::string on = "S{i%$streams}: ", part = "x[{i*$kib}KiB:$bytes]";
  const std::string in = on + "h2d " + part, work = on + "axpb " + part + " fma=$fma", out = on + "d2h " + part;
  const std::string next = " }; repeat $n as i { ";
  list.add({"streams=1,2,4!,8", "bytes=256KiB!,1MiB!,4MiB"},
           {{"pipeline", memory + in + "; " + work + "; " + out + " }", "n=16 fma=64"},
            {"pipeline, breadth first", memory + in + next + work + next + out + " }", "n=16 fma=64", "none"}});
}

}  // namespace

void add_order_probes(ProbeList& list) {
  ping_pong(list);
  engines_in_turn(list);
  records_between(list);
  barriers(list);
  wholes(list);
}

}  // namespace streamscope::calibration
