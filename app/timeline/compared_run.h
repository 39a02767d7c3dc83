// A second run on the axis of the first. Its lanes stay where they are, however long they are: its times are moved by
// moving the view.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/timeline/view.h"
#include "engine/base/id.h"
#include "engine/trace/interval.h"

namespace streamscope::trace {
struct Trace;
}

namespace streamscope::timeline {

struct Tracks;
struct Waiters;

struct ComparedRun {
  const trace::Trace* trace = nullptr;  // null: there is no second run
  const Tracks* tracks = nullptr;
  const Waiters* waiters = nullptr;  // of that trace; null: no threads to what waited for its selection
  Nanoseconds offset = 0;            // added to its times
  // Its bars lie under those of the same track of the first run, as a prediction's do; else its tracks stand below.
  bool overlaid = false;
  std::string first_name, name;    // of both runs, in headings: "RUN 1"
  std::string first_title, title;  // with their provenance: "RUN 1: 4 streams · 16 MiB"
  OperationIndex selected = kNoOperation, hovered = kNoOperation;

  bool there() const { return trace != nullptr && tracks != nullptr; }
  friend bool operator==(const ComparedRun&, const ComparedRun&) = default;
};

// The view in which the second run's times come out later by so much.
View view_with_offset(const View& view, Nanoseconds offset);

// The track of the second run that lies under each track of the first: that of the same kind, device and name there.
// kNoPartner: none. And those of the second that lie under none.
inline constexpr std::uint32_t kNoPartner = 0xFFFFFFFFu;
struct Overlay {
  std::vector<std::uint32_t> under;
  std::vector<std::uint32_t> alone;
};
Overlay overlay(const Tracks& first, const Tracks& second);

// From the first of both runs to the last, with the offset.
trace::Interval extent(const Tracks& tracks, const ComparedRun& compared);

}  // namespace streamscope::timeline
