#include "tests/ideas/shown.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "app/reading/operation_facts.h"
#include "app/timeline/bar_style.h"
#include "app/timeline/layout.h"
#include "app/timeline/rows.h"
#include "engine/analysis/stage_times.h"
#include "engine/device/catalog/catalog.h"

namespace streamscope::ideas {
namespace {

constexpr int kWidth = 2400, kHeight = 1200;

Verdict not_found(const std::string& words, const std::string& where) {
  return {fmt::format("\"{}\" is not {}", words, where), ""};
}

}  // namespace

// Every block of a kernel that can records its stages.
Result<trace::Run> run_on_model(const program::Program& program, const std::string& text) {
  const auto opened =
      TRY(catalog::open_device(device::model_of(program::device_count(program) > 1 ? "h200x2" : "h200")));
  const auto loaded = TRY(opened->load(program, {}));
  device::PassRequest request;
  request.stages_of = 1;
  device::Pass pass = TRY(loaded->run(request, {}));
  trace::Run run;
  run.program = text;
  run.runs = 1;
  run.trace = loaded->frame();
  run.trace.spans = std::move(pass.spans);
  run.trace.stages = std::move(pass.stages);
  run.trace.answers = std::move(pass.answers);
  run.notes = loaded->notes();
  return run;
}

Shown::Shown(const std::string& text, const RunIt& run) : text_(text) {
  auto read = program::read_program(text, "idea");
  if (!read) {
    refusal_ = read.error().message;
    observation_ = std::make_shared<conformance::Observation>(text, program_, device::Pass());
    return;
  }
  program_ = std::move(read->program);
  warnings_ = std::move(read->warnings);

  auto ran = run(program_, text);
  if (!ran) {
    wrong_ = ran.error().message;
    why_ = ran.error().kind;
    return;
  }
  run_ = std::move(*ran);
  device::Pass pass;
  pass.spans = run_.trace.spans;
  pass.stages = run_.trace.stages;
  pass.answers = run_.trace.answers;
  observation_ = std::make_shared<conformance::Observation>(text, program_, std::move(pass));

  const verdict::Judgement judgement = verdict::judge(run_.trace, &program_);
  evidence_ = verdict::evidence(judgement);
  figures_ = analysis::figures(analysis::analyse(run_));
  timeline::Tracks tracks = timeline::tracks(run_.trace);
  timeline::add_waits(tracks, run_.trace, &judgement.history);
  tracks_ = std::make_shared<timeline::Tracks>(std::move(tracks));
  auto source = cuda_source::write(text, program_, "idea.cu");
  if (source) source_ = std::move(*source);
  if (!source && program::device_count(program_) == 1) wrong_ = source.error().message;
}

Shown Shown::silent() const {
  Shown out = *this;
  out.words_ = Words::none;
  return out;
}

Shown Shown::without_words() const {
  Shown out = *this;
  out.words_ = Words::taken_for_said;
  return out;
}

std::vector<std::string> Shown::texts(const timeline::Tracks& tracks, Nanoseconds from, Nanoseconds to,
                                      OperationIndex selected) const {
  timeline::LayoutOptions options;
  options.width = kWidth;
  options.height = kHeight;
  options.selected = selected;
  const timeline::View view = timeline::fit(from, std::max(to, from + 1), timeline::frame(tracks, options).plot_width);
  const timeline::Scene scene =
      timeline::layout(run_.trace, tracks, view, timeline::theme(timeline::ThemeName::light), options);
  std::vector<std::string> out;
  for (const timeline::Text& text : scene.texts) out.push_back(text.text);
  return out;
}

Verdict Shown::among(const std::vector<std::string>& texts, std::string_view words, const std::string& where) const {
  if (words_ == Words::taken_for_said) return {};
  const bool found = std::ranges::any_of(texts, [&](const std::string& text) { return text.find(words) != text.npos; });
  if (found && words_ == Words::asked) return {};
  return not_found(std::string(words), where + fmt::format(", where there is: {}", fmt::join(texts, " | ")));
}

Verdict Shown::drawn(std::string_view words) const {
  if (words_ == Words::taken_for_said) return {};
  return among(texts(*tracks_, tracks_->begin, tracks_->end, kNoOperation), words, "drawn");
}

Verdict Shown::drawn_at(const Which& which, std::string_view words) const {
  if (words_ == Words::taken_for_said) return {};
  const trace::Span& at = span(which);
  std::vector<std::string> all;
  const auto look = [&](Nanoseconds from, Nanoseconds to) {
    if (!known(from) || !known(to)) return;
    for (std::string& each : texts(*tracks_, from, to, at.operation)) all.push_back(std::move(each));
  };
  look(at.host_begin, at.host_end);
  look(at.host_end, at.start);
  look(at.start, at.end);
  return among(all, words, fmt::format("drawn at '{}'", which.label));
}

Verdict Shown::drawn_inside(const Which& which, std::string_view words) const {
  if (words_ == Words::taken_for_said) return {};
  const timeline::OpenKernel opening = timeline::opened(run_.trace, span(which).operation);
  timeline::Tracks tracks = *tracks_;
  timeline::add_inside(tracks, run_.trace, opening);
  std::vector<std::string> all;
  const auto look = [&](Nanoseconds from, Nanoseconds to) {
    for (std::string& each : texts(tracks, from, to, kNoOperation)) all.push_back(std::move(each));
  };
  constexpr std::uint32_t kTile = 2;  // not among the first, which are copied ahead of all work
  for (const timeline::StagePiece& each : tracks.inside.pieces)
    if (each.block == tracks.inside.pieces.front().block && each.stage == kTile) look(each.start, each.end);
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return among(all, words, fmt::format("drawn inside '{}'", which.label));
}

Verdict Shown::drawn_as_wait(const Which& which) const {
  if (words_ == Words::taken_for_said) return {};
  const auto& theme = timeline::theme(timeline::ThemeName::light);
  const timeline::Colour drawn =
      timeline::bar_colour(span(which), timeline::TrackKind::host, timeline::ColourBy::kind, tracks_->slots, theme);
  if (words_ == Words::asked && drawn == timeline::colour(OperationKind::sync)) return {};
  return {fmt::format("the call of '{}' is not drawn as one that waits", which.label), ""};
}

Verdict Shown::fact(const Which& which, std::string_view key, std::string_view value) const {
  if (words_ == Words::taken_for_said) return {};
  std::vector<std::string> all;
  bool found = false;
  for (const reading::Fact& each : reading::facts(run_, span(which))) {
    all.push_back(each.label + ": " + each.value);
    found |= each.label == key && each.value.find(value) != std::string::npos;
  }
  if (found && words_ == Words::asked) return {};
  return not_found(fmt::format("{}: {}", key, value),
                   fmt::format("told of '{}': {}", which.label, fmt::join(all, " | ")));
}

Verdict Shown::waits(const Which& which, verdict::WaitCause cause, const Which& by) const {
  if (words_ == Words::taken_for_said) return {};
  const auto index = static_cast<std::uint32_t>(span(which).operation);
  for (const timeline::WaitPiece& each : timeline::pieces_of(tracks_->waits, index))
    if (each.cause == cause && each.by == span(by).operation && words_ == Words::asked) return {};
  return not_found(fmt::format("'{}' for '{}'", name_of(cause), by.label),
                   fmt::format("drawn as why '{}' waits", which.label));
}

Verdict Shown::blames(verdict::Cause cause) const {
  if (words_ == Words::taken_for_said) return {};
  std::vector<std::string_view> all;
  for (const verdict::Evidence& each : evidence_) all.push_back(verdict::name(each.cause));
  if (words_ == Words::asked && std::ranges::count(all, verdict::name(cause)) > 0) return {};
  return not_found(std::string(verdict::name(cause)), fmt::format("in the verdict: {}", fmt::join(all, ", ")));
}

Verdict Shown::figure(std::string_view key, double least, double most) const {
  if (words_ == Words::taken_for_said) return {};
  const auto found = std::ranges::find(figures_, key, &analysis::Figure::key);
  if (found == figures_.end() || !found->value) return not_found(std::string(key), "among the figures");
  if (words_ == Words::asked && least <= *found->value && *found->value <= most) return {};
  return {fmt::format("{} is {}, which is not told to be between {} and {}", key, *found->value, least, most), ""};
}

Verdict Shown::in_cuda(const Which& which, std::string_view code) const {
  std::vector<std::string> of_line;
  std::size_t at = 0;
  for (const std::uint32_t line : source_.lines) {
    const std::size_t end = source_.text.find('\n', at);
    if (line == line_of(which.label)) of_line.push_back(source_.text.substr(at, end - at));
    at = end + 1;
  }
  return among(of_line, code, fmt::format("in the CUDA C++ of '{}'", which.label));
}

Verdict Shown::in_cuda(std::string_view code) const {
  if (words_ == Words::taken_for_said) return {};
  if (words_ == Words::asked && source_.text.find(code) != std::string::npos) return {};
  return not_found(std::string(code), "in the CUDA C++");
}

std::uint32_t Shown::line_of(std::string_view label) const {
  std::uint32_t line = 1;
  for (std::size_t at = 0; at < text_.size(); ++line) {
    const std::size_t end = std::min(text_.find('\n', at), text_.size());
    const std::string_view whole = std::string_view(text_).substr(at, end - at);
    if (const std::size_t hash = whole.find("# "); hash != whole.npos && whole.substr(hash + 2) == label) return line;
    at = end + 1;
  }
  throw std::out_of_range(fmt::format("the program has no line '{}'", label));
}

Verdict Shown::warns(std::string_view label, std::string_view words) const {
  if (words_ == Words::taken_for_said) return {};
  std::vector<std::string> here;
  for (const program::Diagnostic& each : warnings_)
    if (each.line == line_of(label)) here.push_back(each.message);
  return among(here, words, fmt::format("a warning at '{}'", label));
}

Verdict Shown::refuses(std::string_view words) const {
  if (words_ == Words::taken_for_said) return {};
  if (refusal_.empty()) return {"it is not refused", ""};
  const Verdict place = among({refusal_}, fmt::format("idea:{}:", line_of("here")), "in the error");
  return conformance::all({place, among({refusal_}, words, "in the error")});
}

Verdict Shown::notes(std::string_view words) const {
  std::vector<std::string> all;
  for (const trace::Note& each : run_.notes) all.push_back(each.text);
  return among(all, words, "among the run's notes");
}

namespace {

// Of the tiles that could be copied while the block works on another: how many, and how many were.
struct Copied {
  std::size_t could = 0, did = 0;
};
Copied copied_meanwhile(const trace::Stages& stages, OperationIndex kernel) {
  Copied out;
  for (const trace::StageBlock& block : stages.blocks) {
    if (block.operation != kernel) continue;
    const std::span all(block.stages);
    for (std::size_t i = 1; i < all.size(); ++i) {
      const trace::Stage& copy = all[i];
      const std::size_t places = std::min<std::size_t>(i, block.places);  // none before them is still there
      ++out.could;
      out.did += std::ranges::any_of(all.subspan(i - places, places), [&](const trace::Stage& work) {
        return work.wait_over < copy.wait_over && copy.load_issued < work.compute_over;
      });
    }
  }
  return out;
}

}  // namespace

Verdict Shown::tiles_overlap(const Which& which) const {
  const Copied all = copied_meanwhile(run_.trace.stages, span(which).operation);
  if (words_ != Words::none && all.could > 0 && 2 * all.did > all.could) return {};
  return {fmt::format("'{}': {} of {} tiles are copied while the block works", which.label, all.did, all.could), ""};
}

Verdict Shown::tiles_take_turns(const Which& which) const {
  const Copied all = copied_meanwhile(run_.trace.stages, span(which).operation);
  if (words_ != Words::none && all.could > 0 && all.did == 0) return {};
  return {fmt::format("'{}': {} of {} tiles are copied while the block works", which.label, all.did, all.could), ""};
}

double Shown::share_waited(const Which& which) const {
  analysis::BlockTime all;
  for (const trace::StageBlock& block : run_.trace.stages.blocks) {
    if (block.operation != span(which).operation) continue;
    const analysis::BlockTime its = analysis::block_time(block);
    all.working += its.working;
    all.waiting += its.waiting;
  }
  return static_cast<double>(all.waiting) / static_cast<double>(std::max<Nanoseconds>(1, all.working + all.waiting));
}

std::string Shown::account() const {
  if (refused()) return refusal_;
  if (!observation_) return wrong_;
  std::string out = observation_->table();
  for (const timeline::WaitPiece& each : tracks_->waits) {
    out += fmt::format("operation {} waits from {} to {}: {}, by {}\n", each.span, each.from, each.to,
                       name_of(each.cause), each.by == timeline::WaitPiece::kNobody ? -1 : static_cast<int>(each.by));
  }
  for (const program::Diagnostic& each : warnings_)
    out += fmt::format("warning, line {}: {}\n", each.line, each.message);
  for (const trace::Note& each : run_.notes) out += fmt::format("note: {}\n", each.text);
  for (const verdict::Evidence& each : evidence_)
    out += fmt::format("verdict: {} {}\n", verdict::name(each.cause), each.time);
  return out;
}

}  // namespace streamscope::ideas
