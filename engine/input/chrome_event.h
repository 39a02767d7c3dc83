// One of Chrome's trace events: the members that matter here, in any order and with values of any type.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/base/kind.h"
#include "engine/input/json_reader.h"

namespace streamscope::input {

// Text of an event; `buffer` holds it where it was written with escapes.
struct Text {
  std::string_view view;
  std::string buffer;
  operator std::string_view() const { return view; }
};

struct Event {
  Text phase, name, category, pid, tid, id, label, device, stream;
  Text time, duration;  // as written
  std::optional<std::int64_t> correlation, bytes, sort_index;
  bool local_id = false;

  void clear() {
    for (Text* text : {&phase, &name, &category, &pid, &tid, &id, &label, &device, &stream, &time, &duration})
      text->view = {};
    correlation = bytes = sort_index = std::nullopt;
    local_id = false;
  }
};

// The object that comes next. Members of a wrong type are ignored; of those that come twice the last counts.
void read_event(JsonReader& json, Event& to);

// The kind of an event that is a device's work as PyTorch's profiler writes it; none for others.
std::optional<OperationKind> device_kind(const Event& event);

}  // namespace streamscope::input
