#include "tests/generated/property.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/device/blank_trace.h"
#include "engine/program/read_program.h"

namespace streamscope::generated {

std::string Tally::wrong() const {
  const auto few = [&](std::string_view what, std::uint64_t count, double of_each) {
    const bool enough = static_cast<double>(count) >= of_each * static_cast<double>(cases);
    return enough ? std::string() : fmt::format("only {} {} in {} programs", count, what, cases);
  };
  for (std::string text :
       {few("programs taken by their device", cases - refused, 0.75), few("operations", operations, 20),
        few("of them held by something", held, 4), few("bounds", bounds, 2), few("wrong texts", errors, 0.3),
        few("right texts with other words", nearly_right - errors, 0.02),
        few("pairs of runs of which the faster one is not slower", pairs - slower, 0.5)}) {
    if (!text.empty()) return text;
  }
  if (unnamed * 1000 > pairs) return fmt::format("{} of {} pairs are anomalies without a name", unnamed, pairs);
  if (unexplained > waited / 100) return fmt::format("{} of {} ns of waiting are unexplained", unexplained, waited);
  if (paths_unexplained > paths / 100)
    return fmt::format("{} of {} ns of paths are unexplained", paths_unexplained, paths);
  return {};
}

std::vector<Property> all_properties() {
  std::vector<Property> all;
  for (const auto part : {run_properties(), verdict_properties(), relations()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

Result<device::Pass> run_of(const model::Profile& profile, const program::Program& program) {
  const auto device = model::make_model(profile);
  const auto loaded = TRY(device->load(program, {}));
  return loaded->run(device::Instrument::full, {});
}

std::string difference(const program::Program& program, std::span<const trace::Span> a,
                       std::span<const trace::Span> b) {
  if (a.size() != b.size()) return fmt::format("{} operations and {}", a.size(), b.size());
  for (OperationIndex i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) continue;
    return fmt::format("{}: call {} to {}, ready {}, {} to {} and call {} to {}, ready {}, {} to {}",
                       program::describe(program, i), a[i].host_begin, a[i].host_end, a[i].ready, a[i].start, a[i].end,
                       b[i].host_begin, b[i].host_end, b[i].ready, b[i].start, b[i].end);
  }
  return {};
}

std::optional<Broken> first_broken(const Case& one, std::uint64_t seed, Tally& tally, std::string_view only) {
  const auto wanted = [&](std::string_view name) { return only.empty() || only == name; };
  ++tally.cases;
  auto read = program::read_program(one.text, "generated");
  if (!read) return wanted("right") ? std::optional(Broken{"right", read.error().message}) : std::nullopt;
  const auto broken_text = [&](std::string_view name, const auto& property) -> std::optional<Broken> {
    if (!wanted(name)) return std::nullopt;
    std::string what = property();
    return what.empty() ? std::nullopt : std::optional(Broken{std::string(name), std::move(what)});
  };
  if (auto broken = broken_text("valid", [&] { return what_is_wrong_in(read->program); })) return broken;
  if (auto broken = broken_text("printed", [&] { return reads_back(one.text); })) return broken;
  if (auto broken = broken_text("unrolled", [&] { return unrolls(one.text); })) return broken;
  if (auto broken = broken_text("wrong", [&] { return is_refused(one.text, seed); })) return broken;
  if (auto broken = broken_text("refused", [&] { return is_refused_rightly(one.text, seed, tally); })) return broken;
  auto profile = profile_of(one.device);
  if (!profile) return Broken{"device", profile.error().message};
  Subject subject{.of = one,
                  .profile = std::move(*profile),
                  .program = std::move(read->program),
                  .loaded = {},
                  .trace = {},
                  .answers = {},
                  .logged = {},
                  .history = {}};
  const auto device = model::make_model(subject.profile);
  auto loaded = device->load(subject.program, {});
  if (!loaded) {
    ++tally.refused;
    if (loaded.error().kind != ErrorKind::bad_input) return Broken{"refusal", loaded.error().message};
    return std::nullopt;
  }
  subject.loaded = std::move(*loaded);
  auto pass = subject.loaded->run(device::Instrument::full, {});
  if (!pass) return wanted("ends") ? std::optional(Broken{"ends", pass.error().message}) : std::nullopt;
  subject.trace = subject.loaded->frame();
  subject.trace.spans = std::move(pass->spans);
  subject.wall = pass->wall;
  subject.answers = std::move(pass->answers);
  auto logged = model::run_logged(subject.profile, subject.program);
  if (!logged) return Broken{"ends", logged.error().message};
  subject.logged = std::move(*logged);
  subject.history = std::make_unique<verdict::History>(subject.trace, &subject.program);
  const auto broken_run = [&](std::span<const Property> all) -> std::optional<Broken> {
    for (const Property& each : all) {
      if (!wanted(each.name)) continue;
      if (auto what = each.broken(subject, tally); !what.empty())
        return Broken{std::string(each.name), std::move(what)};
    }
    return std::nullopt;
  };
  if (auto broken = broken_run(run_properties())) return broken;
  if (auto broken = broken_run(verdict_properties())) return broken;
  // They take as long as all others together.
  if (only.empty() && seed % 2 == 0) return std::nullopt;
  return broken_run(relations());
}

}  // namespace streamscope::generated
