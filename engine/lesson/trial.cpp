#include "engine/lesson/trial.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/place.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"
#include "engine/device/device_spec.h"

namespace streamscope::lesson {
namespace {

class Trier {
 public:
  Trier(const Lesson& lesson, const Runs& runs, const MakeRun& make) : lesson_(lesson), runs_(runs), make_(make) {}

  Result<Trial> all() {
    for (const RunToMake& each : lesson_.runs) {
      const RunFacts& facts = *runs_.at(each.name);
      out_.found.push_back(fmt::format("{}: {}", each.name, in_short(facts)));
    }
    for (const Step& each : lesson_.steps) {
      if (each.kind == StepKind::change)
        TRY(change(each));
      else if (asks(each))
        question(each);
      else if (each.kind == StepKind::check)
        relations(each, each.relations, scope_of(each, runs_), true);
      words(each);
    }
    return std::move(out_);
  }

 private:
  static std::string in_short(const RunFacts& facts) {
    const auto time = [](const std::optional<trace::Statistic>& of) {
      return display_duration(of ? of->median : kAbsent);
    };
    std::string text = tr("makespan {}, wall {}", time(facts.run.makespan), time(facts.run.wall));
    if (!facts.causes.empty()) text += fmt::format(", {}", verdict::name(facts.causes.front()));
    return text;
  }
  void untrue(const std::string& message) {
    if (std::ranges::find(out_.untrue, message) == out_.untrue.end()) out_.untrue.push_back(message);
  }

  void question(const Step& step) {
    const auto right = right_answer(step, runs_);
    if (!right) return untrue(right.error().message);
    out_.found.push_back(tr("{}: right is {}", step.name, display(step, *right)));
    const auto graded = grade(step, *right, runs_);
    if (!graded || graded->mark != Grade::Mark::right)
      untrue(graded ? error_at(step.place, tr("the right answer is not taken for right")) : graded.error().message);
    Scope scope = scope_of(step, runs_);
    scope.answer = 0;
    for (const WrongNumber& each : step.wrong)
      if (const auto known_of = holds(each.when, scope); !known_of) untrue(known_of.error().message);
  }

  void relations(const Step& step, const std::vector<Expression>& all, const Scope& scope, bool wanted) {
    for (const Held& each : held(all, scope)) {
      if (!each.why_not.empty()) {
        untrue(each.why_not);
        continue;
      }
      out_.found.push_back(fmt::format("{}: {} {}", step.name, text_of(*each.relation, scope),
                                       each.holds ? tr("holds") : tr("does not hold")));
      if (wanted && !each.holds)
        untrue(error_at(each.relation->place, tr("it does not hold: {}", text_of(*each.relation, scope))));
    }
  }
  // Of a comparison its two sides; else the words of the relation.
  static std::string text_of(const Expression& relation, const Scope& scope) {
    if (relation.kind != Expression::Kind::compare) return relation.written;
    const auto side = [&](const Expression& of) {
      const auto value = evaluate(of, scope);
      return value ? display(*value, of.type) : std::string("?");
    };
    return fmt::format("{} {} {}", side(relation.operands[0]), relation.text, side(relation.operands[1]));
  }

  Result<void> change(const Step& step) {
    const RunToMake& made = *run_named(lesson_, step.run);
    trace::Run solved = TRY(make_(*step.solution, made.stages));
    const SharedFacts solution = TRY(facts_of(std::move(solved), made.causes));
    out_.found.push_back(fmt::format("{}: {}", step.solution->title, in_short(*solution)));
    relations(step, step.relations, {runs_, solution.get()}, true);
    const auto before = grade(step, answer::Changed{made.input.program, runs_.at(step.run)}, runs_);
    if (!before)
      untrue(before.error().message);
    else if (before->mark == Grade::Mark::right)
      untrue(error_at(step.place, tr("the program reaches the goal as it is")));
    return {};
  }

  void words(const Step& step) {
    const Scope scope = scope_of(step, runs_);
    for (const auto& language : lesson_.words) {
      if (!language) continue;
      const Section& section = language->sections.at(step.name);
      values(section.text, scope);
      for (const auto& [name, line] : section.options) values({{Block::Kind::item, line}}, scope);
      for (const auto& [name, text] : section.answers)
        if (step.kind != StepKind::change) values(text, scope);
    }
  }
  void values(const Text& text, const Scope& scope) {
    for (const Block& block : text)
      for (const Piece& piece : block.line)
        if (piece.value)
          if (const auto value = evaluate(*piece.value, scope); !value) untrue(value.error().message);
  }

  const Lesson& lesson_;
  const Runs& runs_;
  const MakeRun& make_;
  Trial out_;
};

// Which of the lesson's needs, besides the number of devices, the device does not meet, in words; empty: it meets them.
std::string unmet(const Needs& needs, const device::DeviceInfo& device) {
  const bool model = device.kind == trace::Provenance::Kind::model;
  if (needs.gpu && model) return tr("the lesson needs a GPU, and {} is a model", device.id);
  const double compute = std::atof(device.compute_capability.c_str());
  if (needs.compute > 0 && compute < needs.compute)
    return tr("the lesson needs compute capability {:.1f}, and {} has {}", needs.compute, device.id,
              device.compute_capability.empty() ? std::string(tr("none that is known")) : device.compute_capability);
  return {};
}

// So many of the model, or of the one that predicts the GPU; empty: there is none.
std::string several(const device::DeviceInfo& of, int devices) {
  const bool model = of.kind == trace::Provenance::Kind::model;
  auto spec = device::parse_device(model ? of.id : of.predicted_by);
  if (!spec || spec->kind != device::DeviceSpec::Kind::model) return {};
  if (model && of.devices > 1) spec->profile = device::several_in(spec->profile).first;
  return text(device::several_of(std::move(*spec), static_cast<std::size_t>(devices)));
}

}  // namespace

Result<Runs> make_runs(const Lesson& lesson, const MakeRun& make) {
  Runs runs;
  for (const RunToMake& each : lesson.runs) {
    auto made = make(each.input, each.stages);
    if (!made) return fail(experiment::placed(made.error(), each.input));
    runs[each.name] = TRY(facts_of(std::move(*made), each.causes));
  }
  return runs;
}

Place place_of(const Needs& needs, const device::DeviceInfo& at_hand) {
  if (std::string why = unmet(needs, at_hand); !why.empty()) return {needs.otherwise, std::move(why)};
  const bool enough = at_hand.devices >= needs.gpus;
  if (enough && (at_hand.peer || !needs.peer)) return {at_hand.id, {}};
  const std::string more = several(at_hand, needs.gpus);
  const std::string instead = more.empty() ? needs.otherwise : more;
  if (enough)
    return {instead,
            tr("the lesson needs GPUs that reach each other's memory, and those here do not ({})", at_hand.id)};
  return {instead, tr_n("the lesson needs {0} GPUs, and there is only {1} here ({2})",
                        "the lesson needs {0} GPUs, and there are only {1} here ({2})",
                        static_cast<unsigned long>(at_hand.devices), needs.gpus, at_hand.devices, at_hand.id)};
}

Result<Trial> try_out(const Lesson& lesson, const Runs& runs, const MakeRun& make) {
  return Trier(lesson, runs, make).all();
}

}  // namespace streamscope::lesson
