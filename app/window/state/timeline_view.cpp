#include "app/window/state/timeline_view.h"

#include <algorithm>
#include <utility>

namespace streamscope::window {
namespace {

struct TimelineUpdate {
  TimelineView& timeline;

  void operator()(const command::SetView& c) { timeline.view = c.view; }
  void operator()(const command::ToggleMultiprocessor& c) {
    if (timeline.opening.multiprocessors.erase(c.multiprocessor) == 0)
      timeline.opening.multiprocessors.insert(c.multiprocessor);
  }
  void operator()(const command::Measure& c) { timeline.measured = c.interval; }
  void operator()(const command::SetRange& c) { timeline.range = c.range; }
  void operator()(const command::MarkInterval& c) {
    const auto before = [](const trace::Interval& a, const trace::Interval& b) {
      return std::pair(a.start, a.end) < std::pair(b.start, b.end);
    };
    const auto at = std::lower_bound(timeline.marks.begin(), timeline.marks.end(), c.interval, before);
    if (at != timeline.marks.end() && *at == c.interval)
      timeline.marks.erase(at);  // marked again: unmarked
    else
      timeline.marks.insert(at, c.interval);
  }
  void operator()(const command::RemoveMark& c) {
    if (c.index < timeline.marks.size())
      timeline.marks.erase(timeline.marks.begin() + static_cast<std::ptrdiff_t>(c.index));
  }
  void operator()(const command::PinTrack& c) {
    std::vector<timeline::TrackKey>& pinned = timeline.choice.pinned;
    std::erase(pinned, c.track);
    if (c.pinned) pinned.push_back(c.track);
  }
  void operator()(const command::CollapseGroup& c) {
    timeline::TrackChoice& choice = timeline.choice;
    if (c.device && c.collapsed) {
      choice.collapsed_devices.insert(*c.device);
    } else if (c.device) {  // all of it, the streams too where those of all devices were folded
      choice.collapsed_devices.erase(*c.device);
      choice.collapsed.erase(timeline::TrackKind::stream);
      choice.collapsed.erase(timeline::TrackKind::engine);
    } else if (c.collapsed) {
      choice.collapsed.insert(c.group);
    } else {
      choice.collapsed.erase(c.group);
    }
  }
  void operator()(const command::ShowPath& c) { timeline.path = c.how; }
  void operator()(const command::ShowRulers& c) { timeline.rulers = c.on; }
  void operator()(const command::ShowAllWaits& c) { timeline.all_waits = c.on; }
  void operator()(const command::SetColourBy& c) {
    timeline.colour_by = c.by;
    if (timeline.lit < timeline::kClasses) timeline.lit = timeline::kNoMeaning;  // a class of the colours before
  }
  void operator()(const command::ShowAlone& c) { timeline.lit = c.meaning; }
};

}  // namespace

void update(TimelineView& timeline, const TimelineCommand& command) { std::visit(TimelineUpdate{timeline}, command); }

void forget_places(TimelineView& timeline) {
  timeline.view.reset();
  timeline.selected = kNoOperation;
  timeline.opening = {};
}

void forget_intervals(TimelineView& timeline) {
  timeline.measured.reset();
  timeline.marks.clear();
  timeline.range.reset();
}

}  // namespace streamscope::window
