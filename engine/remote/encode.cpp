#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "engine/remote/description.h"
#include "engine/remote/wire.h"

namespace streamscope::remote {
namespace {

using json = nlohmann::json;

template <class T>
json written(const T& value);
template <class T>
json written(const std::optional<T>& value) {
  return value ? written(*value) : json(nullptr);
}
template <class T>
json written(const std::vector<T>& values) {
  if constexpr (kMostRows < T >> 0) {  // by column
    json table = json::object();
    each_carried<T>([&](const auto& member) {
      json::array_t column;
      column.reserve(values.size());
      for (const T& row : values) column.emplace_back(written(member.of(row)));
      table[member.key] = std::move(column);
    });
    return table;
  } else {
    json array = json::array();
    for (const T& value : values) array.push_back(written(value));
    return array;
  }
}
template <class T>
json written(const T& value) {
  if constexpr (std::is_enum_v<T>) {
    return static_cast<std::uint64_t>(value);
  } else if constexpr (std::is_same_v<T, double>) {
    return std::isfinite(value) ? json(value) : json(nullptr);
  } else if constexpr (schema::Described<T>) {
    json object = json::object();
    each_carried<T>([&](const auto& member) { object[member.key] = written(member.of(value)); });
    return object;
  } else {
    return value;
  }
}

}  // namespace

std::vector<std::uint8_t> encode(const Message& message) {
  json body = std::visit([](const auto& alternative) { return written(alternative); }, message);
  body["type"] = kTypes[message.index()];
  body["~"] = "\n";  // behind all other names, so that it is the last byte
  std::vector<std::uint8_t> frame(4);
  json::to_cbor(body, frame);
  const auto length = static_cast<std::uint32_t>(frame.size() - 4);
  for (unsigned i = 0; i < 4; ++i) frame[i] = static_cast<std::uint8_t>(length >> (8 * i));
  return frame;
}

}  // namespace streamscope::remote
