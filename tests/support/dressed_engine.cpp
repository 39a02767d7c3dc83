// An engine for tests of the window where there is no GPU: it has a "GPU" that is the model, dressed as a measurement.
// Each time gets a source and an uncertainty as a CUDA device's has, passes scatter, and the instrument costs what was
// once seen of it. Nothing of it is a measurement, and its device's name says so.
//
// It refuses what a CUDA device refuses: the gate where the program waits for something before its end, CUPTI always,
// and kernels over a second unless they are allowed.
//
// Asked for a second opinion on a run (engine/referee) it agrees with each bar; called with "contradicts", it has the
// first copy and the first kernel last twice as long, and with "no-cupti" it says that there is none.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <random>
#include <set>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/base/quantity.h"
#include "engine/device/catalog/catalog.h"
#include "engine/device/kernel_facts.h"
#include "engine/predict/predict.h"
#include "engine/program/program.h"
#include "engine/program/read_program.h"
#include "engine/referee/referee.h"
#include "engine/remote/wire.h"
#include "tests/support/open_device.h"
#include "tests/support/stages_run.h"

namespace {

using namespace streamscope;

constexpr Nanoseconds kTie = 2'900;           // between the clocks
constexpr std::uint32_t kEventNoise = 1'300;  // beyond the tie
constexpr std::uint32_t kStampStep = 32;

void send(const remote::Message& message) {
  const auto frame = remote::encode(message);
  for (std::size_t at = 0; at < frame.size();) {
    const ssize_t written = write(STDOUT_FILENO, frame.data() + at, frame.size() - at);
    if (written <= 0) std::_Exit(9);
    at += static_cast<std::size_t>(written);
  }
}

remote::FrameReader frames;

remote::Message hear() {
  for (;;) {
    auto message = frames.next();
    if (!message) std::_Exit(8);
    if (*message) return std::move(**message);
    std::array<std::uint8_t, 4096> bytes;
    const ssize_t count = read(STDIN_FILENO, bytes.data(), bytes.size());
    if (count <= 0) std::_Exit(0);
    frames.feed(std::span(bytes).first(static_cast<std::size_t>(count)));
  }
}

device::DeviceList devices() {
  device::DeviceList list;
  list.devices.push_back({.id = "cuda:0",
                          .name = "Dressed-up model (no GPU)",
                          .kind = trace::Provenance::Kind::measured,
                          .driver = "0.0, for tests",
                          .profile = {},
                          .compute_capability = "9.0",
                          .memory_bytes = 1ull << 37,
                          .multiprocessors = 132,
                          .copy_engines = 3,
                          .lowest_priority = 0,
                          .highest_priority = -5,
                          .drives_display = true,
                          .what_ifs = {},
                          .predicted_by = "model:h200"});
  for (const device::DeviceInfo& each : catalog::list_devices().devices)
    if (each.kind == trace::Provenance::Kind::model) list.devices.push_back(each);
  return list;
}

// What the device has against the program under these options, if anything.
std::optional<Error> refusal(const program::Program& program, const measure::MeasureOptions& options) {
  if (options.instrument == device::Instrument::cupti)
    return Error{ErrorKind::bad_input,
                 "CUPTI was not found: install the CUDA Toolkit's extras/CUPTI, or take the instrument full."};
  // As a compiler would, of a source that says so.
  for (std::size_t i = 0; i < program.own_kernels.size(); ++i)
    for (const kernels::OwnSource& source : options.own)
      if (source.file == program.own_kernels[i]->file && source.text.find("#error") != source.text.npos)
        return Error{
            .message = fmt::format("line {}: the kernel {} does not compile:\n{}:3:8: error: identifier \"foo\" "
                                   "is undefined\n{}:40: error: expected a \";\"",
                                   program.own_lines[i], program.own_kernels[i]->name, source.file, source.file),
            .wants_own_code = true};
  for (const auto& own : program.own_kernels)
    if (std::ranges::find(options.own, own->file, &kernels::OwnSource::file) == options.own.end())
      return Error{.message = fmt::format("{} is code of the program's own: read it before", own->name),
                   .wants_own_code = true};
  for (std::size_t i = 0; i < program.operations.size(); ++i) {
    const program::Operation& operation = program.operations[i];
    const kernels::Choice* const spin = program::kernel_of(program, operation.work);
    const Nanoseconds takes = spin != nullptr && spin->kernel->word == "spin" ? spin->values[0] : 0;
    if (takes > device::kLongestKernel && !options.long_kernels)
      return Error{
          .message = fmt::format("line {}: spin takes {}: a kernel of more than {} freezes a display that hangs on the "
                                 "GPU; make it shorter, or allow it with --long-kernels",
                                 operation.line, display_duration(takes), display_duration(device::kLongestKernel)),
          .longest_kernel = takes};
    const bool waits = program::kind(operation.work) == OperationKind::sync && i + 1 < program.operations.size();
    if (options.gate && waits)
      return Error{.message = fmt::format("The gate cannot hold this program: line {} waits for work that the gate "
                                          "holds back. Leave the gate out, or the synchronisation.",
                                          operation.line)};
  }
  return std::nullopt;
}

// As if nothing had begun before all was queued.
void hold(std::vector<trace::Span>& spans) {
  Nanoseconds queued = 0;
  for (const trace::Span& span : spans)
    if (trace::device_work(span)) queued = std::max(queued, span.host_end);
  std::set<std::uint32_t> begun;  // streams
  for (trace::Span& span : spans) {
    if (!trace::device_work(span)) {
      if (span.kind == OperationKind::sync) span.host_end = span.end = span.end + queued;
      continue;
    }
    span.start += queued;
    span.end += queued;
    if (begun.insert(span.stream).second) {
      span.reason = trace::WaitReason::gate;
      span.waits_for = kNoOperation;
      span.ready = span.host_end;
    } else {
      span.ready += queued;
    }
  }
}

void dress(trace::Run& run, const measure::MeasureOptions& options, std::mt19937& random) {
  trace::Provenance& from = run.trace.provenance;
  from.kind = trace::Provenance::Kind::measured;
  from.device = "Dressed-up model (no GPU)";
  from.driver = "0.0, for tests";
  from.profile.clear();
  from.clock = "none: made up for tests";
  from.uncertainty = kTie;
  from.instrument = device::name(options.instrument);
  from.gated = options.gate;
  run.notes = {
      {trace::NoteKind::other, "These times are a model's, dressed as a measurement for tests of the window."}};
  const bool sampled = options.instrument == device::Instrument::sampled;
  for (trace::Span& span : run.trace.spans) {
    if (!trace::device_work(span)) {
      span.ready_source = span.start_source = span.source = trace::Source::host;
      continue;
    }
    const bool kernel = span.engine == Engine::compute;
    span.ready_source = trace::Source::inferred;
    span.ready_uncertainty = static_cast<std::uint32_t>(kTie) + kEventNoise;
    span.start_source = kernel ? trace::Source::stamp : trace::Source::inferred;
    span.source = kernel ? trace::Source::stamp : trace::Source::event;
    span.start_uncertainty = span.uncertainty = static_cast<std::uint32_t>(kTie) + (kernel ? kStampStep : kEventNoise);
    if (sampled) {
      span.samples = kernel ? static_cast<std::uint32_t>(options.runs) * options.share
                            : static_cast<std::uint32_t>(options.runs) + random() % 3;
      span.spread = 900 + static_cast<std::uint32_t>(random() % 2'500);
    }
  }
  if (options.gate) hold(run.trace.spans);
}

// The walls: the bare ones scatter, the instrumented ones cost their share on top.
void time(trace::Run& run, const measure::MeasureOptions& options, Nanoseconds wall, std::mt19937& random) {
  const double each = options.instrument == device::Instrument::sampled ? 1.0 / options.share : 1;
  const auto operations = static_cast<double>(run.trace.spans.size());
  const double cost = each * operations * 1'100 / static_cast<double>(wall);
  std::normal_distribution<double> noise(0, 0.004);
  std::vector<Nanoseconds> walls, bare, makespans;
  const Nanoseconds length = trace::makespan(run.trace.spans);
  for (int i = 0; i < options.runs; ++i) {
    const double stretched = 1 + cost + noise(random);
    walls.push_back(static_cast<Nanoseconds>(static_cast<double>(wall) * stretched));
    makespans.push_back(static_cast<Nanoseconds>(static_cast<double>(length) * (1 + noise(random))));
    bare.push_back(static_cast<Nanoseconds>(static_cast<double>(wall) * (1 + noise(random))));
  }
  run.runs = options.runs;
  run.wall = trace::statistic(walls);
  run.makespan = trace::statistic(makespans);
  run.bare_wall.reset();
  if (!options.observer_effect) return;
  run.bare_wall = trace::statistic(bare);
  run.observer_effect = trace::observer_effect(walls, bare);
}

// The inside of tiles and attention: blocks one after the other over each kernel's time, a wave on each multiprocessor.
void record_stages(trace::Run& run, std::uint32_t every) {
  run.trace.stages.every = every;
  if (every == 0) return;
  for (const trace::KernelFacts& kernel : run.trace.kernels) {
    const trace::Span& span = run.trace.spans[kernel.operation];
    const std::uint32_t wave = std::max(1u, std::min(kernel.blocks, 132u));
    const std::uint32_t waves = std::min((kernel.blocks + wave - 1) / wave, 4u);
    const Nanoseconds each = (span.end - span.start) / std::max(1u, waves);
    for (std::uint32_t block = 0; block < wave * waves; block += every)
      run.trace.stages.blocks.push_back(testing::recorded_block(kernel.operation, block, block % wave,
                                                                span.start + block / wave * each, 3, 16, each / 9,
                                                                each / 18 - each / 500 * (block % 7)));
  }
  if (run.runs > 1 && !run.trace.kernels.empty())
    run.stage_effect = trace::ObserverEffect{1.004, 1.002, 1.007, run.runs};
}

void dressed(trace::Run& run, const program::Program& program, const remote::message::StartRun& request,
             std::mt19937& random) {
  run.trace.kernels = device::kernel_facts(program, 132);
  for (trace::KernelFacts& each : run.trace.kernels) {
    each.registers = 32;
    each.shared_bytes = 48u << 10;
    each.blocks_at_once = 4;
    each.most_threads = 2'048;
    each.copy_rate = 4e12;
    each.peak_flops = 67e12;
  }
  const Nanoseconds wall = run.wall->median;
  dress(run, request.options, random);
  time(run, request.options, wall, random);
  record_stages(run, request.options.stages_of);
  run.experiment = request.experiment;
  run.program = request.program;
  if (request.options.verify) run.verified = true;
}

Result<trace::Run> carry_out(const remote::message::StartRun& request, std::mt19937& random) {
  auto read = program::read_program(request.program, "program");
  if (!read) return fail(read.error());
  const bool model = request.device.starts_with("model");
  if (!model)
    if (auto why = refusal(read->program, request.options)) return fail(std::move(*why));
  // Not quite the model that predicts it, so that the two part.
  auto device = tests::open_device(model ? request.device : "model:h200,copies.link=52GB/s,compute.clock=1850MHz");
  if (!device) return fail(device.error());
  measure::MeasureOptions options = request.options;
  if (!model) {
    options = {};
    options.long_kernels = true;
  }
  auto run = measure::measure(**device, read->program, options, {});
  if (!run) return run;
  if (!model) dressed(*run, read->program, request, random);
  if (!request.predict.empty()) {
    auto by = tests::open_device(request.predict == "auto" ? "model:h200" : request.predict);
    if (!by) return fail(by.error());
    predict::add_prediction(*run, by->get(), true, read->program, {});
  }
  return run;
}

// As CUPTI's records of three passes would be, each a little longer than the one before.
remote::Message opinion_on(const remote::message::StartRun& request, std::string_view mode, std::mt19937& random) {
  if (mode == "no-cupti")
    return remote::message::Failed{request.id, {ErrorKind::bad_input, "CUPTI was not found on this machine."}};
  auto run = carry_out(request, random);
  if (!run) return remote::message::Failed{request.id, run.error()};
  referee::Opinion opinion{.passes = referee::kPasses, .by = "CUPTI", .shortest = {}, .median = {}, .longest = {}};
  std::set<OperationKind> doubled;
  for (const trace::Span& span : run->trace.spans) {
    const bool recorded = trace::device_work(span);
    const bool longer = mode == "contradicts" && doubled.size() < 2 && recorded && doubled.insert(span.kind).second;
    const Nanoseconds length = !recorded ? kAbsent : (longer ? 2 : 1) * (span.end - span.start);
    opinion.shortest.push_back(length);
    opinion.median.push_back(recorded ? length + 100 : kAbsent);
    opinion.longest.push_back(recorded ? length + 200 : kAbsent);
  }
  return remote::message::Opinion{request.id, std::move(opinion)};
}

void answer(const remote::message::StartRun& request, std::mt19937& random) {
  auto run = carry_out(request, random);
  if (!run) return send(remote::message::Failed{request.id, run.error()});
  run->program = request.program;
  remote::message::Done done;
  done.id = request.id;
  done.spans = run->trace.spans.size();
  send(remote::message::Spans{request.id, std::exchange(run->trace.spans, {}), true});
  if (run->prediction) {
    done.predicted = run->prediction->trace.spans.size();
    send(remote::message::Spans{request.id, std::exchange(run->prediction->trace.spans, {}), true, true});
  }
  done.run = std::move(*run);
  send(done);
}

}  // namespace

int main(int count, char** words) {
  const std::string_view mode = count > 1 ? words[1] : "";
  std::mt19937 random(7);
  send(remote::message::Hello{remote::kProtocol, "dressed-up model"});
  for (;;) {
    const remote::Message message = hear();
    if (std::holds_alternative<remote::message::AskDevices>(message)) send(remote::message::Devices{devices()});
    const auto* request = std::get_if<remote::message::StartRun>(&message);
    if (request != nullptr && request->referee) send(opinion_on(*request, mode, random));
    if (request != nullptr && !request->referee) answer(*request, random);
  }
}
