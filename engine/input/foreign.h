// What the traces of other tools have in common: slices on places, from which a run is made.
//
// A reader tells each slice once, in any order. A call of CUDA and the one execution it led to, known by their
// correlation, become one span with both; of a call with many (a graph's launch) each execution stays by itself and
// names the call. Times are shifted so that the first is 0; spans lie in the order in which they begin.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/base/result.h"
#include "engine/trace/trace.h"

namespace streamscope::input {

// Where slices lie: a thread of the host, or a stream of a device.
struct Place {
  std::string name;     // "thread 7", "GPU 0 stream 7"
  std::string process;  // the thread's; told where there are several
  std::int64_t process_order = 0, order = 0;
  std::uint32_t group = 0;  // correlations are numbers of their own in each
  bool stream = false;
};

struct Slice {
  Nanoseconds start = 0, end = 0;
  std::uint32_t name = 0, place = 0;  // as ForeignTrace counts them
  OperationKind kind = OperationKind::work;
  std::uint64_t correlation = 0;  // 0: none
  std::uint64_t bytes = 0;
};

class ForeignTrace {
 public:
  static constexpr std::size_t kMostSlices = 64'000'000;
  static constexpr std::uint32_t kMostPlaces = 100'000;
  // Times further from 0 than 146 years are nonsense, and differences of them would not fit.
  static constexpr Nanoseconds kFarthest = (std::int64_t{1} << 62) - 1;

  ForeignTrace();
  ForeignTrace(ForeignTrace&&) noexcept;
  ~ForeignTrace();

  std::uint32_t name(std::string_view text);  // valid UTF-8, at most 16 KiB of it; empty: "(unnamed)"
  std::uint32_t add_place(Place place);
  Place& place(std::uint32_t number) { return places_[number]; }
  std::uint32_t places() const { return static_cast<std::uint32_t>(places_.size()); }

  // A time out of range leaves the slice out, an end before its start makes it as short as can be: both are counted.
  void add(const Slice& slice);
  void leave_out(std::string_view what) { ++left_out_[std::string(what)]; }  // told with its count in a note

  std::size_t size() const { return size_; }
  Nanoseconds last() const { return last_; }  // the last end so far; 0 where there is none
  bool full() const { return size_ >= kMostSlices || places_.size() >= kMostPlaces; }

  // `about` has what the file tells of itself; its makespan and the first notes are made here.
  trace::Run finish(trace::Run about) &&;

 private:
  struct Packed;  // a slice in 32 bytes
  Packed& at(std::size_t index);
  void match();
  std::vector<std::uint32_t> by_begin();
  std::vector<std::uint32_t> number_places(trace::Trace& trace) const;
  void tell(trace::Run& run) const;

  static constexpr std::size_t kChunk = 1u << 16;
  std::vector<std::unique_ptr<Packed[]>> chunks_;
  std::size_t size_ = 0;
  std::vector<std::uint64_t> bytes_{0};
  std::vector<Place> places_;
  std::vector<std::string> names_;
  std::unordered_map<std::string_view, std::uint32_t> name_numbers_;  // of what names_text_ keeps
  std::vector<std::unique_ptr<std::string>> name_texts_;
  std::unordered_map<std::string, std::uint64_t> left_out_;
  Nanoseconds last_ = 0;
  std::uint64_t reversed_ = 0, out_of_range_ = 0, matched_ = 0;
};

// What was wrong with a file, at its border: more slices or places than a window can hold.
std::string too_much(const ForeignTrace& trace);

}  // namespace streamscope::input
