#include "engine/device/model/profile/profile.h"

#include <algorithm>

#include "engine/base/int128.h"

namespace streamscope::model {

Nanoseconds TimeBySize::at(std::uint64_t bytes) const {
  if (bytes <= points.front().bytes) return points.front().time;
  auto upper = std::find_if(points.begin(), points.end(), [bytes](const Point& point) { return point.bytes >= bytes; });
  if (upper == points.end()) --upper;
  const Point& a = *(upper - 1);
  const Point& b = *upper;
  const Int128 rise = static_cast<Int128>(b.time - a.time) * static_cast<Int128>(bytes - a.bytes);
  const Int128 time =
      a.time + (rise + static_cast<Int128>(b.bytes - a.bytes) / 2) / static_cast<Int128>(b.bytes - a.bytes);
  return static_cast<Nanoseconds>(std::min<Int128>(time, kLongestModelled));
}

std::string title(const Profile& profile) {
  std::string text = profile.id;
  for (std::size_t i = 0; i < profile.changes.size(); ++i) {
    const Profile::Change& change = profile.changes[i];
    text += (i == 0 ? ", changed: " : ", ") + change.key + " " + change.value + " (was " + change.was + ")";
  }
  return text;
}

}  // namespace streamscope::model
