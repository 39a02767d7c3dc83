// The messages between a window and an engine process, as values. On the wire: a frame is a 4-byte little-endian length
// and that many bytes of CBOR (wire.h).
//
//   window -> engine   hello, devices, run, stop
//   engine -> window   hello, devices, spans (in batches while a run goes on), progress, done, opinion, failed
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "engine/base/error.h"
#include "engine/device/device_info.h"
#include "engine/measure/measure.h"
#include "engine/predict/own_times.h"
#include "engine/referee/referee.h"
#include "engine/trace/trace.h"

namespace streamscope::remote {

inline constexpr std::uint32_t kProtocol = 12;

namespace message {

struct Hello {  // first in both directions; another protocol number ends the connection
  std::uint32_t protocol = kProtocol;
  std::string program;  // "streamscope 0.1.0"
};
struct AskDevices {};
struct Devices {
  device::DeviceList list;
};
struct StartRun {
  std::uint64_t id = 0;  // chosen by the window, comes back in every answer
  std::string device = "auto";
  std::string program;     // text
  std::string experiment;  // its TOML, carried through to the Run; may be empty
  measure::MeasureOptions options;
  std::string predict{};  // the model to predict the run with, "auto": the one that fits; empty: none
  bool referee = false;   // not the run, but what the referee says of one made so: answered by an opinion
  std::vector<predict::OwnTime> own_times{};  // for models, of this program's own kernels
};
struct Opinion {
  std::uint64_t id = 0;
  referee::Opinion opinion;
};
struct Stop {  // the run in progress, if there is one
  std::uint64_t id = 0;
};
struct Spans {
  std::uint64_t id = 0;
  std::vector<trace::Span> spans;
  bool final = false;      // part of the result's trace; else a preview of a pass that goes on
  bool predicted = false;  // of the final ones: part of its prediction's trace
};
struct Passes {
  std::uint64_t id = 0;
  int done = 0, total = 0;  // sent again each second while a run goes on, so that silence means trouble
};
struct Done {
  std::uint64_t id = 0;
  trace::Run run;               // without spans: they came before in final batches
  std::uint64_t spans = 0;      // how many came: fewer than these, and some were lost on the way
  std::uint64_t predicted = 0;  // likewise, of its prediction
};
struct Failed {
  std::uint64_t id = 0;  // 0: no run's
  Error error;
};

}  // namespace message

using Message = std::variant<message::Hello, message::AskDevices, message::Devices, message::StartRun, message::Stop,
                             message::Spans, message::Passes, message::Done, message::Failed, message::Opinion>;

}  // namespace streamscope::remote
