#include "engine/output/fields.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace streamscope::output {
namespace {

using Json = nlohmann::ordered_json;

// A fast path: almost every text is plain, and a million of them are written in one file.
bool plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
}

}  // namespace

std::string json_string(std::string_view text) {
  if (!plain(text)) return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string quoted;
  quoted.reserve(text.size() + 2);
  quoted += '"';
  quoted += text;
  quoted += '"';
  return quoted;
}

std::string clean(std::string_view text) {
  return plain(text) ? std::string(text) : Json::parse(json_string(text)).get<std::string>();
}

std::string csv_field(std::string_view raw) {
  const std::string text = clean(raw);
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string number(std::optional<double> value) {
  return value && std::isfinite(*value) ? Json(*value).dump() : std::string("null");
}

std::vector<std::string> stream_names(const trace::Trace& trace) {
  std::vector<std::string> names;
  names.reserve(trace.streams.size());
  for (const trace::StreamInfo& stream : trace.streams) names.push_back(stream.name);
  return names;
}

const trace::Span* predicted_span(const trace::Run& run, std::size_t index) {
  if (!run.prediction || run.prediction->trace.spans.size() != run.trace.spans.size()) return nullptr;
  return &run.prediction->trace.spans[index];
}

}  // namespace streamscope::output
