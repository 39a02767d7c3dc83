// Gathers what an Extras pass keeps of each event (file_extras.h), while the reader goes through the file.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/input/chrome_event.h"
#include "engine/input/file_extras.h"
#include "engine/input/imported_trace.h"

namespace streamscope::input {

class ExtraEvents {
 public:
  explicit ExtraEvents(std::string_view text) : text_(text) {}

  void slice(std::uint64_t event) { slices_.push_back(event); }  // the trace has one more, of the event at that byte
  void counter(const Event& at, Nanoseconds time, std::uint64_t event);
  void flow(const Event& at, Nanoseconds time, std::uint64_t event);

  // `track_of`: the track of slices of a thread or stream that is named so, kNoTrack where there is none.
  static constexpr std::uint32_t kNoTrack = 0xFFFF'FFFF;
  template <class TrackOf>
  FileExtras finish(const ImportedTrace::Finished& trace, TrackOf track_of) {
    for (Point& each : points_)
      for (const char sort : {'t', 's'})
        each.tracks[sort == 't' ? 0 : 1] = track_of(sort, processes_[each.process], threads_[each.thread]);
    return finish(trace);
  }

 private:
  struct Point {  // of a flow
    std::uint32_t flow = 0, process = 0, thread = 0;
    Nanoseconds time = 0;
    std::uint32_t tracks[2] = {kNoTrack, kNoTrack};
    bool next = false;  // binds to the slice that begins next, not to the one around it
  };
  static std::uint32_t number(std::map<std::string, std::uint32_t, std::less<>>& of, std::string_view text,
                              std::vector<std::string>* texts = nullptr);
  FileExtras finish(const ImportedTrace::Finished& trace);
  void sort_counters(Nanoseconds origin, FileExtras& out);
  void connect(const ImportedTrace::Finished& trace, FileExtras& out) const;

  std::string_view text_;
  std::vector<std::uint64_t> slices_;
  std::map<std::string, std::uint32_t, std::less<>> counter_numbers_, flow_numbers_, process_numbers_, thread_numbers_;
  std::vector<std::string> processes_, threads_;
  std::vector<Counter> counters_;
  std::vector<Point> points_;
};

}  // namespace streamscope::input
