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

using TextAt = std::pair<std::string_view, Text Event::*>;
constexpr TextAt kTexts[] = {{"ph", &Event::phase},     {"name", &Event::name}, {"cat", &Event::category},
                             {"pid", &Event::pid},      {"tid", &Event::tid},   {"ts", &Event::time},
                             {"dur", &Event::duration}, {"id", &Event::id}};
constexpr TextAt kArgumentTexts[] = {
    {"device", &Event::device}, {"stream", &Event::stream}, {"name", &Event::label}, {"labels", &Event::label}};
constexpr std::pair<std::string_view, std::optional<std::int64_t> Event::*> kArgumentNumbers[] = {
    {"correlation", &Event::correlation},
    {"bytes", &Event::bytes},
    {"Bytes", &Event::bytes},
    {"sort_index", &Event::sort_index}};

void arguments(JsonReader& json, Event& at) {
  if (json.peek() != Kind::object) return;
  json.object([&](std::string_view key) {
    for (const auto& [name, number] : kArgumentNumbers)
      if (key == name) at.*number = integer(json);
    for (const auto& [name, text] : kArgumentTexts)
      if (key == name) scalar(json, at.*text);
  });
}

}  // namespace

void read_event(JsonReader& json, Event& at) {
  at.clear();
  json.object([&](std::string_view key) {
    for (const auto& [name, text] : kTexts)
      if (key == name) return scalar(json, at.*text);
    if (key == "id2") return scoped_id(json, at);
    if (key == "args") arguments(json, at);
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
