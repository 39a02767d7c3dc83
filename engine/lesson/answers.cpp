#include "engine/lesson/answers.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <optional>

#include "engine/base/translate.h"
#include "engine/input/json.h"
#include "engine/input/json_reader.h"
#include "engine/output/output.h"

namespace streamscope::lesson {
namespace {

using Json = nlohmann::ordered_json;

std::string text(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string run_text(const SharedFacts& facts) {
  std::string out = facts ? output::to_json(facts->run) : "null";
  while (out.ends_with('\n')) out.pop_back();
  return out;
}

std::string answer_text(const Step& step, const Answer& given) {
  struct {
    const Step& step;
    std::string operator()(const answer::Skipped&) const { return "\"skipped\": true"; }
    std::string operator()(const answer::Chosen& chosen) const { return "\"choice\": " + text(chosen.name); }
    std::string operator()(const answer::Number& number) const {
      return fmt::format("\"number\": {}, \"unit\": {}", text(number.value / step.unit.factor),
                         text(std::string(step.unit.name)));
    }
    std::string operator()(const answer::Ordered& order) const { return "\"order\": " + text(order.items); }
    std::string operator()(const answer::Start& start) const { return fmt::format("\"start_ns\": {}", start.at); }
    std::string operator()(const answer::Changed& changed) const {
      return fmt::format("\"program\": {}, \"run\": {}", text(changed.program), run_text(changed.run));
    }
  } const in_json{step};
  return std::visit(in_json, given);
}

std::string blank_text(const Lesson& lesson, const Step& step) {
  if (step.kind == StepKind::change)
    return fmt::format("\"program\": {}, \"run\": null", text(run_named(lesson, step.run)->input.program));
  switch (step.ask) {
    case Ask::choice: return "\"choice\": null";
    case Ask::number: return fmt::format("\"number\": null, \"unit\": {}", text(std::string(step.unit.name)));
    case Ask::order: return "\"order\": null";
    case Ask::bar: break;
  }
  return "\"start_ns\": null";
}

std::string sheet(const std::string& lesson, const std::string& device, const std::vector<std::string>& answers,
                  const Runs& runs) {
  std::string out =
      fmt::format("{{\n\"schema\": 1,\n\"lesson\": {},\n\"device\": {},\n\"answers\": [\n{}\n],\n\"runs\": {{",
                  text(lesson), text(device), fmt::join(answers, ",\n"));
  bool first = true;
  for (const auto& [name, facts] : runs) {
    out += fmt::format("{}\n{}: {}", first ? "" : ",", text(name), run_text(facts));
    first = false;
  }
  return out + "\n}\n}\n";
}

std::string line(const std::string& step, const std::string& rest) {
  return fmt::format("  {{\"step\": {}, {}}}", text(step), rest);
}

class Reader {
 public:
  Reader(const Lesson& lesson, std::string_view all, const std::string& file)
      : lesson_(lesson), text_(all), file_(file), json_(all, file) {}

  Result<Answers> read() {
    json_.object([&](std::string_view key) {
      if (key == "schema")
        schema();
      else if (key == "lesson")
        out_.lesson = string();
      else if (key == "device")
        out_.device = string();
      else if (key == "answers")
        json_.array([&] { answer(); });
      else if (key == "runs")
        json_.object([&](std::string_view name) { run_of(std::string(name)); });
    });
    json_.expect_end();
    if (!json_.failed() && out_.lesson != lesson_.name)
      json_.fail_at(0, tr("these are answers to the lesson '{}', not to '{}'", out_.lesson, lesson_.name));
    for (const RunToMake& each : lesson_.runs)
      if (!json_.failed() && !out_.runs.contains(each.name))
        json_.fail_at(0, tr("the run '{}' is missing in it", each.name));
    if (json_.failed()) return fail(json_.error());
    return std::move(out_);
  }

 private:
  void schema() {
    if (json_.number() != "1") json_.fail_here(tr("this schema is of another version of streamscope; 1 can be read"));
  }
  std::string string() { return std::string(json_.string(buffer_)); }
  bool is_null() {
    if (json_.peek() != input::JsonReader::Kind::null) return false;
    json_.skip();
    return true;
  }

  // Whoever changes a run's program answers another question.
  SharedFacts run(std::string_view program, std::size_t at, bool causes) {
    auto read = input::read_saved_run(text_, file_, at, input::ReadControl(control_));
    if (!read) return not_taken(at, read.error().message);
    auto facts = facts_of(std::move(*read), causes);
    if (!facts) return not_taken(at, facts.error().message);
    if ((*facts)->run.program == program) return *facts;
    return not_taken(at, tr("this run is of another program than the one that was to be run"));
  }
  SharedFacts not_taken(std::size_t at, std::string_view why) {
    json_.fail_at(at, why);
    return nullptr;
  }
  void run_of(const std::string& name) {
    json_.peek();
    const std::size_t at = json_.offset();
    const RunToMake* made = run_named(lesson_, name);
    if (made == nullptr) return json_.fail_at(at, tr("the lesson has no run '{}'", name));
    json_.skip();
    if (!json_.failed()) out_.runs[name] = run(made->input.program, at, made->causes);
  }

  void answer() {
    json_.peek();
    const std::size_t begin = json_.offset();
    std::string step, unit, program;
    std::optional<Answer> given;
    std::optional<double> number;
    bool changed = false;
    std::optional<std::size_t> run_at;
    json_.object([&](std::string_view key) {
      if (key == "step") {
        step = string();
      } else if (key == "unit") {
        unit = string();
      } else if (key == "program") {
        program = string();
        changed = true;
      } else if (is_null()) {
        return;
      } else if (key == "skipped") {
        if (json_.boolean()) given = answer::Skipped{};
      } else if (key == "choice") {
        given = answer::Chosen{string()};
      } else if (key == "number") {
        number = real();
      } else if (key == "order") {
        answer::Ordered order;
        json_.array([&] { order.items.push_back(string()); });
        given = std::move(order);
      } else if (key == "start_ns") {
        given = answer::Start{static_cast<Nanoseconds>(real())};
      } else if (key == "run") {
        json_.peek();
        run_at = json_.offset();
        json_.skip();
      }
    });
    if (json_.failed()) return;
    const Step* of = step_named(lesson_, step);
    if (of == nullptr || !is_graded(*of))
      return json_.fail_at(begin, tr("the lesson asks nothing in a step '{}'", step));
    if (number) {
      const Unit* written = unit_named(unit);
      if (written == nullptr || written->dimension != of->unit.dimension)
        return json_.fail_at(begin, tr("the unit '{}' is not one of this answer: it is in {}", unit, of->unit.name));
      given = answer::Number{*number * written->factor};
    }
    // As the sheet was handed out: nothing was tried.
    if (changed && !run_at && program == run_named(lesson_, of->run)->input.program) return;
    if (changed)
      given = answer::Changed{program, run_at ? run(program, *run_at, run_named(lesson_, of->run)->causes) : nullptr};
    if (!given || json_.failed()) return;
    if (const std::string why = why_no_answer(*of, *given); !why.empty()) return json_.fail_at(begin, why);
    out_.given.emplace_back(step, std::move(*given));
  }
  double real() {
    const std::size_t at = json_.offset();
    const std::string_view written = json_.number();
    double value = 0;
    const auto [end, error] = std::from_chars(written.data(), written.data() + written.size(), value);
    if (!json_.failed() && (error != std::errc() || !(value > -1e18 && value < 1e18)))
      json_.fail_at(at, tr("this number cannot be read"));
    return value;
  }

  const Lesson& lesson_;
  std::string_view text_;
  const std::string& file_;
  input::JsonReader json_;
  input::OpenControl control_;
  std::string buffer_;
  Answers out_;
};

}  // namespace

std::string to_json(const Lesson& lesson, const Answers& answers) {
  std::vector<std::string> lines;
  for (const auto& [name, given] : answers.given)
    if (const Step* step = step_named(lesson, name)) lines.push_back(line(name, answer_text(*step, given)));
  return sheet(lesson.name, answers.device, lines, answers.runs);
}

std::string blank_sheet(const Lesson& lesson, const std::string& device, const Runs& runs) {
  std::vector<std::string> lines;
  for (const Step& step : lesson.steps)
    if (is_graded(step)) lines.push_back(line(step.name, blank_text(lesson, step)));
  return sheet(lesson.name, device, lines, runs);
}

Result<Answers> read_answers(const Lesson& lesson, std::string_view text, const std::string& file) {
  return Reader(lesson, text, file).read();
}

Result<std::vector<Graded>> grade_all(const Lesson& lesson, const Answers& answers) {
  std::vector<Graded> all;
  for (const Step& step : lesson.steps) {
    if (!is_graded(step)) continue;
    const auto at = std::ranges::find(answers.given, step.name, [](const auto& each) { return each.first; });
    const Answer given = at == answers.given.end() ? Answer(answer::Skipped{}) : at->second;
    const Grade mark = TRY(grade(step, given, answers.runs));
    Graded one{&step, given, mark, display(step, given), {}};
    if (asks(step)) {
      const Answer right = TRY(right_answer(step, answers.runs));
      one.right = display(step, right);
    }
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace streamscope::lesson
