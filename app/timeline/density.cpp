#include "app/timeline/density.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "app/timeline/lane_search.h"

namespace streamscope::timeline {
namespace {

constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();
constexpr std::int32_t kColumnsAhead = 8;  // whose memory is fetched meanwhile

using Sums = std::array<std::uint64_t, kClasses>;

// Reads the sums at one edge of a column after the other, from left to right.
class EdgeReader {
 public:
  EdgeReader(const Lane& lane, std::size_t which) : lane_(lane), which_(which), sums_(lane.sums[which]) {}

  // The last sample before that time; edges come in order.
  std::uint32_t seek(Nanoseconds time) {
    const auto count = static_cast<std::uint32_t>(lane_.sample.size());
    next_ = lane_search::gallop(next_, count, [&](std::uint32_t i) { return lane_.sample[i] >= time; });
    return next_ == 0 ? kNowhere : next_ - 1;
  }
  void fetch(std::uint32_t sample) const {
    if (sample == kNowhere) return;
    const std::size_t first = first_of(sample), end = std::size_t{sample} * lane_search::kSample + lane_search::kSample;
    lane_search::fetch(lane_.start, end - lane_search::kSample, end - 1);
    lane_search::fetch(lane_.length, first, end - 1);
    if (sums_.classes.size() > 1) lane_search::fetch(lane_.classes, first, end - 1);
    const std::size_t at = first / sums_.block * sums_.classes.size();
    lane_search::fetch(sums_.before, at, at + sums_.classes.size() - 1);
  }
  // Fine time that each class was busy before the edge, which lies at `fine`; it may wrap around.
  void read(std::uint32_t sample, std::int64_t fine, Nanoseconds time, Sums& out) const {
    const std::size_t classes = sums_.classes.size();
    if (sample == kNowhere) {
      std::fill_n(out.begin(), classes, 0);
      return;
    }
    const std::uint32_t first = first_of(sample), from = sample * lane_search::kSample;
    const std::uint32_t end = std::min(from + lane_search::kSample, lane_.size());
    std::uint32_t last = from;  // of those that begin before the edge, which the sample itself does
    for (std::uint32_t i = from + 1; i < end; ++i) last += lane_.start[i] < time ? 1U : 0U;
    const std::uint64_t* const before = sums_.before.data() + first / sums_.block * classes;
    std::copy_n(before, classes, out.begin());
    if (classes == 1 && lane_.long_spans.empty())
      for (std::uint32_t i = first; i < last; ++i) out[0] += lane_.length[i];
    else if (lane_.long_spans.empty())
      for (std::uint32_t i = first; i < last; ++i) out[place(i)] += lane_.length[i];
    else
      for (std::uint32_t i = first; i < last; ++i) out[place(i)] += lane_search::counted(lane_, i);
    for (std::size_t i = 0; i < classes; ++i) out[i] *= static_cast<std::uint64_t>(kFine);
    const std::int64_t begin = fine_of(lane_.start[last]);
    out[place(last)] += static_cast<std::uint64_t>(std::min(fine_of(lane_.end(last)), fine) - begin);
  }

 private:
  std::uint32_t first_of(std::uint32_t sample) const {
    return sample * lane_search::kSample / sums_.block * sums_.block;
  }
  std::size_t place(std::uint32_t i) const { return sums_.place[class_of(lane_.classes[i], which_)]; }
  static std::int64_t fine_of(Nanoseconds time) { return std::clamp(time, -kFurthest, kFurthest) * kFine; }

  const Lane& lane_;
  std::size_t which_;
  const ClassSums& sums_;
  std::uint32_t next_ = 0;
};

}  // namespace

void density(const Lane& lane, std::size_t which, const View& view, std::int32_t x0, std::int32_t x1, Density& out) {
  const ClassSums& sums = lane.sums[which];
  const std::size_t classes = sums.classes.size();
  const auto columns = static_cast<std::size_t>(std::max(x1 - x0, 0));
  out.classes = classes;
  out.busy.resize(columns * classes);
  out.present.assign(columns, 0);
  if (columns == 0 || classes == 0) return;
  const std::int64_t origin = std::clamp(view.origin, -kFurthest * kFine, kFurthest * kFine);
  const auto fine_at = [&](std::int32_t x) { return origin + x * view.scale; };
  const auto time_of = [&](std::int32_t x) {  // the first whole nanosecond in the column or right of it
    return (fine_at(x) + kFine - 1) >> 10;
  };
  static_assert(kFine == 1 << 10);

  EdgeReader edges(lane, which);
  std::array<std::uint32_t, kColumnsAhead> ahead{};
  const auto prepare = [&](std::int32_t x) {
    if (x > x1) return;
    ahead[static_cast<std::size_t>(x - x0) % kColumnsAhead] = edges.seek(time_of(x));
    edges.fetch(ahead[static_cast<std::size_t>(x - x0) % kColumnsAhead]);
  };
  for (std::int32_t x = x0; x < x0 + kColumnsAhead; ++x) prepare(x);
  Sums before{}, after{};
  const auto read = [&](std::int32_t x, Sums& sum) {
    edges.read(ahead[static_cast<std::size_t>(x - x0) % kColumnsAhead], fine_at(x), time_of(x), sum);
    prepare(x + kColumnsAhead);
  };
  read(x0, before);
  std::int64_t* busy = out.busy.data();
  for (std::size_t column = 0; column < columns; ++column) {
    read(x0 + static_cast<std::int32_t>(column) + 1, after);
    std::uint16_t present = 0;
    for (std::size_t i = 0; i < classes; ++i) {
      *busy = static_cast<std::int64_t>(after[i] - before[i]);
      present = static_cast<std::uint16_t>(present | (*busy++ > 0 ? 1U << i : 0U));
    }
    out.present[column] = present;
    std::swap(before, after);
  }
  // Spans of 0 ns take no time, but they are there.
  for (std::size_t i = 0; i < classes; ++i) {
    const std::vector<std::uint32_t>& brief = sums.brief[i];
    std::uint32_t next = 0;
    for (std::size_t column = 0; column < columns && next < brief.size(); ++column) {
      const std::int32_t x = x0 + static_cast<std::int32_t>(column);
      next = lane_search::gallop(next, static_cast<std::uint32_t>(brief.size()),
                                 [&, edge = time_of(x)](std::uint32_t at) { return lane.start[brief[at]] >= edge; });
      if (next < brief.size() && lane.start[brief[next]] < time_of(x + 1))
        out.present[column] = static_cast<std::uint16_t>(out.present[column] | 1U << i);
    }
  }
}

void share_out(std::span<const std::int64_t> busy, std::uint16_t present, std::int64_t whole, int height,
               std::span<std::uint16_t> out) {
  // One more than there are classes: what is idle.
  std::array<double, kClasses + 1> rest;  // of the exact share, what the whole pixels leave
  std::array<int, kClasses + 1> pixels;
  const std::size_t classes = busy.size(), idle = classes;
  const double a_pixel = static_cast<double>(height) / static_cast<double>(std::max<std::int64_t>(whole, 1));
  std::int64_t idle_time = whole;
  int left = height;
  const auto give = [&](std::size_t i, std::int64_t time, int least) {
    const double exact = static_cast<double>(time) * a_pixel;
    pixels[i] = std::max(static_cast<int>(exact), least);
    rest[i] = exact - pixels[i];
    left -= pixels[i];
  };
  for (std::size_t i = 0; i < classes; ++i) {
    idle_time -= busy[i];
    give(i, busy[i], present >> i & 1);
  }
  give(idle, std::max<std::int64_t>(idle_time, 0), 0);
  for (; left > 0; --left) {
    std::size_t to = idle;
    for (std::size_t i = 0; i < classes; ++i)
      if (rest[i] > rest[to]) to = i;
    ++pixels[to];
    rest[to] -= 1;
  }
  for (; left < 0; ++left) {
    std::size_t from = idle;
    for (std::size_t i = 0; i < classes; ++i)
      if (pixels[i] > pixels[from]) from = i;
    if (pixels[from] == 1 && from != idle)  // more classes than pixels: the least of them goes
      for (std::size_t i = 0; i < classes; ++i)
        if (pixels[i] == 1 && busy[i] < busy[from]) from = i;
    --pixels[from];
  }
  for (std::size_t i = 0; i < classes; ++i) out[i] = static_cast<std::uint16_t>(pixels[i]);
}

}  // namespace streamscope::timeline
