// The conformance suite: CUDA's numbered rules of order and scheduling as stream programs, each with the relations that
// must hold between the spans of any run of it, or the set of outcomes that is permitted.
//
// One suite for both kinds of device: the model runs it without a GPU, the CUDA device on one. Nothing in it is a time
// to be met: relations are between spans of one run, and ratios are such that only another behaviour could miss them.
// A time counts with its uncertainty: an order is broken only beyond it, and what must be seen must show clear of it.
//
// A case names what a wrong device would have done (`lies`): each must be detected when it is applied to the same run.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/device/device.h"

namespace streamscope::conformance {

inline constexpr int kRules = 21;

// Whether a relation holds; if not, `wrong` says what was seen. Where several outcomes are permitted, `outcome` is the
// name of the one that was seen.
struct Verdict {
  std::string wrong;
  std::string outcome;
  bool holds() const { return wrong.empty(); }
};
Verdict all(std::initializer_list<Verdict> verdicts);
struct Permitted {
  std::string name;
  Verdict verdict;
};
Verdict one_of(std::initializer_list<Permitted> outcomes);

// A line of the program by its comment: `A: spin 1ms  # first` is "first". Lines within `repeat` leave several spans,
// in issue order.
struct Which {
  std::string label;
  std::size_t nth = 0;
  Which(const char* name, std::size_t which = 0) : label(name), nth(which) {}  // NOLINT: it reads like the label
};

// A wrong account of a run, of every span of the label.
struct Lie {
  enum class What : std::uint8_t {
    early,        // it did not wait: it started as its call began
    late,         // it waited for all else
    returned,     // its call returned at once
    held,         // its call was held until all was over
    brief,        // it took a tenth of the time
    asked_once,   // the poll had its answer at once
    asked_again,  // the poll returned "not ready"
  } what;
  std::string label;
};
inline Lie early(const char* label) { return {Lie::What::early, label}; }
inline Lie late(const char* label) { return {Lie::What::late, label}; }
inline Lie returned(const char* label) { return {Lie::What::returned, label}; }
inline Lie held(const char* label) { return {Lie::What::held, label}; }
inline Lie brief(const char* label) { return {Lie::What::brief, label}; }
inline Lie asked_once(const char* label) { return {Lie::What::asked_once, label}; }
inline Lie asked_again(const char* label) { return {Lie::What::asked_again, label}; }

// What one run of a case's program left behind.
class Observation {
 public:
  // `text`: the program's, with the labels. `program` is read here only.
  Observation(std::string_view text, const program::Program& program, device::Pass pass);

  struct Time {
    Nanoseconds at, doubt;  // plus or minus
  };
  const trace::Span& span(const Which& which) const;  // throws std::out_of_range where there is none: the case is wrong
  std::size_t count(const std::string& label) const;
  Time start(const Which& which) const;
  Time end(const Which& which) const;
  Nanoseconds took(const Which& which) const;  // start to end
  Nanoseconds held(const Which& which) const;  // the host, by the call

  // `later` is not before `earlier`, as far as the two can be distinguished; and: it is clearly before.
  Verdict not_before(Time later, Time earlier, const std::string& what) const;
  Verdict clearly_before(Time earlier, Time later, const std::string& what) const;

  Verdict after(const Which& second, const Which& first) const;  // starts when the other has ended, or later
  // Each after the one before it.
  Verdict in_turn(std::initializer_list<Which> these) const;
  Verdict overlap(const Which& one, const Which& other) const;
  Verdict starts_before(const Which& one, const Which& other) const;   // clearly
  Verdict starts_before_end(const Which& one, const Which& of) const;  // clearly: it does not wait for it
  Verdict ends_before_end(const Which& one, const Which& of) const;    // clearly
  // Of the host: the call came back while the other was still to end; or only after.
  Verdict returns_before_end(const Which& call, const Which& of) const;
  Verdict held_until_end(const Which& call, const Which& of) const;
  Verdict issued_after(const Which& second, const Which& first) const;  // the call began when the other had ended
  Verdict asked(const Which& poll, std::uint32_t at_least, std::uint32_t at_most) const;
  Verdict takes_times(const Which& one, double factor, const Which& other) const;  // that many times as long at least
  Verdict takes_less_than(const Which& one, double factor, const Which& other) const;  // clearly

  // The same run as a device that is wrong, or whose times are less certain, would have shown it.
  Observation with_lie(const Lie& lie) const;
  Observation unsure(std::uint32_t uncertainty) const;
  // A line for each span, for messages.
  std::string table() const;

 private:
  const std::vector<std::size_t>& labelled(const std::string& label) const;
  std::vector<std::string> labels_;  // by operation; empty: none
  std::map<std::string, std::vector<std::size_t>> by_label_;
  std::vector<bool> on_device_;  // by operation
  device::Pass pass_;
};

// What a device must have for the rule to show.
struct Needs {
  int copy_engines_at_least = 0;
  int copy_engines_at_most = 1000;
  bool priorities = false;
  int devices = 1;          // that a program may name
  std::string device = {};  // a part of its name: the rule was read off that one and is a property of the device
};

// What is refused and does nothing: by check(), by load(), or by the call itself when it runs. At the line labelled
// "here", in such words.
struct Refusal {
  enum class By : std::uint8_t { check, device } by = By::check;
  std::string words;
};

struct Case {
  int rule = 0;
  std::string name;  // "the rule as a sentence", unique
  // `$multiprocessors` and `$highest` (the most urgent priority) stand for the device's.
  std::string program;
  std::function<Verdict(const Observation&)> holds;
  std::vector<Lie> lies;
  Needs needs = {};
  std::optional<Refusal> refused = std::nullopt;                 // in place of `holds`
  std::function<void(program::Program&)> beyond_text = nullptr;  // what no text may ask for
};

// One function for each chapter of the rules.
std::vector<Case> order_cases();       // 1 to 4
std::vector<Case> event_cases();       // 5, 6
std::vector<Case> copy_cases();        // 7 to 12
std::vector<Case> kernel_cases();      // 13 to 16
std::vector<Case> host_cases();        // 17
std::vector<Case> thread_cases();      // 3, 5
std::vector<Case> allocation_cases();  // 4, 18
std::vector<Case> capture_cases();     // 19
std::vector<Case> graph_cases();       // 19, 20
std::vector<Case> error_cases();       // 21
std::vector<Case> all_cases();

// Why the case says nothing on that device; empty where it does.
std::string lacks(const Needs& needs, const device::DeviceInfo& device);
std::string program_for(const Case& one, const device::DeviceInfo& device);

// A case tried on a device: `passes` runs after one to warm up, all with the full instrument. `wrong` is empty where
// every pass held.
struct Trial {
  std::string wrong;
  std::vector<std::string> outcomes;  // of each pass, where the case permits several
  std::vector<Observation> seen;
};
Trial attempt(const Case& one, device::Device& device, int passes);
// Which of the case's lies about that run it would believe; empty where it sees through all of them.
std::string believed(const Case& one, const Observation& seen);

}  // namespace streamscope::conformance
