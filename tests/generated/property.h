// What must hold of any program on any modelled device.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/device/model/model.h"
#include "engine/verdict/history.h"
#include "tests/generated/case.h"

namespace streamscope::generated {

// A case that ran.
struct Subject {
  const Case& of;
  model::Profile profile;
  program::Program program;
  std::unique_ptr<device::LoadedProgram> loaded;
  trace::Trace trace;  // of a full pass
  Nanoseconds wall = 0;
  trace::Answers answers;
  model::LoggedRun logged;
  std::unique_ptr<const verdict::History> history;  // of `trace`
};

// What was looked at, over many cases: a property that looks at nothing holds, too.
struct Tally {
  std::uint64_t cases = 0, refused = 0, operations = 0, held = 0, bounds = 0, pairs = 0, slower = 0;
  std::uint64_t nearly_right = 0, errors = 0;  // texts with something wrong in them; those that were refused
  Nanoseconds waited = 0, unexplained = 0, paths = 0, paths_unexplained = 0;
  std::map<std::string, std::uint64_t, std::less<>> anomalies;  // runs that a faster machine makes slower, by why
  // Those of which nobody knows why are counted, and over many cases they may be one in a thousand pairs; else the first
  // of them breaks the property.
  bool count_unnamed = false;
  std::uint64_t unnamed = 0;
  // What is not as it must be over many cases together, in words; empty: nothing is.
  std::string wrong() const;
};

struct Property {
  std::string_view name;     // "order"
  std::string_view meaning;  // one clause
  // What is wrong, in words; empty: it holds.
  std::string (*broken)(const Subject& subject, Tally& tally);
};
// Of one run; of what the verdict says of it; of two runs that are to be alike, or one no slower.
std::span<const Property> run_properties();
std::span<const Property> verdict_properties();
std::span<const Property> relations();
// Of a program as it was read, and of two texts that are to be one program.
std::string what_is_wrong_in(const program::Program& program);
std::string same_program(std::string_view text, std::string_view other, std::string_view how);
// Of a text alone. `seed`: of what is made wrong in it.
std::string unrolls(std::string_view text);
std::string reads_back(std::string_view text);
std::string is_refused_rightly(std::string_view text, std::uint64_t seed, Tally& tally);
// A right text with lines more that must not be taken. `seed`: of which.
std::string is_refused(std::string_view text, std::uint64_t seed);

std::vector<Property> all_properties();

// The first property that the case breaks; nothing: none, or the device refuses the program. `only`: that property
// alone; empty: all.
struct Broken {
  std::string property, what;
};
std::optional<Broken> first_broken(const Case& one, std::uint64_t seed, Tally& tally, std::string_view only = {});

// A run of another program, or on another profile. Error: it does not end, or the device refuses it.
Result<device::Pass> run_of(const model::Profile& profile, const program::Program& program);
// Where spans of two runs differ, in words; empty: nowhere.
std::string difference(const program::Program& program, std::span<const trace::Span> a, std::span<const trace::Span> b);

}  // namespace streamscope::generated
