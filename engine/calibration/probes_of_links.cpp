#include "engine/calibration/probe_list.h"

namespace streamscope::calibration {

// Of programs of two devices. A calibration has little time for them, so the shortest are first.
void add_link_probes(ProbeList& list) {
  list.add(
      {"n=1,2"},
      {{"access between devices",
        "stream A nonblocking; stream B nonblocking device=1; repeat $n { host: peer 0 1 on; host: peer 0 1 off }"}});
  list.add({"n=16,128"},
           {{"choice of device", "stream A nonblocking; repeat $n { host: device 1; host: device 0 }; A: spin 5us"}});
  list.add({"n=8,64"},
           {{"events between devices",
             "stream A nonblocking; stream B nonblocking device=1; A: spin 2ms; repeat $n as i { A: record e{i}; "
             "B: wait e{i}; B: spin 2us; B: record f{i}; A: wait f{i}; A: spin 2us }"}});

  const std::string one = "buffer x $buffer device=0,1; ", both = one + "buffer y $buffer device=0,1; ";
  const std::string copies = "repeat $n { A: peer x[0:$bytes]@1 x[0:$bytes]@0 }";
  const std::string one_way = one + "stream A nonblocking; $access; " + copies;
  // All calls are over before the first copy begins: what they take together is the copies' own.
  list.add({"bytes n=4KiB 16, 4KiB 128"}, {{"copies between devices behind a spin",
                                            one + "stream A nonblocking; host: peer 0 1 on; A: spin 2ms; " + copies}});
  for (const std::string_view sizes :
       {"bytes n=4KiB 1, 4KiB 32, 256KiB 1, 256KiB 8, 1MiB 1, 1MiB 8", "bytes n=4MiB 1, 4MiB 4, 16MiB 1, 16MiB 4"}) {
    list.add({"access=host: peer 0 1 on", sizes}, {{"copies between devices", one_way}});
    list.add({sizes}, {{"staged copies between devices", one_way}});
  }

  const std::string streams = both + "stream A nonblocking; stream B nonblocking device=$other; host: peer 0 1 on; ";
  list.add(
      {"bytes n=1MiB 8, 64MiB 4"},
      {{"copies between devices, both ways",
        streams + "repeat $n { A: peer x[0:$bytes]@1 x[0:$bytes]@0; B: peer y[0:$bytes]@0 y[0:$bytes]@1 }", "other=1"},
       {"copies between devices, two the same way",
        streams + "repeat $n { A: peer x[0:$bytes]@1 x[0:$bytes]@0; B: peer y[0:$bytes]@1 y[0:$bytes]@0 }", "other=0"},
       {"copies between devices beside copies out",
        both + "stream A nonblocking; stream B nonblocking; host: peer 0 1 on; "
               "repeat $n { A: peer x[0:$bytes]@1 x[0:$bytes]@0; B: d2h y[0:$bytes] }"}});
  list.add({"access=host: peer 0 1 on", "bytes n=256MiB 1, 256MiB 4"}, {{"copies between devices", one_way}});
  list.add({"bytes n=256MiB 1"}, {{"staged copies between devices", one_way}});
}

}  // namespace streamscope::calibration
