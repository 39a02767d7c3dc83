#include "tests/damage/formats.h"

#include "engine/base/files.h"
#include "engine/remote/wire.h"
#include "tests/damage/readers.h"
#include "tests/engine/input/nsys_case.h"
#include "tests/support/remote_samples.h"

namespace streamscope::damage {
namespace {

// As PyTorch's profiler writes them, and some of Perfetto's.
constexpr const char* kEvents = R"({"schemaVersion":1,"deviceProperties":[{"id":0,"name":"GPU"}],"traceEvents":[
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":2,"ts":10.5,"dur":3,"args":{"correlation":4}},
{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":15,"dur":2,"args":{"device":0,"stream":7,"correlation":4}},
{"ph":"X","cat":"gpu_memcpy","name":"Memcpy HtoD","pid":0,"tid":8,"ts":20,"dur":1,"args":{"stream":8,"bytes":64}},
{"ph":"B","name":"b","pid":1,"tid":2,"ts":1},{"ph":"E","pid":1,"tid":2,"ts":2},
{"ph":"i","name":"\u4e2d","pid":1,"tid":2,"ts":3,"s":"g"},
{"ph":"b","cat":"c","id":"0x1","name":"a","pid":1,"ts":4},{"ph":"e","cat":"c","id":"0x1","pid":1,"ts":6},
{"ph":"M","name":"process_name","pid":1,"args":{"name":"p"}},{"ph":"M","name":"thread_name","pid":1,"tid":2,
"args":{"name":"main"}}]}
)";

std::string text(const std::string& path) {
  const auto read = read_text(path);
  return read ? *read : std::string();
}

// One message: that none comes after it is no damage.
template <class T>
std::string message() {
  for (const remote::Message& each : samples::one_of_each(4)) {
    if (!std::holds_alternative<T>(each)) continue;
    const std::vector<std::uint8_t> bytes = remote::encode(each);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  return {};
}

}  // namespace

std::vector<Format> formats(const std::string& source) {
  const std::string golden = source + "/tests/golden/", assets = source + "/assets/";
  return {{"saved run", text(golden + "small-run.json"), json},
          {"Chrome trace, our own", text(golden + "small-run.trace.json"), json},
          {"Chrome trace, PyTorch", kEvents, json},
          {"nsys SQLite", input_test::database(input_test::kExport), nsys},
          {"message: spans", message<remote::message::Spans>(), messages},
          {"message: a result", message<remote::message::Done>(), messages},
          {".streams", text(assets + "programs/graph.streams"), stream_program, false},
          {"experiment TOML", text(assets + "experiments/four-streams.toml"), experiment_file, false},
          {"profile TOML", text(assets + "devices/h200.toml"), profile, false}};
}

}  // namespace streamscope::damage
