// What must hold between the run of a program and that of another one, or on another machine.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "engine/device/model/profile/profile_numbers.h"
#include "engine/program/read_program.h"
#include "engine/program/syntax/grammar.h"
#include "engine/program/syntax/parse.h"
#include "engine/program/syntax/print.h"
#include "tests/generated/first_lag.h"
#include "tests/generated/property.h"

namespace streamscope::generated {
namespace {

using program::Syntax;
using program::syntax::Line;
using program::syntax::Statement;
using program::syntax::Verb;

void each_statement(std::vector<Line>& lines, const std::function<void(Statement&)>& visit) {
  for (Line& line : lines) {
    if (!line.statement) continue;
    visit(*line.statement);
    each_statement(line.statement->body, visit);
  }
}

// The same spans, but for the lines and names that the text gave them.
std::string same_times(const Subject& subject, const Syntax& changed, std::string_view what) {
  const std::string text = program::print(changed);
  const auto read = program::read_program(text, "changed");
  if (!read) return fmt::format("{} it is wrong: {}\n{}", what, read.error().message, text);
  const auto pass = run_of(subject.profile, read->program);
  if (!pass)
    return pass.error().kind == ErrorKind::bad_input ? std::string()
                                                     : fmt::format("{}: {}", what, pass.error().message);
  std::vector<trace::Span> spans = pass->spans;
  if (spans.size() != subject.trace.spans.size()) return fmt::format("{} there are {} operations", what, spans.size());
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const trace::Span& was = subject.trace.spans[i];
    spans[i].line = was.line, spans[i].name = was.name, spans[i].stream = was.stream;
  }
  const std::string other = difference(subject.program, subject.trace.spans, spans);
  if (!other.empty()) return fmt::format("{}: {}\n{}", what, other, text);
  return pass->wall == subject.wall ? std::string()
                                    : fmt::format("{} it takes {} and not {}", what, pass->wall, subject.wall);
}

std::string renamed(const Subject& subject, Tally&) {
  Syntax syntax = program::parse(subject.of.text).syntax;
  const auto rename = [](program::syntax::Name& name) {
    if (program::grammar::reserved(name.text)) return;
    name.text = "zz_" + name.text;
  };
  each_statement(syntax.lines, [&](Statement& statement) {
    if (statement.stream) rename(*statement.stream);
    for (auto& argument : statement.arguments) {
      if (auto* name = std::get_if<program::syntax::Name>(&argument)) rename(*name);
      if (auto* range = std::get_if<program::syntax::Range>(&argument)) rename(range->buffer);
    }
  });
  return same_times(subject, syntax, "with other names");
}

bool declares(const Line& line) {
  if (!line.statement) return false;
  const Verb verb = line.statement->verb;
  return verb == Verb::buffer || verb == Verb::stream || verb == Verb::streams || verb == Verb::event;
}

std::string reordered(const Subject& subject, Tally&) {
  Syntax syntax = program::parse(subject.of.text).syntax;
  const auto first = std::ranges::find_if(syntax.lines, declares);
  std::reverse(first, std::find_if_not(first, syntax.lines.end(), declares));
  return same_times(subject, syntax, "with its declarations the other way round");
}

std::string with_unused(const Subject& subject, Tally&) {
  Syntax syntax = program::parse(subject.of.text).syntax;
  const Syntax more =
      program::parse("buffer zz_b 4\nevent zz_e\nstream zz_s priority=-1\nbuffer zz_p 8 host=pageable\n").syntax;
  syntax.lines.insert(std::ranges::find_if(syntax.lines, declares), more.lines.begin(), more.lines.end());
  return same_times(subject, syntax, "with things that are not used");
}

// On a machine of which one number is better.
std::string no_slower(const Subject& subject, Tally& tally, std::string_view key, std::string_view value) {
  model::Profile faster = subject.profile;
  if (!model::change(faster, key, value)) return {};
  const auto pass = run_of(faster, subject.program);
  if (!pass)
    return pass.error().kind == ErrorKind::bad_input ? std::string()
                                                     : fmt::format("with {} {}: {}", key, value, pass.error().message);
  ++tally.pairs;
  if (pass->wall <= subject.wall) return {};
  ++tally.slower;
  const auto logged = model::run_logged(faster, subject.program);
  if (!logged) return fmt::format("with {} {} and a log: {}", key, value, logged.error().message);
  const Lag lag = first_lag(subject.program, subject.profile, subject.logged, *logged);
  if (lag.anomaly.empty() && tally.count_unnamed) {
    ++tally.unnamed;
    return {};
  }
  if (lag.anomaly.empty())
    return fmt::format("with {} {} it takes {} and not {}: {}", key, value, pass->wall, subject.wall, lag.what);
  ++tally.anomalies[std::string(lag.anomaly)];
  return {};
}

std::string faster_host(const Subject& subject, Tally& tally) {
  const double pace = std::max(1e5, std::floor(subject.profile.host.pace * 0.8));
  return no_slower(subject, tally, model::kHostPace, fmt::format("{:.6f}", pace / 1e6));
}

std::string faster_link(const Subject& subject, Tally& tally) {
  const double rate = model::link_rate(subject.profile) * 1.25 / 1e9;
  return no_slower(subject, tally, model::kLink, fmt::format("{:.6f}GB/s", rate));
}

constexpr Property kRelations[] = {
    {"names", "names change no time", renamed},
    {"declarations", "nor does the order of declarations", reordered},
    {"unused", "nor what is declared and not used", with_unused},
    {"host", "a faster host makes no run slower, but by an anomaly that has a name", faster_host},
    {"link", "nor does a faster link", faster_link},
};

}  // namespace

std::span<const Property> relations() { return kRelations; }

}  // namespace streamscope::generated
