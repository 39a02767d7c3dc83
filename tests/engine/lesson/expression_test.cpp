// Expressions over runs: what they mean, and what is refused.
#include "engine/lesson/expression.h"

#include <set>

#include "engine/lesson/grade.h"
#include "engine/lesson/quantities.h"
#include "tests/engine/lesson/lesson_case.h"

namespace streamscope::lesson {
namespace {

using ::testing::HasSubstr;

class Expressions : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    const MakeRun make = on_model();
    for (const auto& [name, text] : std::map<std::string, std::string>{
             {"one",
              "buffer x 16MiB\nstream A nonblocking\nevent e\nA: h2d x # @copy\nA: record e\nA: spin 300us # @kernel\n"
              "repeat 3 {\nA: spin 10us # small @each @all\n}\nhost: query A # @asked\nhost: sync device # @sync\n"},
             {"two-streams",
              "buffer x 16MiB\nstreams S 2 nonblocking\nS0: h2d x\nS1: spin 300us\nhost: sync device\n"}}) {
      const auto input = experiment::read_input({name + ".streams", name + ".streams", text}, {});
      ASSERT_TRUE(input) << input.error().message;
      auto run = make(*input, false);
      ASSERT_TRUE(run);
      const auto facts = facts_of(std::move(*run), name == "one");
      ASSERT_TRUE(facts) << facts.error().message;
      runs_[name] = *facts;
    }
  }
  static void TearDownTestSuite() { runs_.clear(); }

  static Result<Expression> read(std::string_view text) {
    return parse_expression(text, {"lesson.toml", 7, 10}, {{"one", "two-streams"}, {}});
  }
  static Value value(std::string_view text) {
    const auto read_one = read(text);
    EXPECT_TRUE(read_one) << (read_one ? "" : read_one.error().message);
    if (!read_one) return false;
    const auto found = evaluate(*read_one, {runs_, runs_.at("one").get()});
    EXPECT_TRUE(found) << text << ": " << (found ? "" : found.error().message);
    return found.value_or(false);
  }
  static bool is(std::string_view text) { return value(text) == Value(true); }
  static std::string refusal(std::string_view text) {
    const auto read_one = read(text);
    if (!read_one) return read_one.error().message;
    const auto found = evaluate(*read_one, {runs_, runs_.at("one").get()});
    return found ? "it is known" : found.error().message;
  }
  static inline Runs runs_;
};

TEST_F(Expressions, CountAsArithmeticDoes) {
  EXPECT_EQ(value("1 + 2 * 3 - 4 / 2"), Value(5.0));
  EXPECT_EQ(value("-(1 + 2) * 3"), Value(-9.0));
  EXPECT_EQ(value("1.5ms + 10us"), Value(1'510'000.0));
  EXPECT_EQ(value("16MiB / 1GB/s"), Value(16'777'216.0));  // a time
  EXPECT_EQ(value("50% + 1"), Value(1.5));
  EXPECT_TRUE(is("1us == 1000ns and 1KiB > 1KB and not 2 < 1"));
  EXPECT_TRUE(is("1 > 2 or 2 > 1"));
  EXPECT_TRUE(is("not (1 > 2 and 2 > 1)"));
  EXPECT_FALSE(is("not 1 < 2"));
  EXPECT_TRUE(is("2 != 3 and 2 <= 2 and 2 >= 2"));
}

TEST_F(Expressions, AskRunsAndOperations) {
  EXPECT_TRUE(is("makespan == makespan(one) and makespan() == makespan"));
  EXPECT_TRUE(is("makespan(two-streams) < makespan(one)"));
  EXPECT_TRUE(is("start(@kernel) >= end(@copy)"));
  EXPECT_TRUE(is("duration(@kernel) > 299us and duration(@kernel) < 310us"));
  EXPECT_TRUE(is("called(@copy) < returned(@copy) and call(@copy) == returned(@copy) - called(@copy)"));
  EXPECT_TRUE(is("queued(@kernel) == start(@kernel) - issued(@kernel)"));
  EXPECT_TRUE(is("bytes(@copy) == 16MiB and rate(@copy) == bytes(@copy) / duration(@copy)"));
  EXPECT_TRUE(is("start(@each[2]) > start(@each[1]) and start(@all) == start(@each[0])"));
  EXPECT_TRUE(is("start(two-streams, S0.h2d[0]) < end(two-streams, S1.spin)"));
  EXPECT_TRUE(is("count(kernel) == 4 and count(two-streams, h2d) == 1 and hazards == 0 and verified"));
  EXPECT_TRUE(is("overlap(two-streams) > 50% and use(two-streams, h2d) > 0 and figure(serial_ns) == serial"));
  EXPECT_TRUE(is("error(@asked) == \"cudaErrorNotReady\" and errors == 1"));
  EXPECT_TRUE(is("reason(@kernel) == \"stream\" and reason(host.sync) == \"waiting\""));
  EXPECT_TRUE(is("cause == \"one-stream\" or causes(\"one-stream\") or not causes(hazard)"));
  EXPECT_TRUE(is("bound <= makespan and over_bound >= 1"));
}

// Of data that was not checked a model knows what the order tells, and says that; a GPU knows nothing.
TEST_F(Expressions, KnowWhetherTheDataWasChecked) {
  auto relation = read("makespan > 0us and verified");
  ASSERT_TRUE(relation);
  std::optional<std::string> note;
  const auto of = [&](trace::Provenance::Kind kind, std::optional<bool> verified, std::size_t hazards) {
    RunFacts facts;
    facts.run = runs_.at("one")->run;
    if (note) facts.run.notes.clear();
    if (note && !note->empty()) facts.run.notes.push_back({trace::NoteKind::not_verified, *note});
    facts.run.trace.provenance.kind = kind;
    facts.run.verified = verified;
    facts.analysis = runs_.at("one")->analysis;
    facts.hazards = hazards;
    return held({*relation}, {runs_, &facts}).front();
  };
  constexpr auto kModel = trace::Provenance::Kind::model, kGpu = trace::Provenance::Kind::measured;
  EXPECT_TRUE(of(kModel, {}, 0).holds && of(kModel, {}, 0).unchecked);
  EXPECT_FALSE(of(kModel, {}, 1).holds || of(kModel, {}, 1).unchecked);
  EXPECT_FALSE(of(kModel, false, 0).holds || of(kModel, false, 0).unchecked);
  EXPECT_TRUE(of(kGpu, true, 0).holds && !of(kGpu, true, 0).unchecked);
  EXPECT_FALSE(of(kGpu, {}, 1).holds);
  EXPECT_FALSE(of(kGpu, {}, 0).holds || of(kGpu, {}, 0).unchecked);
  EXPECT_THAT(of(kGpu, {}, 0).why_not, HasSubstr("verified")) << "the run's own note says why";
  note = "";
  EXPECT_THAT(of(kGpu, {}, 0).why_not, HasSubstr("where Verify is on"));
  note = "The data of this run was not checked.";
  EXPECT_THAT(of(kGpu, {}, 0).why_not, HasSubstr("where Verify is on"));
  relation = read("makespan > 0us or verified");
  ASSERT_TRUE(relation);
  EXPECT_TRUE(of(kModel, {}, 0).unchecked);
  EXPECT_TRUE(of(kGpu, {}, 0).holds && !of(kGpu, {}, 0).unchecked) << "no order told of its data";
}

TEST_F(Expressions, SayWhatIsWrongAndWhere) {
  for (const auto& [text, said] : std::vector<std::pair<std::string, std::string>>{
           {"makspan",
            "lesson.toml:7:10: error: 'makspan' is nothing that can be asked of a run; did you mean 'makespan'?"},
           {"1 + makespan", "7:10: error: a time cannot be added to a plain number"},
           {"makespan < 3", "a time cannot be compared by < with a plain number"},
           {"makespan < ", "7:21: error: expected a number or a quantity, found the end"},
           {"makespan = 1us", "write == to compare"},
           {"makespan(three)", "7:19: error: 'three' is no run of this lesson; there are one, two-streams"},
           {"start", "start is of an operation: write start(@TAG)"},
           {"start(copy)", "7:16: error: 'copy' names no operation"},
           {"start(@nothing)", "7:16: error: the program has no comment that ends with @nothing; it has @all, @asked"},
           {"start(@each[3])", "@each[3]: there are only 3 of them"},
           {"count(one)", "count needs one of h2d"},
           {"count(h3d)", "count does not know 'h3d'"},
           {"cause == \"rain\"", "cause is never 'rain'; it is one of fault, hazard"},
           {"10ly", "7:12: error: 'ly' is no unit"},
           {"(1", "expected ')'"},
           {"1 2", "expected the end, found '2'"},
           {"1 and 2", "'and' is between relations, and a plain number is none"},
           {"not 1", "'not' is before a relation"},
           {"answer", "there is no answer here"},
           {"\"a", "the text has no closing quote"},
           {"\"a\" < \"b\"", "a text cannot be compared by < with a text"},
           {"makespan * makespan * makespan * makespan", "no quantity of a run has such a unit"},
           {"1 / (2 - 2)", "it is 0, and divides"},
           {"elapsed(@copy) > 0", "7:10: error: it is not known of this run"},
           {std::string(100, '(') + "1", "nested too deeply"}})
    EXPECT_THAT(refusal(text), HasSubstr(said)) << text;
}

TEST_F(Expressions, AreShownWithTheirUnits) {
  const auto shown = [](std::string_view text) { return display(value(text), read(text)->type); };
  EXPECT_EQ(shown("1500us"), "1.5 ms");
  EXPECT_EQ(shown("16MiB"), "16 MiB");
  EXPECT_EQ(shown("55.4GB/s"), "55.4 GB/s");
  EXPECT_EQ(shown("50%"), "50 %");
  EXPECT_EQ(shown("count(kernel)"), "4");
  EXPECT_EQ(shown("1 / 3"), "0.333");
  EXPECT_THAT(shown("speed_up(two-streams)"), HasSubstr("×"));
  EXPECT_EQ(shown("makespan / makespan(one)"), "1");
}

TEST_F(Expressions, AreReadAsWords) {
  const auto words = [](std::string_view text) { return in_words(read(text).value()); };
  EXPECT_EQ(words("makespan < 0.75 * makespan(two-streams)"), "makespan < 0.75 × makespan (two-streams)");
  EXPECT_EQ(words("call(one, @copy) >= 2ms"), "time in the call (one, @copy) ≥ 2 ms");
  EXPECT_EQ(words("count(h2d) == 1100 and not hazards != 0"), "number of operations (h2d) = 1100, and not hazards ≠ 0");
  EXPECT_EQ(words("0.5 * (start(@copy) - (end(@copy) - 1us)) > 1us"),
            "0.5 × (start (@copy) - (end (@copy) - 1 us)) > 1 us");
  EXPECT_EQ(words("overlap > 30% and (errors == 0 or verified)"),
            "overlap > 30 %, and (failed calls = 0 or the data is right)");
  EXPECT_EQ(words("cause == \"hazard\""), "first cause = \"hazard\"");
}

TEST_F(Expressions, EachQuantitySaysWhatItIs) {
  std::set<std::string_view> names;
  for (const Quantity& each : quantities()) {
    EXPECT_TRUE(names.insert(each.name).second) << each.name;
    EXPECT_TRUE(each.meaning.ends_with('.')) << each.name;
    EXPECT_TRUE(each.takes != Takes::word || each.words != nullptr) << each.name;
  }
}

}  // namespace
}  // namespace streamscope::lesson
