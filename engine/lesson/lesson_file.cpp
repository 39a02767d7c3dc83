#include "engine/lesson/lesson_file.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <tuple>

#include "engine/base/files.h"
#include "engine/base/place.h"
#include "engine/base/translate.h"
#include "engine/lesson/keywords_file.h"
#include "engine/lesson/quantities.h"
#include "engine/lesson/table_reader.h"
#include "engine/program/syntax/characters.h"

namespace streamscope::lesson {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestProgram = 1u << 20;
constexpr std::size_t kMostSteps = 100;

class Reader : TableReader {
 public:
  Reader(const std::string& file, const fs::path& folder, std::string& wrong)
      : TableReader(file, wrong), folder_(folder) {}

  Lesson read(const toml::table& table) {
    keys(table, {"covers", "keywords", "needs", "otherwise", "verdict", "runs", "steps"});
    out_.covers = texts(table, "covers");
    std::ignore = read_keywords(table, *this);  // only a list of lessons has them, by keywords_of()
    needs(table);
    if (const auto given = text(table, "verdict")) {
      out_.shows_verdict = given->text == "shown";
      if (!out_.shows_verdict) add(error_at(given->place.at(0), tr("write verdict = \"shown\", or leave it out")));
    }
    if (const toml::table* all = table["runs"].as_table()) {
      for (const auto& [key, node] : *all) names_.runs.emplace(key.str());
      for (const auto& [key, node] : *all) one_run(std::string(key.str()), node);
    } else if (table.contains("runs")) {
      wrong(*table.get("runs"), tr("runs are tables: [runs.one] and below it file = \"one.streams\""));
    }
    const toml::array* steps = table["steps"].as_array();
    if (steps == nullptr || steps->empty()) {
      wrong(table, tr("there are no steps: write [[steps]] and below it name and kind"));
      return std::move(out_);
    }
    if (steps->size() > kMostSteps) wrong(*steps, tr("more than {} steps", kMostSteps));
    for (const toml::node& each : *steps) {
      if (const toml::table* step = each.as_table())
        one_step(*step);
      else
        wrong(each, tr("a step is a table: write [[steps]]"));
    }
    return std::move(out_);
  }

 private:
  void needs(const toml::table& table) {
    for (const Written& each : list(table, "needs")) {
      int gpus = 0;
      double compute = 0;
      if (each.text == "gpu")
        out_.needs.gpu = true;
      else if (each.text == "peer")
        out_.needs.peer = true;
      else if (std::sscanf(each.text.c_str(), "gpus=%d", &gpus) == 1 && gpus >= 1 && gpus <= 16)
        out_.needs.gpus = gpus;
      else if (std::sscanf(each.text.c_str(), "compute=%lf", &compute) == 1 && compute > 0)
        out_.needs.compute = compute;
      else
        add(error_at(each.place.at(0),
                     tr("'{}' is nothing a lesson can need: write gpu, gpus=2, peer or compute=9.0", each.text)));
    }
    if (const auto given = text(table, "otherwise")) out_.needs.otherwise = given->text;
  }

  // A file of the folder, else what the program comes with.
  std::optional<experiment::Input> program(const Written& name, const std::vector<std::string>& settings) {
    experiment::InputText source;
    if (name.text.empty() || name.text.front() == '.' || name.text.find_first_of("/\\") != std::string::npos) {
      add(error_at(name.place.at(0), tr("name a file of the lesson's folder, or what the program comes with")));
      return std::nullopt;
    }
    std::error_code error;
    for (const fs::path& path : {folder_ / name.text, assets_folder() / "experiments" / (name.text + ".toml"),
                                 assets_folder() / "programs" / (name.text + ".streams")}) {
      if (!source.path.empty() || !fs::is_regular_file(path, error)) continue;
      source.path = path;
    }
    if (source.path.empty()) {
      add(error_at(name.place.at(0),
                   tr("the folder has no file '{}', and nothing of that name comes with the program", name.text)));
      return std::nullopt;
    }
    source.file = source.path.string();
    auto text = read_text(source.path, kLargestProgram);
    auto input = Result<experiment::Input>(tl::unexpect, Error{});
    if (text) {
      source.text = std::move(*text);
      input = experiment::read_input(source, settings);
    } else {
      input = fail(text.error());
    }
    if (!input) {
      add(input.error().message);
      return std::nullopt;
    }
    return std::move(*input);
  }

  void one_run(const std::string& name, const toml::node& node) {
    const toml::table* table = node.as_table();
    if (table == nullptr) return wrong(node, tr("a run is a table: [runs.{}]", name));
    keys(*table, {"file", "set", "in_kernel"});
    if (!is_name(name)) wrong(node, tr("'{}' cannot be a name: use letters, digits and dashes", name));
    const auto file = text(*table, "file", true);
    if (!file) return;
    auto input = program(*file, texts(*table, "set"));
    if (!input) return;
    RunToMake run{name, std::move(*input), {}, truth(*table, "in_kernel")};
    run.tags = tags_of(run.input.program);
    out_.runs.push_back(std::move(run));
  }
  static bool is_name(std::string_view name) {
    return !name.empty() && program::is_letter(name.front()) &&
           std::ranges::all_of(name, [](char c) { return program::is_letter(c) || program::is_digit(c) || c == '-'; });
  }
  RunToMake* run(std::string_view name) {
    const auto at = std::ranges::find(out_.runs, name, &RunToMake::name);
    return at == out_.runs.end() ? nullptr : &*at;
  }

  void one_step(const toml::table& table) {
    Step step;
    step.place = place(table);
    const auto name = text(table, "name", true);
    const auto kind = one_of<StepKind>(table, "kind");
    if (!name || !kind) return;
    step.name = name->text;
    step.kind = *kind;
    if (!is_name(step.name))
      add(error_at(name->place.at(0), tr("'{}' cannot be a name: use letters, digits and dashes", step.name)));
    if (std::ranges::find(out_.steps, step.name, &Step::name) != out_.steps.end())
      add(error_at(name->place.at(0), tr("there is a step '{}' already", step.name)));
    if (const auto of = text(table, "run", step.kind != StepKind::say)) {
      step.run = of->text;
      if (!names_.runs.contains(of->text))
        add(error_at(of->place.at(0),
                     tr("'{}' is no run of this lesson; there are {}", of->text, fmt::join(names_.runs, ", "))));
    }
    step.show = named(table, "show", step);
    step.slow_motion = truth(table, "slow_motion");
    switch (step.kind) {
      case StepKind::say:
      case StepKind::run: keys(table, {"name", "kind", "run", "show", "slow_motion"}); break;
      case StepKind::predict: predict(table, step); break;
      case StepKind::vote:
        keys(table, {"name", "kind", "run", "show", "slow_motion", "choices"});
        choices(table, step);
        break;
      case StepKind::check:
        keys(table, {"name", "kind", "run", "show", "slow_motion", "holds"});
        step.relations = relations(table, "holds", step);
        break;
      case StepKind::change:
        keys(table, {"name", "kind", "run", "show", "slow_motion", "goal", "solution"});
        if (const auto solution = text(table, "solution", true)) step.solution = program(*solution, {});
        step.relations = relations(table, "goal", step);
        break;
      case StepKind::code:
        keys(table, {"name", "kind", "run", "show", "slow_motion", "lines"});
        step.lines = named(table, "lines", step);
        break;
    }
    out_.steps.push_back(std::move(step));
  }

  void predict(const toml::table& table, Step& step) {
    const auto ask = one_of<Ask>(table, "ask");
    if (!ask) return;
    step.ask = *ask;
    switch (*ask) {
      case Ask::choice:
        keys(table, {"name", "kind", "run", "show", "slow_motion", "ask", "choices"});
        return choices(table, step);
      case Ask::number:
        keys(table, {"name", "kind", "run", "show", "slow_motion", "ask", "unit", "value", "tolerance", "wrong"});
        return ask_number(table, step);
      case Ask::order:
        keys(table, {"name", "kind", "run", "show", "slow_motion", "ask", "items", "key"});
        return ask_order(table, step);
      case Ask::bar:
        keys(table, {"name", "kind", "run", "show", "slow_motion", "ask", "operation", "tolerance"});
        if (const auto of = text(table, "operation", true)) step.operation = operation(*of, step);
        step.tolerance = tolerance(table, kTime);
        return;
    }
  }

  void choices(const toml::table& table, Step& step) {
    const toml::array* all = table["choices"].as_array();
    if (all == nullptr || all->size() < 2)
      return wrong(table, tr("choices is missing: a list of two or more {{ name = \"…\", when = \"…\" }}"));
    for (const toml::node& each : *all) {
      const toml::table* one = each.as_table();
      if (one == nullptr) {
        wrong(each, tr("a choice is written {{ name = \"…\", when = \"…\" }}"));
        continue;
      }
      keys(*one, {"name", "when"});
      const auto name = text(*one, "name", true), when = text(*one, "when", true);
      if (!name || !when) continue;
      check_option(*name, step.choices, &Choice::name);
      Choice choice{name->text, {}};
      if (when->text == "else") {
        if (std::ranges::any_of(step.choices, [](const Choice& other) { return !other.when; }))
          add(error_at(when->place.at(0), tr("only one choice can be \"else\"")));
      } else {
        choice.when = relation(*when, step, names_);
        if (!choice.when) continue;
      }
      step.choices.push_back(std::move(choice));
    }
  }
  template <class Options, class Name>
  void check_option(const Written& name, const Options& before, Name of) {
    if (!is_name(name.text) || name.text == "right" || name.text == "wrong")
      add(error_at(name.place.at(0), tr("'{}' cannot be the name of an answer", name.text)));
    if (std::ranges::find(before, name.text, of) != before.end())
      add(error_at(name.place.at(0), tr("there is an answer '{}' already", name.text)));
  }

  void ask_number(const toml::table& table, Step& step) {
    const auto unit = text(table, "unit", true), value = text(table, "value", true);
    if (!unit || !value) return;
    const Unit* found = unit_named(unit->text);
    if (found == nullptr)
      return add(
          error_at(unit->place.at(0), tr("'{}' is no unit; write us, ms, MiB, GB/s, %, x or count", unit->text)));
    step.unit = *found;
    step.value = expression(*value, step, names_);
    if (step.value && (step.value->type.sort != Sort::number || step.value->type.dimension != found->dimension))
      add(error_at(value->place.at(0), tr("the value is nothing that is counted in {}", found->name)));
    step.tolerance = tolerance(table, found->dimension);
    const toml::array* wrong_ones = table["wrong"].as_array();
    if (wrong_ones == nullptr) return;
    Names names = names_;
    names.answer = found->dimension;
    for (const toml::node& each : *wrong_ones) {
      const toml::table* one = each.as_table();
      if (one == nullptr) {
        wrong(each, tr("a wrong answer is written {{ name = \"…\", when = \"answer > …\" }}"));
        continue;
      }
      keys(*one, {"name", "when"});
      const auto name = text(*one, "name", true), when = text(*one, "when", true);
      if (!name || !when) continue;
      check_option(*name, step.wrong, &WrongNumber::name);
      if (auto relation_of = relation(*when, step, names)) step.wrong.push_back({name->text, std::move(*relation_of)});
    }
  }

  Tolerance tolerance(const toml::table& table, Dimension of) {
    const auto given = text(table, "tolerance", true);
    if (!given) return {};
    const auto parsed = parse_expression(given->text, given->place, {});
    if (!parsed || parsed->kind != Expression::Kind::number || parsed->number <= 0) {
      add(error_at(given->place.at(0), tr("the tolerance is a number over 0, such as 20% or 5us")));
      return {};
    }
    const bool relative = given->text.ends_with('%');
    if (!relative && parsed->type.dimension != of)
      add(error_at(given->place.at(0), tr("the tolerance is a share such as 20%, or in the unit of the answer")));
    return {parsed->number, relative};
  }

  void ask_order(const toml::table& table, Step& step) {
    const auto items = list(table, "items", true), key = list(table, "key", true);
    if (items.size() != key.size() || items.size() < 2)
      return wrong(table, tr("order needs two or more items, and a key for each of them"));
    for (std::size_t i = 0; i < items.size(); ++i) {
      check_option(items[i], step.items, &Item::name);
      auto of = expression(key[i], step, names_);
      if (!of) continue;
      if (of->type.sort != Sort::number ||
          (!step.items.empty() && of->type.dimension != step.items[0].key.type.dimension))
        add(error_at(key[i].place.at(0), tr("keys are numbers of one unit")));
      step.items.push_back({items[i].text, std::move(*of)});
    }
  }

  std::vector<Expression> relations(const toml::table& table, std::string_view key, const Step& step) {
    std::vector<Expression> out;
    for (const Written& each : list(table, key, true))
      if (auto one = relation(each, step, names_)) out.push_back(std::move(*one));
    return out;
  }
  std::optional<Expression> relation(const Written& from, const Step& step, const Names& names) {
    auto out = expression(from, step, names);
    if (!out || out->type.sort == Sort::truth) return out;
    add(error_at(from.place.at(0), tr("this is no relation: compare two values")));
    return std::nullopt;
  }
  std::optional<Expression> expression(const Written& from, const Step& step, const Names& names) {
    auto out = parse_expression(from.text, from.place, names);
    if (!out) {
      add(out.error().message);
      return std::nullopt;
    }
    each_quantity(*out, [&](const Expression& of) { check_quantity(of, step); });
    return std::move(*out);
  }
  // Its run has the operation; and it is noted where causes are asked for.
  void check_quantity(const Expression& of, const Step& step) {
    RunToMake* at = run(of.run.empty() ? step.run : of.run);
    if (at == nullptr) return;  // which was reported
    if (of.quantity->name.starts_with("cause")) at->causes = true;
    if (!of.operation) return;
    const bool changed = of.run.empty() && step.kind == StepKind::change;
    if (changed && !step.solution) return;
    const experiment::Input& input = changed ? *step.solution : at->input;
    const auto found = operation(input.checked, changed ? tags_of(input.program) : at->tags, *of.operation);
    if (!found) add(found.error().message);
  }

  std::vector<OperationName> named(const toml::table& table, std::string_view key, const Step& step) {
    std::vector<OperationName> out;
    for (const Written& each : list(table, key)) {
      auto name = parse_operation_name(each.text, each.place.at(0));
      const RunToMake* of = run(step.run);
      if (!name) {
        add(name.error().message);
      } else if (of == nullptr) {
        if (step.run.empty()) add(error_at(name->place, tr("the step has no run that could hold {}", each.text)));
      } else if (key == "lines") {
        if (const auto found = lines(of->input.checked, of->tags, *name); !found) add(found.error().message);
      } else if (const auto found = operations(of->input.checked, of->tags, *name); !found) {
        add(found.error().message);
      }
      if (name) out.push_back(std::move(*name));
    }
    return out;
  }
  std::optional<OperationName> operation(const Written& from, const Step& step) {
    auto name = parse_operation_name(from.text, from.place.at(0));
    const RunToMake* of = run(step.run);
    Result<OperationIndex> found = kNoOperation;
    if (name && of != nullptr) found = lesson::operation(of->input.checked, of->tags, *name);
    if (!name || !found) {
      add(!name ? name.error().message : found.error().message);
      return std::nullopt;
    }
    return std::move(*name);
  }
  static Result<OperationIndex> operation(const program::Program& in, const Tags& tags, const OperationName& name) {
    return lesson::operation(in, tags, name);
  }

  const fs::path& folder_;
  Lesson out_;
  Names names_;
};

}  // namespace

Lesson read_lesson_file(std::string_view text, const std::string& file, const fs::path& folder, std::string& wrong) {
  try {
    return Reader(file, folder, wrong).read(toml::parse(text, file));
  } catch (const toml::parse_error& error) {
    const toml::source_position at = error.source().begin;
    wrong += fmt::format("{}{}", wrong.empty() ? "" : "\n",
                         error_at(fmt::format("{}:{}:{}", file, at.line, at.column), error.description()));
  }
  return {};
}

}  // namespace streamscope::lesson
