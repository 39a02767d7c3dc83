#include "engine/calibration/probe_list.h"

namespace streamscope::calibration {
namespace {

// `n` calls of one kind and the last synchronisation.
void calls(ProbeList& list) {
  list.add({}, {{"empty", "host: sync device"}});
  const std::string launches = "stream A nonblocking; repeat $n as i { A: spin 0us }";
  list.add(
      {"n=1,8,64,512"},
      {{"records", "stream A nonblocking; repeat $n as i { A: record e }", "", "n=1,512"},
       {"waits for an ended event",
        "streams A 2 nonblocking; A0: record e; host: sync A0; repeat $n as i { A1: wait e }", "", "n=1,512"},
       {"launches", launches, "streams=1"},
       {"launches", "streams A 4 nonblocking; repeat $n as i { A{i%4}: spin 0us }", "streams=4", "n=64"},
       {"launches in the default stream", "repeat $n as i { default: spin 0us }", "", "n=64"},
       {"synchronisations of an idle device", "repeat $n as i { host: sync device }", "", "n=64,512"},
       {"synchronisations of an idle stream", "stream A nonblocking; repeat $n as i { host: sync A }", "", "n=64"},
       {"synchronisations with an ended event",
        "stream A nonblocking; A: record e; host: sync A; repeat $n as i { host: sync e }", "", "n=64"},
       {"queries of an idle stream", "stream A nonblocking; repeat $n as i { host: poll A every=1us }", "", "n=64"},
       {"queries of an ended event",
        "stream A nonblocking; A: record e; host: sync A; repeat $n as i { host: poll e every=1us }", "", "n=64"}});
  list.add({"for=5us,50us!,500us"}, {{"work", "host: work $for"}});
  list.add({"n=2,4,16,32,128,1000"}, {{"launches", launches, "streams=1", "none"}});
}

// A spin and a wait of the host for it.
void waits(ProbeList& list) {
  const std::string stream = "stream A nonblocking; ", spin = stream + "A: spin $for; ";
  const std::string rounds = stream + "repeat $n as i { A: spin $for; ";
  list.add({"for=5us,50us!,1000us"},
           {{"spin, sync stream", spin + "host: sync A"},
            {"spin, record, sync event", spin + "A: record e; host: sync e"},
            {"spin, record", spin + "A: record e"},
            {"spin, poll stream", spin + "host: poll A every=$every", "every=1us"},
            {"spin, record, poll event", spin + "A: record e; host: poll e every=$every", "every=1us"},
            {"spin, poll stream", spin + "host: poll A every=$every", "every=10us"},
            {"spin, record, poll event", spin + "A: record e; host: poll e every=$every", "every=10us"}});
  list.add({}, {{"spin ends before the host asks", spin + "host: work 100us", "for=20us"},
                {"rounds of spin and sync", rounds + "host: sync A }", "n=16 for=5us"},
                {"rounds of spin and sync device", rounds + "host: sync device }", "n=16 for=5us"},
                {"rounds of spin and sync event", rounds + "A: record e; host: sync e }", "n=16 for=5us", "none"},
                {"rounds of spin and sync", rounds + "host: sync A }", "n=16 for=100us", "none"},
                {"rounds of copy and sync",
                 "buffer x 1MiB; stream A nonblocking; repeat $n as i { A: h2d x[0:$bytes]; host: sync A }",
                 "n=16 bytes=4KiB", "none"},
                {"rounds of copy out and sync",
                 "buffer x 1MiB; stream A nonblocking; repeat $n as i { A: d2h x[0:$bytes]; host: sync A }",
                 "n=16 bytes=4KiB", "none"}});
  list.add({"streams=8,64"},
           {{"sync device with many streams", "streams A $streams nonblocking; host: sync device", "", "none"}});
}

// Host functions in one stream or in several.
void probe_host_functions(ProbeList& list) {
  list.add({"n=1,4,16", "for=0us,20us"},
           {{"host functions", "stream A nonblocking; repeat $n as i { A: hostfn $for }"}});
  list.add({}, {{"host functions", "streams A 4 nonblocking; repeat $n as i { A{i%4}: hostfn $for }",
                 "n=8 streams=4 for=20us"},
                {"spins and host functions of equal length",
                 "stream A nonblocking; repeat $n as i { A: spin $for; A: hostfn $for }", "n=8 for=10us"},
                {"host functions between copies",
                 "buffer x 1MiB; stream A nonblocking; repeat $n as i { A: h2d x[0:$bytes]; A: hostfn $for }",
                 "n=8 bytes=64KiB for=10us", "none"}});
  // The longer the thread that runs them has slept, the longer it takes to wake.
  list.add({"asleep=5us,20us,50us,100us,200us,500us,1000us,3000us"},
           {{"host functions", "stream A nonblocking; $ahead; A: hostfn 0us", "n=1 behind=$asleep",
             "asleep=5us,50us,200us,1000us"},
            {"host functions between spins", "stream A nonblocking; repeat $n as i { A: spin $for; A: hostfn 0us }",
             "n=8 for=$asleep", "none"}});
}

// Device memory allocated and freed inside the run.
void allocation(ProbeList& list) {
  list.add(
      {"bytes=4KiB!,64KiB,1MiB!,2MiB,4MiB,16MiB!,64MiB,256MiB!"},
      {{"malloc", "host: malloc t $bytes", "n=1"}, {"malloc and free", "host: malloc t $bytes; host: free t", "n=1"}});
  list.add({"bytes=64KiB,1MiB,16MiB"},
           {{"malloc", "repeat $n as i { host: malloc t{i} $bytes }", "n=8", "bytes=1MiB"},
            {"malloc and free", "repeat $n as i { host: malloc t{i} $bytes }; repeat $n as i { host: free t{i} }",
             "n=8", "none"}});
  list.add({},
           {{"malloc beside a spin", "stream A nonblocking; $ahead; host: malloc t $bytes; A: spin 500us",
             "bytes=1MiB behind=500us"},
            {"free beside a spin", "stream A nonblocking; host: malloc t $bytes; $ahead; host: free t; A: spin 500us",
             "bytes=1MiB behind=500us"}});
}

void touches(ProbeList& list) {
  const ProbeTemplate touch{"touch $memory", "buffer x 16MiB host=$memory; host: touch x[0:$bytes]"};
  list.add({"memory=pinned,pageable", "bytes=4KiB!,64KiB,1MiB!,16MiB!"}, {touch});
  list.add({"memory=write-combined", "bytes=4KiB!,64KiB,1MiB,16MiB"}, {touch});
  list.add({}, {{"touch write-combined",
                 "buffer x 16MiB host=write-combined; repeat $n as i { host: touch x[{i*64}KiB:$bytes] }",
                 "n=2 bytes=64KiB"}});
  // What the device has just written is not in a cache.
  list.add({"bytes=64KiB,1MiB"},
           {{"touch after d2h",
             "buffer x 16MiB; stream A nonblocking; A: d2h x[0:$bytes]; host: sync A; host: touch x[0:$bytes]", "",
             "none"}});
}

}  // namespace

void add_host_probes(ProbeList& list) {
  calls(list);
  waits(list);
  probe_host_functions(list);
  allocation(list);
  touches(list);
}

}  // namespace streamscope::calibration
