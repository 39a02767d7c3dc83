#include "engine/program/order/vector_clocks.h"

#include <algorithm>
#include <utility>

namespace streamscope::program {
namespace {

constexpr Position kSeveral{0, 0xFFFFFFFFu};

}  // namespace

VectorClocks::VectorClocks(const Program& program) : program_(program), hosts_(program.threads.size()) {
  number_lanes();
  issued_.assign(lanes_, 0);
  hosts_[0].assign(lanes_, 0);
}

void VectorClocks::number_lanes() {
  lanes_ = static_cast<std::uint32_t>(program_.streams.size());
  if (program_.threads.size() == 1) return;
  for (const Operation& operation : program_.operations) {
    const auto stream = ordered_in(operation);
    if (!stream || operation.thread == ThreadId{0}) continue;
    const std::uint64_t use = std::uint64_t{operation.thread.value} << 32 | stream->value;
    if (lane_by_use_.try_emplace(use, lanes_).second) ++lanes_;
  }
  host_lanes_ = lanes_;
  lanes_ += static_cast<std::uint32_t>(program_.threads.size());
}

std::uint32_t VectorClocks::lane_of(StreamId stream, ThreadId thread) const {
  if (thread == ThreadId{0}) return stream.value;
  return lane_by_use_.at(std::uint64_t{thread.value} << 32 | stream.value);
}

// Counted, so that a program with very many streams and events cannot take all the memory.
std::shared_ptr<VectorClocks::Clock> VectorClocks::share(Clock clock) {
  steps_ += clock.size();
  *live_entries_ += clock.size();
  return {new Clock(std::move(clock)), [live = live_entries_](const Clock* dead) {
            *live -= dead->size();
            delete dead;
          }};
}

VectorClocks::SharedClock VectorClocks::with(const Point& point) {
  SharedClock clock = point.with.lock();
  if (clock) return clock;
  Clock more = point.before ? *point.before : Clock(lanes_, 0);
  more[point.position.lane] = point.position.number;
  point.with = clock = share(std::move(more));
  return clock;
}

bool VectorClocks::comes_after(const Point& point, Position earlier) {
  if (earlier.number == 0) return true;
  if (point.position.lane == earlier.lane) return point.position.number >= earlier.number;
  return point.before && (*point.before)[earlier.lane] >= earlier.number;
}

void VectorClocks::add(Clock& all, const Point& point) {
  if (point.before && point.before.get() != added_) {
    steps_ += all.size();
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = std::max(all[i], (*point.before)[i]);
    added_ = point.before.get();
  }
  all[point.position.lane] = std::max(all[point.position.lane], point.position.number);
}

void VectorClocks::begin(const Operation& operation, std::optional<StreamId> stream) {
  thread_ = operation.thread;
  lane_.reset();
  if (stream) lane_ = lane_of(*stream, operation.thread);
  clock_ = own_clock_ = nullptr;
  newest_ = {};
  added_ = nullptr;
}

// A clock that has a point has all that this point comes after.
void VectorClocks::behind(const Point& point, DependencyKind) {
  if (!lane_) return waited(point);
  if (clock_ && (*clock_)[point.position.lane] >= point.position.number) return;
  if (comes_after(point, newest_)) {
    clock_ = point.position.lane == *lane_ ? point.before : with(point);
    newest_ = point.position;
    return;
  }
  if (newest_ != kSeveral) clock_ = own_clock_ = share(clock_ ? *clock_ : Clock(lanes_, 0));
  newest_ = kSeveral;
  add(*own_clock_, point);
}

VectorClocks::Point VectorClocks::issued(OperationIndex) {
  added_ = nullptr;
  return {{*lane_, ++issued_[*lane_]}, clock_, {}};
}

void VectorClocks::waited(const Point& point) {
  Clock& host = hosts_[thread_.value];
  if (host[point.position.lane] < point.position.number) add(host, point);
}

void VectorClocks::starts(ThreadId thread) {
  *live_entries_ += lanes_;
  if (!gave_up()) hosts_[thread.value] = hosts_[0];
}

void VectorClocks::joins(ThreadId thread) {
  const Clock joined = std::exchange(hosts_[thread.value], {});
  *live_entries_ -= joined.size();
  for (std::size_t i = 0; i < joined.size(); ++i) hosts_[0][i] = std::max(hosts_[0][i], joined[i]);
}

std::optional<Position> VectorClocks::position() const {
  if (!lane_) return std::nullopt;
  return Position{*lane_, issued_[*lane_]};
}

std::optional<Position> VectorClocks::host_position() {
  if (program_.threads.size() == 1) return std::nullopt;
  const std::uint32_t lane = host_lanes_ + thread_.value;
  // It is over when the call returns.
  return Position{lane, hosts_[thread_.value][lane] = ++issued_[lane]};
}

bool VectorClocks::ended_before(Position earlier) const {
  if (hosts_[thread_.value][earlier.lane] >= earlier.number) return true;
  if (!lane_) return false;
  return earlier.lane == *lane_ || (clock_ && (*clock_)[earlier.lane] >= earlier.number);
}

}  // namespace streamscope::program
