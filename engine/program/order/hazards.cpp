#include <algorithm>
#include <map>
#include <unordered_map>

#include "engine/program/limits.h"
#include "engine/program/order/accesses.h"
#include "engine/program/order/order_walk.h"
#include "engine/program/order/vector_clocks.h"

namespace streamscope::program {
namespace {

struct Use {
  OperationIndex operation = kNoOperation;
  Position position;
};

// The accesses to a range of bytes that may still go on: the last write, and the reads since.
struct Segment {
  std::uint64_t end = 0;
  Use write;
  std::vector<Use> reads;
};
// By first byte; they do not overlap. One operation after the other often works on the same bytes, or on those behind
// the last: both are found without a search.
class Segments {
 public:
  using Map = std::map<std::uint64_t, Segment>;
  Segments() = default;
  Segments(const Segments&) = delete;
  Segments& operator=(const Segments&) = delete;

  // The first that begins at `from` or behind it.
  Map::iterator from(std::uint64_t from) {
    if (latest_ != all.end() && latest_->first == from) return latest_;
    if (all.empty()) return all.end();
    const auto last = std::prev(all.end());
    if (last->first < from && last->second.end <= from) return all.end();
    return all.lower_bound(from);
  }
  // To be said before the one that was noted last is erased.
  void note(Map::iterator latest) { latest_ = latest; }

  Map all;

 private:
  Map::iterator latest_ = all.end();
};

class HazardScan {
 public:
  HazardScan(const Program& program, const std::function<bool(const Hazard&)>& found)
      : program_(program),
        found_(found),
        clocks_(program),
        walk_(program, clocks_, Interleaving::any),
        accesses_(program) {}

  OperationIndex run() {
    for (index_ = 0; index_ < program_.operations.size(); ++index_) {
      walk_.add(index_);
      for (const Access& access : accesses_.of(program_.operations[index_])) {
        const auto user = is_pending(access) ? clocks_.position() : clocks_.host_position();
        if (!one(access, user)) return kNoOperation;
      }
      if (too_much() || clocks_.gave_up()) return index_;
    }
    return kNoOperation;
  }

 private:
  bool is_pending(const Access& access) const {
    const auto* const copy = std::get_if<op::Copy>(&program_.operations[index_].work);
    const bool staged = copy != nullptr && access.side == MemorySide::host && returns_after_staging(program_, *copy);
    return access.pending && !staged;
  }

  static constexpr std::uint64_t kMaximumWork = 100'000'000;  // segments and readers visited: a few seconds
  static constexpr std::uint64_t kMaximumBytes = 512u << 20;  // of segments and readers
  // With what the containers add: a node of a tree, and half of a vector that is not filled.
  static constexpr std::uint64_t kSegmentBytes = sizeof(Segments::Map::value_type) + 48, kReadBytes = 2 * sizeof(Use);
  bool too_much() const {
    return work_ > kMaximumWork || segments_kept_ * kSegmentBytes + reads_kept_ * kReadBytes > kMaximumBytes;
  }

  static constexpr std::uint64_t kMostRows = 65'536;  // of one copy; one of more is taken to touch all between its rows

  // False to stop.
  bool one(const Access& access, std::optional<Position> position) {
    if (access.range.pitch == 0 || rows_of(access.range) > kMostRows) return in_a_row(access, position);
    // Row by row: what lies between the rows is another's.
    Access row = access;
    row.range = {access.range.buffer, access.range.offset, row_bytes(access.range)};
    for (std::uint64_t i = rows_of(access.range); i > 0; --i, row.range.offset += access.range.pitch) {
      if (!in_a_row(row, position)) return false;
      ++work_;
      if (too_much()) return true;
    }
    return true;
  }

  bool in_a_row(const Access& access, std::optional<Position> position) {
    const bool shared = is_shared(program_.buffers[access.range.buffer.value].host);
    const bool host_side = access.side == MemorySide::host && !shared;
    // What both sides share is of one device.
    const std::uint64_t side = host_side ? 0 : shared ? 1 : 1 + access.device.value;
    Segments& segments = segments_[access.range.buffer.value * (kLastDevice + 2ull) + side];
    const std::uint64_t from = access.range.offset, to = from + access.range.bytes;
    segments_kept_ -= segments.all.size();
    auto first = segments.from(from);
    if (first != segments.all.begin() && std::prev(first)->second.end > from)
      first = cut(segments, std::prev(first), from);
    auto last = first;
    bool go_on = true;
    for (; go_on && last != segments.all.end() && last->first < to; ++last) {
      if (last->second.end > to) cut(segments, last, to);
      go_on = check_segment(last->second, access);
    }
    if (go_on && position) keep(segments, first, last, from, to, access.writes, {index_, *position});
    segments_kept_ += segments.all.size();
    return go_on;
  }

  // Gives the second part.
  Segments::Map::iterator cut(Segments& segments, Segments::Map::iterator one, std::uint64_t at) {
    Segment tail = one->second;
    reads_kept_ += tail.reads.size();
    work_ += tail.reads.size();
    one->second.end = at;
    return segments.all.emplace_hint(std::next(one), at, std::move(tail));
  }

  bool check_segment(const Segment& segment, const Access& access) {
    work_ += 1 + segment.reads.size();
    if (!check(segment.write, access)) return false;
    if (!access.writes) return true;
    return std::all_of(segment.reads.begin(), segment.reads.end(),
                       [&](const Use& read) { return check(read, access); });
  }

  bool check(const Use& earlier, const Access& access) {
    if (earlier.operation == kNoOperation || earlier.operation == index_ || ended(earlier)) return true;
    // A range of several segments may find the same operation several times.
    if (last_first_ == earlier.operation && last_second_ == index_ && last_side_ == access.side) return true;
    last_first_ = earlier.operation;
    last_second_ = index_;
    last_side_ = access.side;
    const bool shared = is_shared(program_.buffers[access.range.buffer.value].host);
    return found_({earlier.operation, index_, access.range.buffer, access.side == MemorySide::host && !shared});
  }

  bool ended(const Use& earlier) const { return clocks_.ended_before(earlier.position); }

  void keep(Segments& segments, Segments::Map::iterator first, Segments::Map::iterator last, std::uint64_t from,
            std::uint64_t to, bool writes, const Use& user) {
    if (writes) {
      for (auto at = first; at != last; ++at) reads_kept_ -= at->second.reads.size();
      const bool begins_there = first != last && first->first == from;
      if (begins_there) first->second = {to, user, {}};
      const auto written = begins_there ? first : segments.all.emplace_hint(first, from, Segment{to, user, {}});
      segments.note(written);
      segments.all.erase(begins_there ? std::next(first) : first, last);
      return;
    }
    std::uint64_t reached = from;
    for (auto at = first; at != last; ++at) {
      if (reached < at->first) add_read(segments, at, reached, at->first, user);
      // Reads that ended before this one need not be checked: what comes after this one comes after them.
      reads_kept_ -= std::erase_if(at->second.reads, [&](const Use& read) { return ended(read); });
      at->second.reads.push_back(user);
      ++reads_kept_;
      reached = at->second.end;
    }
    if (reached < to) add_read(segments, last, reached, to, user);
    if (first != last && first->first == from) segments.note(first);
  }
  void add_read(Segments& segments, Segments::Map::iterator before, std::uint64_t from, std::uint64_t to,
                const Use& user) {
    segments.note(segments.all.emplace_hint(before, from, Segment{to, {}, {user}}));
    ++reads_kept_;
  }

  const Program& program_;
  const std::function<bool(const Hazard&)>& found_;
  VectorClocks clocks_;
  OrderWalk<VectorClocks> walk_;
  Accesses accesses_;
  std::unordered_map<std::uint64_t, Segments> segments_;  // by buffer and side
  OperationIndex index_ = 0;
  OperationIndex last_first_ = kNoOperation, last_second_ = kNoOperation;
  MemorySide last_side_ = MemorySide::device;
  std::uint64_t work_ = 0, segments_kept_ = 0, reads_kept_ = 0;
};

}  // namespace

OperationIndex scan_hazards(const Program& program, const std::function<bool(const Hazard&)>& found) {
  return HazardScan(program, found).run();
}

std::vector<Hazard> hazards(const Program& program, std::size_t most) {
  std::vector<Hazard> all;
  if (most == 0) return all;
  const OperationIndex gave_up = scan_hazards(program, [&](const Hazard& hazard) {
    all.push_back(hazard);
    return all.size() < most;
  });
  if (gave_up != kNoOperation) all.push_back({gave_up, gave_up, BufferId{0}, false});
  return all;
}

}  // namespace streamscope::program
