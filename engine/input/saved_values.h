// The values of a saved run's JSON. Each is checked; an error says where it is.
#pragma once

#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <string>
#include <vector>

#include "engine/base/time.h"
#include "engine/base/utf8.h"
#include "engine/input/json_reader.h"

namespace streamscope::input {

class SavedValues {
 protected:
  // Times further from 0 are wrong, and sums of them would not fit.
  static constexpr Nanoseconds kFarthest = std::int64_t{1} << 61;

  SavedValues(std::string_view text, const std::string& file) : json_(text, file) {}

  bool null() {
    return json_.peek() == JsonReader::Kind::null;  // it is left unread, so that the reader skips it
  }
  std::string text() { return valid_utf8(json_.string(buffer_)); }
  std::vector<std::string> texts() {
    std::vector<std::string> list;
    json_.array([&] { list.push_back(text()); });
    return list;
  }

  template <class T>
  T integer(T least = std::numeric_limits<T>::min(), T most = std::numeric_limits<T>::max()) {
    json_.peek();
    const std::size_t at = json_.offset();
    const std::string_view digits = json_.number();
    if (json_.failed()) return least;
    T value{};
    const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (end.ec == std::errc() && end.ptr == digits.data() + digits.size() && value >= least && value <= most)
      return value;
    json_.fail_at(at, fmt::format("a whole number from {} to {} should be here", least, most));
    return least;
  }
  Nanoseconds time() {
    json_.peek();
    const std::size_t at = json_.offset();
    const auto value = integer<Nanoseconds>();
    if (value == kAbsent || (value >= -kFarthest && value <= kFarthest)) return value;
    json_.fail_at(at, "a time more than 73 years off is none");
    return kAbsent;
  }
  double real() {
    json_.peek();
    const std::size_t at = json_.offset();
    const std::string_view digits = json_.number();
    if (json_.failed()) return 0;
    double value = 0;
    const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (end.ec == std::errc() && end.ptr == digits.data() + digits.size() && value - value == 0) return value;
    json_.fail_at(at, "a finite number should be here");
    return 0;
  }
  template <class T, class Of>
  T word(Of of) {
    json_.peek();
    const std::size_t at = json_.offset();
    const std::string_view spelled = json_.string(buffer_);
    if (json_.failed()) return T{};
    if (const auto value = of(spelled)) return *value;
    json_.fail_at(at, fmt::format("\"{}\" is unknown here", cut_text(valid_utf8(spelled), 80)));
    return T{};
  }

  JsonReader json_;

 private:
  std::string buffer_;
};

}  // namespace streamscope::input
