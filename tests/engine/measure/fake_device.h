// A device that follows a script: it writes down what is asked of it, and fails where the script says so.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/device/device.h"

namespace streamscope::measure {

struct Script {
  std::vector<std::string> log;                               // "load", "full" (or another), "bare", "verify", "unload"
  std::deque<Nanoseconds> full_walls, bare_walls, makespans;  // one for each pass, the warm-up too; 100 where spent
  std::string fail_at;                                        // this entry of the log ...
  int fail_on = 0;                                            // ... fails when it comes for the n-th time, from 0
  std::optional<bool> verified = true;
  bool device_work = true;
  std::vector<device::Observed> observed;     // of a sampled pass
  std::optional<Error> cannot;                // what can() says
  std::vector<device::PassRequest> requests;  // of all passes, in turn
  trace::Provenance::Kind kind = trace::Provenance::Kind::measured;
  std::string name = "a fake";
  std::size_t other_devices = 0;
  std::function<void(const std::string&)> on_step = [](const std::string&) {};

  std::optional<Error> step(const std::string& what) {
    int before = 0;
    for (const std::string& each : log) before += each == what ? 1 : 0;
    log.push_back(what);
    on_step(what);
    if (what == fail_at && before == fail_on) return Error{ErrorKind::device_failed, "scripted failure of " + what};
    return std::nullopt;
  }
};

class FakeProgram : public device::LoadedProgram {
 public:
  explicit FakeProgram(Script& script, std::size_t operations = 1) : script_(script), operations_(operations) {
    frame_.provenance.device = "a fake";
    frame_.other_devices.assign(script.other_devices, frame_.provenance);
    frame_.names = {"axpb"};
  }
  ~FakeProgram() override { script_.log.emplace_back("unload"); }

  Result<void> can(const device::PassRequest&) const override {
    if (script_.cannot) return fail(*script_.cannot);
    return {};
  }
  Result<device::Pass> run(const device::PassRequest& request, const device::RunControl& control) override {
    const device::Instrument instrument = request.instrument;
    if (auto error = script_.step(std::string(device::name(instrument)))) return fail(*error);
    script_.requests.push_back(request);
    device::Pass pass;
    pass.wall = take(instrument == device::Instrument::bare ? script_.bare_walls : script_.full_walls);
    if (instrument == device::Instrument::bare) return pass;
    pass.clock_uncertainty = pass.wall;
    if (instrument == device::Instrument::sampled) {
      pass.observed = script_.observed;
      return pass;
    }
    trace::Span span;
    span.operation = 0;
    span.engine = script_.device_work ? Engine::compute : Engine::none;
    span.kind = script_.device_work ? OperationKind::kernel : OperationKind::record;
    span.start = 10;
    span.end = 10 + take(script_.makespans);
    pass.spans = {span};
    pass.spans.resize(operations_);  // of the others nothing is known
    if (request.stages_of > 0) {
      pass.stages.every = request.stages_of;
      pass.stages.blocks.push_back({.operation = 0, .begin = span.start, .end = span.end, .stages = {}});
    }
    if (control.on_spans) control.on_spans(pass.spans);
    return pass;
  }
  Result<std::optional<bool>> verify() override {
    if (auto error = script_.step("verify")) return fail(*error);
    if (script_.verified == false) notes_.push_back({trace::NoteKind::wrong_data, "a note of the verification"});
    return script_.verified;
  }
  const trace::Trace& frame() const override { return frame_; }
  trace::Notes notes() const override { return notes_; }

 private:
  static Nanoseconds take(std::deque<Nanoseconds>& from) {
    if (from.empty()) return 100;
    const Nanoseconds first = from.front();
    from.pop_front();
    return first;
  }

  Script& script_;
  std::size_t operations_;
  trace::Trace frame_;
  trace::Notes notes_{{trace::NoteKind::gpu, "a note of the device"}};
};

class FakeDevice : public device::Device {
 public:
  explicit FakeDevice(Script& script) : script_(script) {
    info_.name = script.name;
    info_.kind = script.kind;
  }
  const device::DeviceInfo& info() const override { return info_; }
  Result<std::unique_ptr<device::LoadedProgram>> load(const program::Program& program,
                                                      const device::LoadOptions& options) override {
    long_kernels = options.long_kernels;
    if (auto error = script_.step("load")) return fail(*error);
    return std::make_unique<FakeProgram>(script_, program.operations.size());
  }
  bool long_kernels = false;

 private:
  Script& script_;
  device::DeviceInfo info_;
};

}  // namespace streamscope::measure
