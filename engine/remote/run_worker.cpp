#include <fmt/core.h>

#include <algorithm>
#include <exception>
#include <string>
#include <utility>

#include "engine/base/stop_flag.h"
#include "engine/base/translate.h"
#include "engine/base/utf8.h"
#include "engine/device/catalog/catalog.h"
#include "engine/device/catalog/open_devices.h"
#include "engine/measure/measure.h"
#include "engine/predict/own_times.h"
#include "engine/predict/predict.h"
#include "engine/program/program.h"
#include "engine/program/read_program.h"
#include "engine/remote/connection.h"
#include "engine/remote/own_process.h"
#include "engine/remote/serve.h"
#include "engine/remote/wire.h"

namespace streamscope::remote {
namespace {

constexpr std::size_t kLongestError = 1u << 20;
constexpr int kMostRuns = 1'000'000;

class Worker {
 public:
  explicit Worker(Connection& connection) : connection_(connection) {}

  void all() {
    while (auto job = connection_.next()) {
      if (job->run && job->run->referee) {
        judge(*job);
      } else if (job->run) {
        run(*job);
      } else {
        connection_.writer.send(message::Devices{catalog::list_devices()});
      }
      connection_.finished();
    }
  }

 private:
  void run(const Job& job) {
    bool measured = false;
    auto result = guarded(job, measured);
    const std::uint64_t id = job.run->id;
    if (result) return deliver(id, std::move(*result));
    Error& error = result.error();
    const bool poisoned = measured && error.kind == ErrorKind::device_failed;
    error.message = cut_text(std::move(error.message), kLongestError);
    connection_.writer.send(message::Failed{id, std::move(error)});
    if (poisoned) connection_.end(kEndedAfterFailure);
  }

  // The GPU's memory is given back first: the other process needs as much.
  void judge(const Job& job) {
    const auto asked = catalog::device_named(job.run->device);
    const auto device = asked ? devices_.open(*asked) : Result<device::Device*>(fail(asked.error()));
    if (device) (*device)->release_memory();
    auto opinion = ask_referee(*job.run, job.stop.flag());
    if (opinion) {
      connection_.writer.send(message::Opinion{job.run->id, std::move(*opinion)});
    } else {
      connection_.writer.send(message::Failed{job.run->id, std::move(opinion.error())});
    }
  }

  // Exceptions have no reason to come but want of memory.
  Result<trace::Run> guarded(const Job& job, bool& measured) {
    try {
      return carry_out(*job.run, job.stop.flag(), measured);
    } catch (const std::exception& thrown) {
      return fail(ErrorKind::device_failed, tr("The engine could not carry the run out: {}.", thrown.what()));
    }
  }

  Result<trace::Run> carry_out(const message::StartRun& request, const StopFlag& stop, bool& measured) {
    if (stop.stop_requested()) return fail(ErrorKind::cancelled, tr("The run was stopped before it began."));
    if (request.options.runs < 1 || request.options.runs > kMostRuns) {
      return fail(ErrorKind::bad_input,
                  tr("{} timed runs were asked for; 1 to {} are possible.", request.options.runs, kMostRuns));
    }
    auto read = TRY(program::read_program(request.program, "program"));
    const auto asked = TRY(catalog::device_named(request.device));
    auto device = devices_.open(asked, program::device_count(read.program));
    if (!device) return fail(std::move(device.error()));
    const bool alone = needs_own_process(read.program, (*device)->info(), request.options);
    measured = !alone && (*device)->info().kind == trace::Provenance::Kind::measured;
    const bool on_gpu = (*device)->info().kind == trace::Provenance::Kind::measured;
    if (!on_gpu) predict::give_own_times(read.program, request.own_times);
    auto result = TRY(alone ? sacrifice(request, **device, stop) : measure(request, **device, read.program, stop));
    if (on_gpu) predict::give_own_times(read.program, predict::own_times(result.trace, read.program, {}));
    if (!request.predict.empty())
      predictions_.add_to(result, **device, catalog::device_named(request.predict), read.program, stop);
    trace::Notes of_device = devices_.notes_on(asked);
    result.notes.insert(result.notes.begin(), of_device.begin(), of_device.end());
    result.experiment = request.experiment;
    result.program = request.program;
    return result;
  }

  Result<trace::Run> measure(const message::StartRun& request, device::Device& device, const program::Program& program,
                             const StopFlag& stop) {
    const device::RunControl control{stop, [&](std::span<const trace::Span> spans) { preview(request.id, spans); }};
    return measure::measure(device, program, request.options, control, progress());
  }

  // In another process, so that this one keeps its device; that one needs as much of the GPU's memory.
  Result<trace::Run> sacrifice(message::StartRun request, device::Device& device, const StopFlag& stop) {
    device.release_memory();
    request.device = device.info().id;
    return run_alone(std::move(request), stop, progress());
  }

  measure::Progress progress() {
    return [this](const measure::Step& step) { connection_.progress(step.done, step.total); };
  }

  void preview(std::uint64_t id, std::span<const trace::Span> spans) {
    for (std::size_t at = 0; at < spans.size(); at += kSpansPerMessage) {
      const auto batch = spans.subspan(at, std::min(kSpansPerMessage, spans.size() - at));
      connection_.writer.offer(message::Spans{id, {batch.begin(), batch.end()}, false});
    }
  }

  void deliver(std::uint64_t id, trace::Run run) {
    const std::size_t spans = send_away(id, run.trace.spans, false);
    const std::size_t predicted = run.prediction ? send_away(id, run.prediction->trace.spans, true) : 0;
    connection_.writer.send(message::Done{id, std::move(run), spans, predicted});
  }

  // Gives how many there were.
  std::size_t send_away(std::uint64_t id, std::vector<trace::Span>& all, bool predicted) {
    const std::vector<trace::Span> spans = std::exchange(all, {});
    for (std::size_t at = 0; at < spans.size(); at += kSpansPerMessage) {
      const auto batch = std::span(spans).subspan(at, std::min(kSpansPerMessage, spans.size() - at));
      connection_.writer.send(message::Spans{id, {batch.begin(), batch.end()}, true, predicted});
    }
    return spans.size();
  }

  Connection& connection_;
  catalog::OpenDevices devices_;
  predict::Predictions predictions_{devices_};
};

}  // namespace

void run_worker(Connection& connection) { Worker(connection).all(); }

}  // namespace streamscope::remote
