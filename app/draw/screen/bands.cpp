#include "app/draw/screen/bands.h"

#include <algorithm>

namespace streamscope {
namespace {

constexpr std::int32_t kBetween = 32;  // rows: what lies between crowded ones goes with them

Rectangle cut(const Rectangle& r, std::int32_t width, std::int32_t height) {
  return {std::clamp(r.x0, 0, width),
          std::clamp(r.y0, 0, height),
          std::clamp(r.x1, 0, width),
          std::clamp(r.y1, 0, height),
          r.colour,
          r.fill};
}

bool empty(const Rectangle& r) { return r.x0 >= r.x1 || r.y0 >= r.y1; }

Colour blended(Colour under, Colour over) {
  const auto channel = [&](int from, int to) {
    return static_cast<std::uint8_t>((from * (255 - over.a) + to * over.a + 127) / 255);
  };
  return {channel(under.r, over.r), channel(under.g, over.g), channel(under.b, over.b), 255};
}

// The pixels of each band that something to be drawn later has a claim on; what lies over it is to be drawn later too.
class Claims {
 public:
  Claims(std::size_t bands, std::int32_t width) : words_((static_cast<std::size_t>(width) + 63) / 64) {
    bits_.resize(bands * words_);
  }
  void claim(std::size_t band, const Rectangle& r) {
    over(band, r, [](std::uint64_t& word, std::uint64_t mask) { word |= mask; });
  }
  bool any(std::size_t band, const Rectangle& r) {
    bool found = false;
    over(band, r, [&](std::uint64_t word, std::uint64_t mask) { found = found || (word & mask) != 0; });
    return found;
  }

 private:
  template <class Do>
  void over(std::size_t band, const Rectangle& r, Do act) {
    const auto x0 = static_cast<std::size_t>(r.x0), x1 = static_cast<std::size_t>(r.x1);
    for (std::size_t word = x0 / 64; word <= (x1 - 1) / 64; ++word) {
      std::uint64_t mask = ~std::uint64_t{0};
      if (word == x0 / 64) mask &= ~std::uint64_t{0} << x0 % 64;
      if (word == (x1 - 1) / 64) mask &= ~std::uint64_t{0} >> (63 - (x1 - 1) % 64);
      act(bits_[band * words_ + word], mask);
    }
  }
  std::size_t words_;
  std::vector<std::uint64_t> bits_;
};

struct BandRange {
  std::size_t from, to;
};
BandRange bands_of(const Bands& bands, const Rectangle& r) {
  return {bands.of_row[static_cast<std::size_t>(r.y0)],
          bands.of_row[static_cast<std::size_t>(r.y1 - 1)] + std::size_t{1}};
}

// Numbers the bands: rows between which no rectangle begins or ends. Gives how many there are.
std::size_t number(Bands& bands, std::span<const Rectangle> rectangles) {
  const auto height = static_cast<std::size_t>(bands.height);
  std::vector<char> begins(height + 1, 0);
  for (const Rectangle& each : rectangles) {
    const Rectangle r = cut(each, bands.width, bands.height);
    if (!empty(r)) begins[static_cast<std::size_t>(r.y0)] = begins[static_cast<std::size_t>(r.y1)] = 1;
  }
  bands.of_row.resize(height);
  std::uint16_t band = 0;
  for (std::size_t y = 0; y < height; ++y) bands.of_row[y] = y > 0 && begins[y] != 0 ? ++band : band;
  return static_cast<std::size_t>(band) + 1;
}

// By band, whether it is drawn as such.
std::vector<char> find_crowded(Bands& bands, std::span<const Rectangle> rectangles, std::size_t count, int percent) {
  std::vector<std::int64_t> more(count + 1, 0);  // pixels than in the band above
  for (const Rectangle& each : rectangles) {
    const Rectangle r = cut(each, bands.width, bands.height);
    if (empty(r) || (r.x0 == 0 && r.x1 == bands.width)) continue;
    const auto [from, to] = bands_of(bands, r);
    more[from] += r.x1 - r.x0 + kEdges;
    more[to] -= r.x1 - r.x0 + kEdges;
  }
  std::vector<char> is_crowded(count, 0);
  std::int64_t inside = 0;
  for (std::size_t band = 0; band < count; ++band) {
    inside += more[band];
    is_crowded[band] = inside * 100 >= std::int64_t{percent} * bands.width ? 1 : 0;
  }
  for (std::int32_t y = 0; y < bands.height; ++y) {
    if (is_crowded[bands.of_row[static_cast<std::size_t>(y)]] == 0) continue;
    if (bands.crowded.empty() || y - bands.crowded.back().y1 > kBetween) bands.crowded.push_back({y, y});
    bands.crowded.back().y1 = y + 1;
  }
  for (const PixelRows& rows : bands.crowded)
    for (std::int32_t y = rows.y0; y < rows.y1; ++y) is_crowded[bands.of_row[static_cast<std::size_t>(y)]] = 1;
  return is_crowded;
}

}  // namespace

bool has_ground(std::span<const Rectangle> rectangles, std::int32_t most) {
  if (rectangles.empty()) return false;
  const Rectangle& r = rectangles.front();
  return r.x0 == 0 && r.y0 == 0 && !empty(r) && r.x1 <= most && r.y1 <= most && r.fill == Fill::solid &&
         r.colour.a == 255;
}

Layers layers_of(std::span<const Rectangle> rectangles, int percent) {
  Layers out;
  Bands& bands = out.bands;
  bands.width = rectangles.front().x1;
  bands.height = rectangles.front().y1;
  const std::size_t count = number(bands, rectangles);
  const std::vector<char> is_crowded = find_crowded(bands, rectangles, count, percent);
  const auto width = static_cast<std::size_t>(bands.width);
  if (!bands.crowded.empty()) bands.colours.resize(count * width);
  Claims later(count, bands.width);
  for (const Rectangle& each : rectangles) {
    const Rectangle r = cut(each, bands.width, bands.height);
    if (empty(r)) {
      out.over.push_back(each);
      continue;
    }
    const auto [from, to] = bands_of(bands, r);
    const bool within = r.x0 == each.x0 && r.x1 == each.x1 && r.y0 == each.y0 && r.y1 == each.y1;
    bool over = r.fill != Fill::solid || !within;
    for (std::size_t at = from; !out.over.empty() && !over && at < to; ++at) over = later.any(at, r);
    if (over) {
      for (std::size_t at = from; at < to; ++at) later.claim(at, r);
      out.over.push_back(each);
      continue;
    }
    bool shows = false;
    for (std::size_t at = from; at < to; ++at) {
      if (is_crowded[at] == 0) {
        shows = true;
        continue;
      }
      const auto row = bands.colours.begin() + static_cast<std::ptrdiff_t>(at * width);
      if (r.colour.a == 255)
        std::fill(row + r.x0, row + r.x1, r.colour);
      else
        std::transform(row + r.x0, row + r.x1, row + r.x0, [&](Colour under) { return blended(under, r.colour); });
    }
    if (shows) out.under.push_back(each);
  }
  return out;
}

}  // namespace streamscope
