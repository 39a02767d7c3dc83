#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "engine/base/utf8.h"
#include "engine/remote/cbor_check.h"
#include "engine/remote/fields.h"
#include "engine/remote/wire.h"

namespace streamscope::remote {
namespace {

using json = nlohmann::json;

// Reads the fields of one map. The first thing wrong is kept, with the way to it; what follows is passed over.
class Reader {
 public:
  static constexpr bool kWrites = false;
  Reader(const json& from, std::string& wrong) : from_(from), wrong_(wrong) {}

  template <class T>
  void field(const char* key, T& value) {
    if (!wrong_.empty()) return;
    const auto found = from_.find(key);
    if (found == from_.end()) {
      wrong_ = fmt::format("\"{}\" is missing", key);
    } else if (!read(*found, value) && wrong_.empty()) {
      wrong_ = fmt::format("\"{}\" is not what it should be", key);
    }
  }

  template <class Row>
  void columns(const char* key, std::vector<Row>& rows) {
    if (!wrong_.empty()) return;
    const auto table = from_.find(key);
    if (table == from_.end() || !table->is_object()) {
      wrong_ = fmt::format("\"{}\" is no table", key);
      return;
    }
    const json* first = nullptr;
    fields::each_column(static_cast<const Row*>(nullptr), [&](const char* column, auto) {
      if (first != nullptr) return;
      const auto found = table->find(column);
      first = found != table->end() ? &*found : &*table;
    });
    const std::size_t count = first->is_array() ? first->size() : 0;
    if (count > fields::kMostRows<Row>) {
      wrong_ = fmt::format("{} {} in one message, {} are allowed", count, key, fields::kMostRows<Row>);
      return;
    }
    rows.assign(count, Row{});
    fields::each_column(static_cast<const Row*>(nullptr), [&](const char* column, auto member) {
      if (!wrong_.empty()) return;
      const auto values = table->find(column);
      if (values == table->end() || !values->is_array() || values->size() != count) {
        wrong_ = fmt::format("column \"{}\" does not have {} rows", column, count);
        return;
      }
      for (std::size_t row = 0; row < count; ++row) {
        if (read((*values)[row], rows[row].*member)) continue;
        wrong_ = fmt::format("column \"{}\", row {} is not what it should be", column, row);
        return;
      }
    });
  }

 private:
  static bool read(const json& from, bool& value) {
    if (!from.is_boolean()) return false;
    value = from.get<bool>();
    return true;
  }
  static bool read(const json& from, double& value) {
    // Null is how a number that is none was written.
    if (from.is_null()) {
      value = std::numeric_limits<double>::quiet_NaN();
      return true;
    }
    if (!from.is_number()) return false;
    value = from.get<double>();
    return std::isfinite(value);
  }
  static bool read(const json& from, std::string& value) {
    if (!from.is_string()) return false;
    value = valid_utf8(from.get_ref<const std::string&>());
    return true;
  }
  template <class T>
  bool read(const json& from, T& value) {
    if constexpr (std::is_enum_v<T>) {
      static_assert(fields::kValues<T> > 0, "say in fields.h how many values it has");
      std::uint64_t number = 0;
      if (!read(from, number) || number >= fields::kValues<T>) return false;
      value = static_cast<T>(number);
      return true;
    } else if constexpr (std::is_integral_v<T>) {
      if (from.is_number_unsigned()) return fits(from.get<std::uint64_t>(), value);
      if (from.is_number_integer()) return fits(from.get<std::int64_t>(), value);
      return false;
    } else {
      if (!from.is_object()) return false;
      Reader reader(from, wrong_);
      fields::fields(reader, value);
      return wrong_.empty();
    }
  }
  template <class T>
  bool read(const json& from, std::optional<T>& value) {
    if (from.is_null()) {
      value.reset();
      return true;
    }
    return read(from, value.emplace());
  }
  template <class T>
  bool read(const json& from, std::vector<T>& values) {
    if (!from.is_array()) return false;
    values.clear();
    return std::all_of(from.begin(), from.end(), [&](const json& item) { return read(item, values.emplace_back()); });
  }
  template <class From, class T>
  static bool fits(From number, T& value) {
    if (!std::in_range<T>(number)) return false;
    value = static_cast<T>(number);
    return true;
  }

  const json& from_;
  std::string& wrong_;
};

template <std::size_t index = 0>
bool read_alternative(std::size_t wanted, Reader& reader, Message& message) {
  if constexpr (index < std::variant_size_v<Message>) {
    if (index != wanted) return read_alternative<index + 1>(wanted, reader, message);
    fields::fields(reader, message.emplace<index>());
    return true;
  } else {
    return false;
  }
}

Result<Message> decode_formed(std::span<const std::uint8_t> body) {
  const json map = json::from_cbor(body.begin(), body.end(), true, false);
  if (!map.is_object()) return fail(ErrorKind::bad_input, "A message is no map of fields.");
  const auto type = map.find("type");
  if (type == map.end() || !type->is_string()) return fail(ErrorKind::bad_input, "A message does not say its type.");
  const auto& name = type->get_ref<const std::string&>();
  const auto known = std::find(fields::kTypes.begin(), fields::kTypes.end(), name);
  Message message;
  std::string wrong;
  Reader reader(map, wrong);
  if (!read_alternative(static_cast<std::size_t>(known - fields::kTypes.begin()), reader, message)) {
    return fail(ErrorKind::bad_input, fmt::format("A message of unknown type \"{}\".", valid_utf8(name.substr(0, 40))));
  }
  if (!wrong.empty()) return fail(ErrorKind::bad_input, fmt::format("A message \"{}\" is malformed: {}.", name, wrong));
  return message;
}

}  // namespace

Result<Message> decode(std::span<const std::uint8_t> body) {
  if (auto formed = check_cbor(body); !formed) return fail(std::move(formed.error()));
  // After check_cbor() nothing below has a reason to throw but want of memory.
  try {
    return decode_formed(body);
  } catch (const std::exception& thrown) {
    return fail(ErrorKind::bad_input,
                fmt::format("A message of {} bytes cannot be read: {}.", body.size(), thrown.what()));
  }
}

}  // namespace streamscope::remote
