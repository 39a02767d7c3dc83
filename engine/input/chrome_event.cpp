#include "engine/input/chrome_event.h"

#include <algorithm>

#include "engine/input/cuda_names.h"

namespace streamscope::input {
namespace {

using Kind = JsonReader::Kind;

bool same(std::string_view text, std::string_view lower) {
  return text.size() == lower.size() && std::equal(text.begin(), text.end(), lower.begin(), [](char a, char b) {
           return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b;
         });
}

// A string, or a number as it is written; of anything else nothing.
void scalar(JsonReader& json, Text& to) {
  switch (json.peek()) {
    case Kind::string: to.view = json.string(to.buffer); break;
    case Kind::number: to.view = json.number(); break;
    default: break;
  }
}
std::optional<std::int64_t> integer(JsonReader& json) {
  Text text;
  scalar(json, text);
  return parse_integer(text);
}

void scoped_id(JsonReader& json, Event& at) {
  if (json.peek() != Kind::object) return;
  json.object([&](std::string_view key) {
    at.local_id |= key == "local";
    if (key == "local" || key == "global") scalar(json, at.id);
  });
}

void arguments(JsonReader& json, Event& at) {
  if (json.peek() != Kind::object) return;
  json.object([&](std::string_view key) {
    if (key == "correlation")
      at.correlation = integer(json);
    else if (key == "bytes" || key == "Bytes")
      at.bytes = integer(json);
    else if (key == "device")
      scalar(json, at.device);
    else if (key == "stream")
      scalar(json, at.stream);
    else if (key == "name" || key == "labels")
      scalar(json, at.label);
    else if (key == "sort_index")
      at.sort_index = integer(json);
  });
}

}  // namespace

void read_event(JsonReader& json, Event& at) {
  at.clear();
  json.object([&](std::string_view key) {
    if (key == "ph")
      scalar(json, at.phase);
    else if (key == "name")
      scalar(json, at.name);
    else if (key == "cat")
      scalar(json, at.category);
    else if (key == "pid")
      scalar(json, at.pid);
    else if (key == "tid")
      scalar(json, at.tid);
    else if (key == "ts")
      scalar(json, at.time_buffer), at.time = at.time_buffer.view;
    else if (key == "dur")
      scalar(json, at.duration_buffer), at.duration = at.duration_buffer.view;
    else if (key == "id")
      scalar(json, at.id);
    else if (key == "id2")
      scoped_id(json, at);
    else if (key == "args")
      arguments(json, at);
  });
}

std::optional<OperationKind> device_kind(const Event& event) {
  const std::string_view category = event.category;
  if (same(category, "kernel") || category == "concurrent_kernel") return OperationKind::kernel;
  if (category == "gpu_memcpy" || (category == "Memcpy" && !event.stream.view.empty())) return kind_of_copy(event.name);
  if (category == "gpu_memset" || (category == "Memset" && !event.stream.view.empty())) return OperationKind::memset;
  return std::nullopt;
}

}  // namespace streamscope::input
