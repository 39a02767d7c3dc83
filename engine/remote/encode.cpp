#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/remote/fields.h"
#include "engine/remote/wire.h"

namespace streamscope::remote {
namespace {

using json = nlohmann::json;

class Writer {
 public:
  static constexpr bool kWrites = true;
  explicit Writer(json& to) : to_(to) {}

  template <class T>
  void field(const char* key, const T& value) {
    to_[key] = written(value);
  }

  template <class Row>
  void columns(const char* key, const std::vector<Row>& rows) {
    json& table = to_[key] = json::object();
    fields::each_column(static_cast<const Row*>(nullptr), [&](const char* column, auto member) {
      json::array_t values;
      values.reserve(rows.size());
      for (const Row& row : rows) values.emplace_back(written(row.*member));
      table[column] = std::move(values);
    });
  }

 private:
  template <class T>
  static json written(const T& value) {
    if constexpr (std::is_enum_v<T>) {
      return static_cast<std::uint64_t>(value);
    } else if constexpr (std::is_same_v<T, double>) {
      return std::isfinite(value) ? json(value) : json(nullptr);
    } else if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>) {
      return value;
    } else {
      json object = json::object();
      Writer writer(object);
      fields::fields(writer, value);
      return object;
    }
  }
  template <class T>
  static json written(const std::optional<T>& value) {
    return value ? written(*value) : json(nullptr);
  }
  template <class T>
  static json written(const std::vector<T>& values) {
    json array = json::array();
    for (const T& value : values) array.push_back(written(value));
    return array;
  }

  json& to_;
};

}  // namespace

std::vector<std::uint8_t> encode(const Message& message) {
  json body{{"type", fields::kTypes[message.index()]}};
  std::visit(
      [&](const auto& alternative) {
        Writer writer(body);
        fields::fields(writer, alternative);
      },
      message);
  std::vector<std::uint8_t> frame(4);
  json::to_cbor(body, frame);
  const auto length = static_cast<std::uint32_t>(frame.size() - 4);
  for (unsigned i = 0; i < 4; ++i) frame[i] = static_cast<std::uint8_t>(length >> (8 * i));
  return frame;
}

}  // namespace streamscope::remote
