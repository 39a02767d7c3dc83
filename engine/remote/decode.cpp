#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "engine/base/translate.h"
#include "engine/base/utf8.h"
#include "engine/remote/cbor_check.h"
#include "engine/remote/description.h"
#include "engine/remote/wire.h"

namespace streamscope::remote {
namespace {

using json = nlohmann::json;

// Reads the members of one map. The first thing wrong is kept, with the way to it; what follows is passed over.
class Reader {
 public:
  Reader(const json& from, std::string& wrong) : from_(from), wrong_(wrong) {}

  template <schema::Described Record>
  void all(Record& record) {
    each_carried<Record>([&](const auto& member) {
      if (wrong_.empty()) field(std::string(member.key), member, member.of(record));
    });
  }

 private:
  template <class Member, class T>
  void field(const std::string& key, const Member& member, T& value) {
    const auto found = from_.find(key);
    if (found == from_.end()) {
      wrong_ = tr("\"{}\" is missing", key);
    } else if ((!read(*found, value) || !within(member, value)) && wrong_.empty()) {
      wrong_ = tr("\"{}\" is not what it should be", key);
    }
  }

  // One array for each column.
  template <class Row>
  bool columns(const json& table, std::vector<Row>& rows) {
    if (!table.is_object()) return false;
    bool counted = false;
    each_carried<Row>([&](const auto& member) {
      if (!wrong_.empty()) return;
      const auto values = table.find(std::string(member.key));
      const bool array = values != table.end() && values->is_array();
      const std::size_t count = array ? values->size() : 0;
      if (!std::exchange(counted, true)) {
        if (count > kMostRows<Row>) {
          wrong_ = tr("{} rows in one message, {} are allowed", count, kMostRows<Row>);
          return;
        }
        rows.assign(count, Row{});
      }
      if (!array || count != rows.size()) {
        wrong_ = tr("column \"{}\" does not have {} rows", member.key, rows.size());
        return;
      }
      for (std::size_t row = 0; row < count; ++row) {
        if (read((*values)[row], member.of(rows[row])) && within(member, member.of(rows[row]))) continue;
        wrong_ = tr("column \"{}\", row {} is not what it should be", member.key, row);
        return;
      }
    });
    return wrong_.empty();
  }

  template <class Member, class T>
  static bool within(const Member& member, const T& value) {
    if constexpr (std::is_arithmetic_v<T>)
      return !(static_cast<double>(value) < member.least || static_cast<double>(value) > member.most);
    return true;
  }
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
      std::uint64_t number = 0;
      if (!read(from, number) || number >= kNames<T>.size()) return false;
      value = static_cast<T>(number);
      return true;
    } else if constexpr (std::is_integral_v<T>) {
      if (from.is_number_unsigned()) return fits(from.get<std::uint64_t>(), value);
      if (from.is_number_integer()) return fits(from.get<std::int64_t>(), value);
      return false;
    } else {
      if (!from.is_object()) return false;
      Reader(from, wrong_).all(value);
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
    if constexpr (kMostRows < T >> 0) return columns(from, values);
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
    reader.all(message.emplace<index>());
    return true;
  } else {
    return false;
  }
}

Result<Message> decode_formed(std::span<const std::uint8_t> body) {
  const json map = json::from_cbor(body.begin(), body.end(), true, false);
  if (!map.is_object()) return fail(ErrorKind::bad_input, tr("A message is no map of fields."));
  const auto type = map.find("type");
  if (type == map.end() || !type->is_string())
    return fail(ErrorKind::bad_input, tr("A message does not say its type."));
  const auto& name = type->get_ref<const std::string&>();
  const auto known = std::find(kTypes.begin(), kTypes.end(), name);
  Message message;
  std::string wrong;
  Reader reader(map, wrong);
  if (!read_alternative(static_cast<std::size_t>(known - kTypes.begin()), reader, message)) {
    return fail(ErrorKind::bad_input, tr("A message of unknown type \"{}\".", valid_utf8(name.substr(0, 40))));
  }
  if (!wrong.empty()) return fail(ErrorKind::bad_input, tr("A message \"{}\" is malformed: {}.", name, wrong));
  return message;
}

}  // namespace

Result<Message> decode(std::span<const std::uint8_t> body) {
  TRY(check_cbor(body));
  // After check_cbor() nothing below has a reason to throw but want of memory.
  try {
    return decode_formed(body);
  } catch (const std::exception& thrown) {
    return fail(ErrorKind::bad_input, tr("A message of {} bytes cannot be read: {}.", body.size(), thrown.what()));
  }
}

}  // namespace streamscope::remote
