#include "engine/calibration/probe_list.h"

namespace streamscope::calibration {
namespace {

// One spin, and chains of them in one stream, also queued behind another.
void chains(ProbeList& list) {
  list.add({"for=0us!,1us,2us,3us,5us!,10us,20us,50us!,100us,1000us!"},
           {{"spin", "stream A nonblocking; A: spin $for"}});
  list.add({"n for behind=8 20us!, 32 20us!, 64 5us!, 64 2us, 64 3us, 64 4us, 64 0us 500us!, 64 2us 500us!, "
            "64 5us 500us, 256 0us 1500us"},
           {{"chain of spins", "stream A nonblocking; $ahead; repeat $n as i { A: spin $for }"}});
}

void axpb_alone(ProbeList& list) {
  const std::string memory = "buffer x $buffer; stream A nonblocking; ";
  list.add({"bytes fma blocks threads="
            "64KiB 1!, 64KiB 64, 64KiB 1024, 256KiB 1, 1MiB 1!, 1MiB 16, 1MiB 64, 1MiB 256!, 1MiB 1024, 4MiB 1, "
            "4MiB 256, 16MiB 1!, 16MiB 16, 16MiB 32, 16MiB 64!, 16MiB 128, 16MiB 256!, 16MiB 1024!, 64MiB 1!, "
            "64MiB 64, 64MiB 256, 256MiB 1!, 256MiB 16, 256MiB 64, 256MiB 256!, "
            "16MiB 1 132 256, 16MiB 1 264 1024!, 16MiB 1 528 256, 16MiB 1 1056 256!, 16MiB 1 4096 256, "
            "16MiB 1 16384 256!, 16MiB 64 1056 256, 16MiB 256 132 128, 16MiB 256 132 64!, 16MiB 256 132 32, "
            "16MiB 256 264 64, 16MiB 256 133 256!, 16MiB 256 200 256, 16MiB 256 66 256!, "
            "1MiB 1 1 32!, 1MiB 1 1 256!, 1MiB 1 1 1024!, 1MiB 1 8 256!, 1MiB 1 8 1024, 1MiB 1 32 256, 1MiB 64 1 256, "
            "1MiB 256 1 32!, 1MiB 256 1 64, 1MiB 256 1 128!, 1MiB 256 1 256!, 1MiB 256 1 1024!, 1MiB 256 8 256!, "
            "1MiB 1024 8 64, 1MiB 16 8 256, 1MiB 64 132 1024, 1MiB 16 64 64, 4MiB 16 16 512, 4MiB 1 16 512, "
            "4MiB 1 64 128, 4MiB 64 64 64, 64MiB 1 66 1024, 64MiB 1 132 1024, 64MiB 4 0 1024, 4KiB 1 20000 256, "
            "4KiB 1 1 256, 16KiB 4096 1 128"},
           {{"axpb", memory + "A: axpb x[0:$bytes] fma=$fma blocks=$blocks threads=$threads"}});
  // The same memory again and again: whether what the last kernel read is still near.
  list.add({"bytes=1MiB,16MiB!,64MiB"},
           {{"chain of axpb", memory + "repeat $n as i { A: axpb x[0:$bytes] fma=$fma }", "n=16 fma=1"}});
  // Memory that a copy has just brought.
  list.add({"bytes=1MiB,16MiB"},
           {{"h2d then axpb", memory + "A: h2d x[0:$bytes]; A: axpb x[0:$bytes] fma=$fma", "fma=1", "none"}});
}

// A kernel in each stream at once.
void axpb_together(ProbeList& list) {
  list.add({"bytes fma blocks=16MiB 1!, 16MiB 1024!, 16MiB 64, 64MiB 1, 4MiB 256 16!, 4MiB 1 16!, 16MiB 256 132, "
            "16MiB 256 1056",
            "streams=1,2!,4,8!"},
           {{"axpb at once",
             "buffer x $all; streams S $streams nonblocking; "
             "repeat $streams as i { S{i}: axpb x[{i*$kib}KiB:$bytes] fma=$fma blocks=$blocks }"}});
}

// Spins of many blocks: how many fit at once, and how fast blocks are handed out.
void waves(ProbeList& list) {
  const std::string spin = "stream A nonblocking; A: spin $for blocks=$blocks threads=$threads smem=$smem";
  list.add({"blocks threads for smem="
            "132 1024 20us, 264 1024 20us!, 265 1024 20us!, 1056 1024 20us!, 1320 1024 20us, 2112 128 20us!, "
            "2113 128 20us!, 4224 64 20us, 4225 64 20us!, 8448 32 20us, 528 128 20us 48KiB!, 529 128 20us 48KiB!, "
            "264 128 20us 100KiB, 265 128 20us 100KiB, 132 128 20us 200KiB, 133 128 20us 200KiB, "
            "1056 256 20us 16KiB, 396 768 20us, 2640 256 5us, 5280 256 5us, 5000 512 10us, 10560 128 2us!, "
            "1584 128 5us 48KiB, 1320 1024 2us"},
           {{"spin of many blocks", spin}});
  list.add({"threads=32,128!,256", "blocks=132,1000,10000!,100000!,1000000"}, {{"spin of no time", spin, "for=0us"}});
  list.add({"threads=1024", "blocks=132,1000,10000!,100000!"}, {{"spin of no time", spin, "for=0us"}});
  // With shared memory fewer fit, and a multiprocessor may have to be set up anew.
  list.add({"smem=16KiB,48KiB,100KiB,200KiB"},
           {{"spin of no time", spin, "for=0us blocks=10000 threads=128", "none"},
            {"chain of spins with and without shared memory",
             "stream A nonblocking; repeat $n as i { A: spin $for; A: spin $for smem=$smem }", "n=8 for=5us", "none"}});
  // Two large ones at once, and a small one behind a large one: the leftover policy.
  list.add({"streams=2!,4"},
           {{"spins of many blocks at once",
             "streams S $streams nonblocking; repeat $streams as i { S{i}: spin $for blocks=$blocks threads=$threads }",
             "blocks=660 threads=1024 for=20us"}});
  const std::string both = "S0: spin $for blocks=$blocks threads=$threads; S1: spin 100us";
  list.add({"for=20us"},
           {{"a small spin behind a large one", "streams S 2 nonblocking; " + both, "blocks=1056 threads=1024", "none"},
            {"an urgent spin behind a large one", "stream S0 nonblocking; stream S1 nonblocking priority=-5; " + both,
             "blocks=1056 threads=1024", "none"}});
}

// One spin in each stream, and launches that find the queue full.
void queues(ProbeList& list) {
  list.add({"streams=2,4,8,9,16,32,33,64,128,129,160"},
           {{"spins at once", "streams S $streams nonblocking; repeat $streams as i { S{i}: spin $for }", "for=500us",
             "streams=4,8,32,128"},
            {"spins at once, blocking streams", "streams S $streams; repeat $streams as i { S{i}: spin $for }",
             "for=500us", "none", "streams=8,32,128"}});
  list.add({"streams=8,32"},
           {{"spins at once, two in each stream",
             "streams S $streams nonblocking; repeat $streams as i { S{i}: spin $for; S{i}: spin $for }", "for=100us",
             "none"}});
  list.add(
      {"n=500,1000,1030,1100,2000!"},
      {{"launches behind a long spin", "stream A nonblocking; $ahead; repeat $n as i { A: spin 0us }", "behind=5ms"}});
  list.add({"what=record e, h2d x[0:4KiB], memset x[0:4KiB] 1"},
           {{"many behind a long spin: $what",
             "buffer x 1MiB; stream A nonblocking; $ahead; repeat $n as i { A: $what }", "n=2000 behind=8ms", "none"}});
  list.add({}, {{"launches behind a long spin",
                 "streams S 4 nonblocking; repeat 4 as i { S{i}: spin 8ms }; repeat $n as i { S{i%4}: spin 0us }",
                 "n=3000 streams=4 behind=8ms", "none"}});
}

}  // namespace

void add_kernel_probes(ProbeList& list) {
  chains(list);
  axpb_alone(list);
  axpb_together(list);
  waves(list);
  queues(list);
}

}  // namespace streamscope::calibration
