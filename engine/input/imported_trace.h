// What the traces of other tools have in common: slices on tracks, from which a run is made.
//
// A reader adds each slice once, in any order. A CUDA call and the one execution it led to, matched by their
// correlation id, become one span with the times of both; where a call led to many executions (a graph's launch) each
// execution is a span of its own and names the call. Times are shifted so that the first is 0; spans are in the order
// in which they begin.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/base/result.h"
#include "engine/trace/trace.h"

namespace streamscope::input {

// A thread of the host, or a stream of a device.
struct Track {
  std::string name;                           // "thread 7", "GPU 0 stream 7"
  std::string process;                        // the thread's; shown where there are several
  std::int64_t process_order = 0, order = 0;  // the process's is, for a stream, the number of its GPU
  std::uint32_t group = 0;                    // correlation ids are unique within it
  bool stream = false;
};

struct Slice {
  Nanoseconds start = 0, end = 0;
  std::uint32_t name = 0, track = 0;  // as ImportedTrace counts them
  OperationKind kind = OperationKind::work;
  std::uint64_t correlation = 0;  // 0: none
  std::uint64_t bytes = 0;
};

class ImportedTrace {
 public:
  static constexpr std::size_t kMostSlices = 64'000'000;
  static constexpr std::uint32_t kMostTracks = 100'000;
  // Times further from 0 than 146 years are wrong, and differences of them would not fit.
  static constexpr Nanoseconds kFarthest = (std::int64_t{1} << 62) - 1;

  ImportedTrace();
  ImportedTrace(ImportedTrace&&) noexcept;
  ~ImportedTrace();

  std::uint32_t name(std::string_view text);  // valid UTF-8, at most 16 KiB of it; empty: "(unnamed)"
  // Rows of a damaged database may share their text: names are not to become longer than the file.
  void limit_names(std::uint64_t bytes) { most_name_bytes_ = bytes; }
  std::uint32_t add_track(Track track);
  Track& track(std::uint32_t number) { return tracks_[number]; }
  std::uint32_t tracks() const { return static_cast<std::uint32_t>(tracks_.size()); }

  // A time out of range leaves the slice out, an end before its start makes it as short as can be: both are counted.
  void add(const Slice& slice);
  void leave_out(std::string_view what) { ++left_out_[std::string(what)]; }  // a note says how many

  std::size_t size() const { return size_; }
  Nanoseconds last() const { return last_; }   // the last end so far; 0 where there is none
  bool too_many() const { return too_many_; }  // slices or tracks: what was added last is left out

  // What became of the slices, for whoever keeps more of their events than the run does.
  struct Finished {
    struct Of {
      Nanoseconds start = 0, end = 0;  // the file's own
      std::uint32_t track = 0;
      OperationIndex operation = kNoOperation;
      bool of_execution = false;  // of an operation that is a call and its execution in one
    };
    std::vector<Of> slices;  // as they were added
    Nanoseconds origin = 0;  // that the run's times count from
    std::size_t operations = 0;
  };
  // `about` has what the file says of itself; the makespan and the notes on what was left out are added here.
  trace::Run finish(trace::Run about, Finished* slices = nullptr) &&;

 private:
  struct Packed;  // a slice in 32 bytes
  Packed& at(std::size_t index);
  void match();
  Nanoseconds begin_of(const Packed& slice);
  std::vector<std::uint32_t> by_begin();
  struct Place {
    std::uint32_t number = 0;  // among the trace's threads or streams
    std::uint8_t device = 0;   // of a stream: as Span::device
  };
  std::vector<Place> number_tracks(trace::Trace& trace) const;
  void add_notes(trace::Run& run) const;

  static constexpr std::size_t kChunk = 1u << 16;
  std::vector<std::unique_ptr<Packed[]>> chunks_;
  std::size_t size_ = 0;
  std::vector<std::uint64_t> bytes_{0};
  std::vector<Track> tracks_;
  std::vector<std::string> names_;
  std::unordered_map<std::string_view, std::uint32_t> name_numbers_;  // of what name_texts_ keeps
  std::vector<std::unique_ptr<std::string>> name_texts_;
  std::unordered_map<std::string, std::uint64_t> left_out_;
  Nanoseconds last_ = 0;
  std::uint64_t reversed_ = 0, out_of_range_ = 0, matched_ = 0;
  std::uint64_t name_bytes_ = 0, most_name_bytes_ = std::numeric_limits<std::uint64_t>::max();
  bool too_many_ = false;
};

// What a track or a process is called, as far as it is shown: it is copied for each track that it names.
std::string label(std::string_view text);

// The message for a file with more slices or tracks than a window can hold.
std::string too_much(const ImportedTrace& trace);

}  // namespace streamscope::input
