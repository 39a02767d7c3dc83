#include "engine/remote/run_worker.h"

#include <fmt/core.h>

#include <algorithm>
#include <exception>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "engine/base/utf8.h"
#include "engine/device/catalog/catalog.h"
#include "engine/measure/measure.h"
#include "engine/predict/host_pace.h"
#include "engine/predict/predict.h"
#include "engine/program/text.h"
#include "engine/remote/serve.h"
#include "engine/remote/wire.h"

namespace streamscope::remote {
namespace {

constexpr std::size_t kLongestError = 1u << 20;
constexpr int kMostRuns = 1'000'000;

// Devices stay open, each once, whatever names it was asked for by ("auto" and "cuda:0" are often the same).
class OpenDevices {
 public:
  Result<device::Device*> open(const std::string& name) {
    const auto known = ids_.find(name);
    if (known != ids_.end()) return devices_.at(known->second).get();
    auto opened = catalog::open_device(name);
    if (!opened) return fail(std::move(opened.error()));
    const std::string id = (*opened)->info().id;
    if (is_changed(id)) forget_changed();
    ids_[name] = id;
    return devices_.try_emplace(id, std::move(*opened)).first->second.get();
  }

 private:
  // A slider that is drawn along asks for a model at each step: only the last one stays.
  static bool is_changed(const std::string& id) { return id.find(',') != std::string::npos; }
  void forget_changed() {
    std::erase_if(ids_, [](const auto& each) { return is_changed(each.second); });
    std::erase_if(devices_, [](const auto& each) { return is_changed(each.first); });
  }

  std::map<std::string, std::string> ids_;
  std::map<std::string, std::unique_ptr<device::Device>> devices_;
};

class Worker {
 public:
  explicit Worker(Talk& talk) : talk_(talk) {}

  void all() {
    while (auto job = talk_.next()) {
      if (job->run) {
        run(*job);
      } else {
        talk_.outlet.send(message::Devices{catalog::list_devices()});
      }
      talk_.finished();
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
    talk_.outlet.send(message::Failed{id, std::move(error)});
    if (poisoned) talk_.end(kEndedAfterFailure);
  }

  // Exceptions have no reason to come but want of memory.
  Result<trace::Run> guarded(const Job& job, bool& measured) {
    try {
      return carry_out(*job.run, job.stop.get_token(), measured);
    } catch (const std::exception& thrown) {
      return fail(ErrorKind::device_failed, fmt::format("The engine could not carry the run out: {}.", thrown.what()));
    }
  }

  Result<trace::Run> carry_out(const message::StartRun& request, const std::stop_token& stop, bool& measured) {
    if (stop.stop_requested()) return fail(ErrorKind::cancelled, "The run was stopped before it began.");
    if (request.options.runs < 1 || request.options.runs > kMostRuns) {
      return fail(ErrorKind::bad_input,
                  fmt::format("{} timed runs were asked for; 1 to {} are possible.", request.options.runs, kMostRuns));
    }
    auto read = program::read_program(request.program, "program");
    if (!read) return fail(std::move(read.error()));
    auto device = devices_.open(request.device);
    if (!device) return fail(std::move(device.error()));
    measured = (*device)->info().kind == trace::Provenance::Kind::measured;
    const device::RunControl control{stop, [&](std::span<const trace::Span> spans) { glimpse(request.id, spans); }};
    auto result = measure::measure(**device, read->program, request.options, control,
                                   [&](const measure::Step& step) { talk_.progress(step.done, step.total); });
    if (!result) return result;
    if (!request.predict.empty()) add_prediction(*result, **device, request.predict, read->program, stop);
    result->experiment = request.experiment;
    result->program = request.program;
    return result;
  }

  // Of `ran_on` nothing is read once another device is opened: that may close it.
  void add_prediction(trace::Run& run, device::Device& ran_on, const std::string& asked,
                      const program::Program& program, const std::stop_token& stop) {
    const catalog::Predictor fitting =
        asked == "auto" ? catalog::predictor_of(ran_on.info()) : catalog::Predictor{asked, true};
    predict::PacedModel paced{fitting.id, {}};
    if (!run.trace.provenance.gated) paced = at_pace(fitting.id, ran_on, stop);
    predict::add_prediction(run, devices_.open(paced.id), fitting.fits, program, stop, paced.note);
  }

  // Live mode asks again and again: a host keeps its pace for some seconds.
  predict::PacedModel at_pace(const std::string& model, device::Device& ran_on, const std::stop_token& stop) {
    constexpr Nanoseconds kKept = 3'000'000'000;
    const std::string& device = ran_on.info().id;
    if (pace_.model == model && pace_.device == device && host_now() - pace_.at < kKept) return pace_.paced;
    pace_ = {model, device, host_now(), predict::at_host_pace(model, ran_on, stop)};
    return pace_.paced;
  }

  void glimpse(std::uint64_t id, std::span<const trace::Span> spans) {
    for (std::size_t at = 0; at < spans.size(); at += kSpansPerMessage) {
      const auto batch = spans.subspan(at, std::min(kSpansPerMessage, spans.size() - at));
      talk_.outlet.offer(message::Spans{id, {batch.begin(), batch.end()}, false});
    }
  }

  void deliver(std::uint64_t id, trace::Run run) {
    const std::size_t spans = send_away(id, run.trace.spans, false);
    const std::size_t predicted = run.prediction ? send_away(id, run.prediction->trace.spans, true) : 0;
    talk_.outlet.send(message::Done{id, std::move(run), spans, predicted});
  }

  // Gives how many there were.
  std::size_t send_away(std::uint64_t id, std::vector<trace::Span>& all, bool predicted) {
    const std::vector<trace::Span> spans = std::exchange(all, {});
    for (std::size_t at = 0; at < spans.size(); at += kSpansPerMessage) {
      const auto batch = std::span(spans).subspan(at, std::min(kSpansPerMessage, spans.size() - at));
      talk_.outlet.send(message::Spans{id, {batch.begin(), batch.end()}, true, predicted});
    }
    return spans.size();
  }

  struct KnownPace {
    std::string model, device;
    Nanoseconds at = 0;
    predict::PacedModel paced;
  };

  Talk& talk_;
  OpenDevices devices_;
  KnownPace pace_;
};

}  // namespace

void work(Talk& talk) { Worker(talk).all(); }

}  // namespace streamscope::remote
