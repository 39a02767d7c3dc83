#include "engine/device/model/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>
#include <span>
#include <utility>

#include "engine/base/translate.h"
#include "engine/device/blank_trace.h"
#include "engine/device/device_spec.h"
#include "engine/device/kernel_facts.h"
#include "engine/device/model/device_facts.h"
#include "engine/device/model/fits.h"
#include "engine/device/model/hardware/modelled_stages.h"
#include "engine/device/model/profile/profile_numbers.h"
#include "engine/device/model/simulation.h"

namespace streamscope::model {
namespace {

std::string sentence(std::string_view words) {
  std::string out(words);
  if (!out.empty()) out[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(out[0])));
  return out + ".";
}

std::vector<device::WhatIfNumber> what_ifs_of(const Profile& profile) {
  std::vector<device::WhatIfNumber> out;
  for (const WhatIf& each : what_ifs()) {
    if (of_links(each.key) && profile.devices == 1) continue;
    const auto index = find_number(each.key);
    const ProfileNumber* const found = index ? &profile_numbers()[*index] : nullptr;
    const LinkRate* const link = find_link_rate(each.key);
    const auto [unit, one] = scale_of(found != nullptr ? found->kind : NumberKind::rate);
    out.push_back(
        {.key = std::string(each.key),
         .name = std::string(tr(each.name)),
         .meaning = found != nullptr ? sentence(tr(found->meaning)) : std::string(tr(link->meaning)),
         .unit = std::string(unit),
         .least = each.least / one,
         .most = each.most / one,
         .value = found != nullptr ? found->get(profile) / one : std::round(link->rate(profile) / 1e7) / 100});
  }
  return out;
}

// Options of the program's kernels whose effect on time is not modelled.
trace::Notes not_priced(const program::Program& program) {
  trace::Notes notes;
  std::set<std::pair<std::string_view, std::size_t>> said;
  for (const kernels::Choice& choice : program.kernels) {
    const std::span<const kernels::Option> options = choice.kernel->options;
    for (std::size_t i = 0; i < options.size(); ++i) {
      const auto& priced = options[i].priced_as;
      if (!priced || choice.values[i] != priced->value || !choice.kernel->no_effect(choice.values, i).empty() ||
          !said.insert({choice.kernel->word, i}).second)
        continue;
      notes.push_back(
          {trace::NoteKind::model, tr("Not simulated: what {} changes in {}, which takes as long as with {}.",
                                      priced->written, choice.kernel->word, tr(priced->instead))});
    }
  }
  for (const kernels::Choice& choice : program.kernels) {
    if (choice.kernel->own() == nullptr) continue;
    const Nanoseconds takes = choice.kernel->shape(choice.values, 0, 1).duration;
    const std::string& measured_on = choice.kernel->own()->measured_on;
    std::string text =
        !measured_on.empty()
            ? tr("Not simulated: what {} does, which is code of the program's own; a launch takes {}, as measured on "
                 "{}, with the registers that it had there.",
                 choice.kernel->word, display_duration(takes), measured_on)
        : takes > 0
            ? tr("Not simulated: what {} does, which is code of the program's own; a launch takes the {} that it "
                 "says (time), with the registers and the shared memory of the launch's options, if it has them.",
                 choice.kernel->word, display_duration(takes))
            : tr("Not simulated: what {} does, which is code of the program's own; a launch takes as long as moving "
                 "its ranges once, since it does not say what a GPU measured (time).",
                 choice.kernel->word);
    if (std::ranges::find(notes, text, &trace::Note::text) == notes.end())
      notes.push_back({trace::NoteKind::model, std::move(text)});
  }
  return notes;
}

// What the host knows by itself, as Instrument::calls sees it.
void keep_calls(std::vector<trace::Span>& spans) {
  for (trace::Span& span : spans) {
    span.ready = span.start = span.end = kAbsent;
    span.ready_source = span.start_source = span.source = trace::Source::none;
    span.reason = trace::WaitReason::none;
    span.waits_for = kNoOperation;
    if (span.launch != kNoOperation) span.host_begin = span.host_end = kAbsent;  // no host call issues it
  }
}

class ModelProgram : public device::LoadedProgram {
 public:
  ModelProgram(const Profile& profile, const program::Program& program, trace::Trace frame, trace::Notes of_program)
      : profile_(profile), program_(program), frame_(std::move(frame)), of_program_(std::move(of_program)) {}

  Result<void> can(const device::PassRequest& request) const override {
    if (!device::about(request.instrument).of_models) {
      return fail(ErrorKind::bad_input,
                  tr("The model sees every operation and is not disturbed by it, so the instrument {} has "
                     "nothing to do there; use full.",
                     device::name(request.instrument)));
    }
    if (request.gate) {
      return fail(ErrorKind::bad_input, tr("The model has no gate to hold its streams with; leave the gate out."));
    }
    return {};
  }
  Result<device::Pass> run(const device::PassRequest& request, const device::RunControl& control) override {
    TRY(can(request));
    const device::RunControl how{
        control.stop, request.instrument == device::Instrument::full ? control.on_spans : device::SpanSink{}};
    auto pass = Simulation(profile_, program_, how).run(device::blank_spans(program_, frame_));
    if (pass && request.stages_of > 0 && request.instrument == device::Instrument::full) {
      pass->stages = modelled_stages(profile_, program_, pass->spans, request.stages_of);
    }
    if (pass && !device::about(request.instrument).spans) {
      pass->spans.clear();
      pass->answers = {};
    } else if (pass) {
      pass->answers.streams = attributes();
    }
    if (pass && request.instrument == device::Instrument::calls) keep_calls(pass->spans);
    return pass;
  }
  // By rule: the model moves no data.
  Result<std::optional<bool>> verify() override { return wrong_ ? std::optional<bool>(false) : std::optional<bool>(); }
  const trace::Trace& frame() const override { return frame_; }
  trace::Notes notes() const override {
    trace::Notes all{
        {trace::NoteKind::model,
         tr_n("MODEL: simulated from the profile \"{}\"; {} of its {} numbers is assumed, not measured.",
              "MODEL: simulated from the profile \"{}\"; {} of its {} numbers are assumed, not measured.",
              assumed_numbers().first, profile_.id, assumed_numbers().first, assumed_numbers().second)},
        wrong_
            ? trace::Note{trace::NoteKind::wrong_data, tr("{} The model moves no data: it says so by rule.", *wrong_)}
            : trace::Note{trace::NoteKind::not_verified, tr("The model moves no data, so nothing was verified.")},
        {trace::NoteKind::model, tr("Not simulated: what an instrument costs (bare and full runs take the same time), "
                                    "clocks that change, noise, "
                                    "other programs.")},
    };
    all.insert(all.end(), of_program_.begin(), of_program_.end());
    return all;
  }

 private:
  // How many numbers are assumed, and of how many; of one device those of links between devices do not count.
  std::pair<std::size_t, std::size_t> assumed_numbers() const {
    std::pair<std::size_t, std::size_t> counts;
    for (std::size_t i = 0; i < profile_.origins.size(); ++i) {
      if (profile_.devices == 1 && of_links(profile_numbers()[i].path)) continue;
      counts.first += profile_.origins[i] == Origin::assumed ? 1 : 0;
      ++counts.second;
    }
    return counts;
  }
  // Numbered as CUDA does it: the default streams first.
  std::vector<trace::StreamAttributes> attributes() const {
    std::vector<trace::StreamAttributes> all;
    for (OperationIndex i = 0; i < program_.operations.size(); ++i) {
      const auto* asks = std::get_if<program::op::Attributes>(&program_.operations[i].work);
      if (asks == nullptr) continue;
      const trace::StreamInfo& stream = frame_.streams[asks->stream.value];
      all.push_back({.operation = i,
                     .device = stream.device,
                     .priority = stream.priority,
                     .nonblocking = stream.nonblocking,
                     .id = asks->stream.value + 1});
    }
    return all;
  }

  const Profile profile_;  // its own, so that the device may go first
  const program::Program& program_;
  const trace::Trace frame_;
  const trace::Notes of_program_;
  const std::optional<std::string> wrong_ = device::wrong_on_purpose(program_);
};

class Model : public device::Device {
 public:
  explicit Model(Profile profile) : profile_(std::move(profile)) {
    device::DeviceSpec spec = device::model_of(profile_.id);
    for (const Profile::Change& change : profile_.changes) spec.changes.push_back({change.key, change.value});
    info_.id = text(spec);
    info_.name = profile_.name;
    info_.kind = trace::Provenance::Kind::model;
    info_.profile = title(profile_);
    info_.compute_capability = profile_.compute_capability;
    info_.memory_bytes = profile_.device.memory;
    info_.devices = profile_.devices;
    info_.multiprocessors = profile_.compute.multiprocessors;
    info_.copy_engines = profile_.copies.engines;
    info_.highest_priority = profile_.device.highest_priority;
    info_.what_ifs = what_ifs_of(profile_);
    const Profile::Compute& sm = profile_.compute;
    info_.limits = {static_cast<int>(sm.threads),       static_cast<int>(sm.blocks),
                    static_cast<int>(sm.registers),     sm.shared_bytes,
                    static_cast<int>(sm.block_threads), sm.block_shared,
                    sm.block_shared_reserved,           static_cast<int>(sm.clock_mhz)};
  }
  const device::DeviceInfo& info() const override { return info_; }

  // Long kernels harm nobody here, so that option changes nothing.
  Result<std::unique_ptr<device::LoadedProgram>> load(const program::Program& program,
                                                      const device::LoadOptions&) override {
    TRY(check_fits(profile_, program));
    trace::Provenance provenance;
    provenance.kind = trace::Provenance::Kind::model;
    provenance.device = info_.name;
    provenance.profile = title(profile_);
    provenance.clock = tr("simulated");
    provenance.date = utc_date();
    trace::Trace frame = device::frame_of(program, std::move(provenance));
    frame.kernels = kernel_facts(profile_, program);
    frame.device_facts.assign(program::device_count(program), device_facts(profile_));
    frame.other_devices.assign(frame.device_facts.size() - 1, frame.provenance);
    frame.launches = launch_shapes(profile_, program, frame.names);
    trace::Notes notes = device::clamp_priorities(frame.streams, info_);
    for (trace::Note& note : not_priced(program)) notes.push_back(std::move(note));
    return std::make_unique<ModelProgram>(profile_, program, std::move(frame), std::move(notes));
  }

 private:
  const Profile profile_;
  device::DeviceInfo info_;
};

}  // namespace

std::unique_ptr<device::Device> make_model(Profile profile) { return std::make_unique<Model>(std::move(profile)); }

Result<Nanoseconds> predict_wall(const Profile& profile, const program::Program& program) {
  TRY(check_fits(profile, program));
  const device::RunControl control;
  auto pass = TRY(Simulation(profile, program, control).run(std::vector<trace::Span>(program.operations.size())));
  return pass.wall;
}

Result<LoggedRun> run_logged(const Profile& profile, const program::Program& program) {
  TRY(check_fits(profile, program));
  const device::RunControl control;
  HoldLog log;
  const trace::Trace frame = device::frame_of(program, {});
  auto pass = TRY(Simulation(profile, program, control, &log).run(device::blank_spans(program, frame)));
  std::map<OperationIndex, std::uint64_t> migrated = log.migrated();
  return LoggedRun{std::move(pass), std::move(migrated), std::move(log).holds()};
}

}  // namespace streamscope::model
