#include "engine/program/clocks.h"

#include <algorithm>
#include <utility>

#include "engine/program/order.h"

namespace streamscope {

Clocks::Clocks(const Program& program)
    : program_(program),
      streams_(program.streams.size()),
      events_(program.events.size()),
      legacy_(program.streams.size(), 0),
      host_(program.streams.size(), 0),
      in_since_device_(program.streams.size(), false) {}

// Counted, so that a program with very many streams and events cannot take all the memory.
Clocks::Shared Clocks::made(Seen seen) {
  *live_ += seen.size();
  return {new Seen(std::move(seen)), [live = live_](const Seen* dead) {
            *live -= dead->size();
            delete dead;
          }};
}

void Clocks::into(Seen& all, const Shared& seen) {
  if (!seen) return;
  work_ += all.size();
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = std::max(all[i], (*seen)[i]);
}

// One of the two where it contains the other.
Clocks::Shared Clocks::joined(const Shared& left, const Shared& right) {
  if (!right || left == right) return left;
  if (!left) return right;
  work_ += left->size();
  bool left_has_all = true, right_has_all = true;
  for (std::size_t i = 0; i < left->size(); ++i) {
    left_has_all &= (*left)[i] >= (*right)[i];
    right_has_all &= (*left)[i] <= (*right)[i];
  }
  if (left_has_all) return left;
  if (right_has_all) return right;
  Seen both = *left;
  into(both, right);
  return made(std::move(both));
}

Clocks::Shared Clocks::with(const Shared& seen, Position position) {
  if (seen && (*seen)[position.stream] >= position.number) return seen;
  Seen more = seen ? *seen : Seen(streams_.size(), 0);
  work_ += more.size();
  more[position.stream] = position.number;
  return made(std::move(more));
}

void Clocks::see_legacy(std::uint32_t stream) {
  StreamState& state = streams_[stream];
  if (!blocking(stream) || state.legacy_version == legacy_version_) return;
  state.legacy_version = legacy_version_;
  if (!legacy_shared_) {
    work_ += legacy_.size();
    legacy_shared_ = made(legacy_);
  }
  state.seen = joined(state.seen, legacy_shared_);
}

// All work in blocking streams so far, and what came before it.
void Clocks::gather_legacy() {
  if (since_legacy_.empty() && streams_[kLegacyStream.value].number == legacy_[kLegacyStream.value] &&
      !streams_[kLegacyStream.value].seen) {
    return;
  }
  for (const std::uint32_t stream : since_legacy_) {
    into(legacy_, streams_[stream].seen);
    legacy_[stream] = std::max(legacy_[stream], streams_[stream].number);
    streams_[stream].since_legacy = false;
  }
  since_legacy_.clear();
  StreamState& own = streams_[kLegacyStream.value];
  into(legacy_, own.seen);
  own.seen = nullptr;  // kept in legacy_ from here on
  legacy_[kLegacyStream.value] = own.number;
  ++legacy_version_;
  legacy_shared_ = nullptr;
}

std::optional<Position> Clocks::enter(const Operation& operation) {
  const auto stream = ordered_in(operation);
  if (!stream) {
    std::visit(
        [&](const auto& work) {
          using T = std::decay_t<decltype(work)>;
          if constexpr (std::is_same_v<T, op::SyncDevice>) {
            for (const std::uint32_t one : since_device_) {
              host_[one] = streams_[one].number;
              in_since_device_[one] = false;
            }
            since_device_.clear();
          } else if constexpr (std::is_same_v<T, op::SyncStream> || std::is_same_v<T, op::PollStream>) {
            wait_for_stream(work.stream);
          } else if constexpr (std::is_same_v<T, op::SyncEvent> || std::is_same_v<T, op::PollEvent>) {
            if (work.record != kNoOperation) wait_for(events_[work.event.value]);
          }
        },
        operation.work);
    return std::nullopt;
  }
  StreamState& state = streams_[stream->value];
  if (const auto* wait = std::get_if<op::Wait>(&operation.work); wait && wait->record != kNoOperation) {
    const Recorded& recorded = events_[wait->event.value];
    if (recorded.position.stream != stream->value) {
      state.seen = joined(state.seen, with(recorded.seen, recorded.position));
    }
  }
  if (*stream == kLegacyStream) {
    gather_legacy();
  } else if (blocking(stream->value) && !state.since_legacy) {
    state.since_legacy = true;
    since_legacy_.push_back(stream->value);
  }
  if (!in_since_device_[stream->value]) {
    in_since_device_[stream->value] = true;
    since_device_.push_back(stream->value);
  }
  ++state.number;
  return Position{stream->value, state.number};
}

void Clocks::leave(const Operation& operation) {
  const auto stream = ordered_in(operation);
  if (!stream) return;
  StreamState& state = streams_[stream->value];
  if (*stream == kLegacyStream) {
    legacy_[kLegacyStream.value] = state.number;
    ++legacy_version_;
    legacy_shared_ = nullptr;
  }
  if (const auto* record = std::get_if<op::Record>(&operation.work)) {
    see_legacy(stream->value);
    events_[record->event.value] = {{stream->value, state.number}, state.seen};
  }
  if (const auto* copy = std::get_if<op::BlockingCopy>(&operation.work)) {
    if (!returns_after_staging(program_, *copy)) wait_for_stream(kLegacyStream);
  }
}

void Clocks::wait_for(const Recorded& recorded) {
  into(host_, recorded.seen);
  host_[recorded.position.stream] = std::max(host_[recorded.position.stream], recorded.position.number);
}

void Clocks::wait_for_stream(StreamId stream) {
  if (stream == kLegacyStream) gather_legacy();
  see_legacy(stream.value);
  wait_for({{stream.value, streams_[stream.value].number}, streams_[stream.value].seen});
}

bool Clocks::ended_before(Position earlier, std::optional<StreamId> stream) const {
  if (host_[earlier.stream] >= earlier.number) return true;
  if (!stream) return false;
  if (earlier.stream == stream->value) return true;
  if (blocking(stream->value) && legacy_[earlier.stream] >= earlier.number) return true;
  const Shared& seen = streams_[stream->value].seen;
  return seen && (*seen)[earlier.stream] >= earlier.number;
}

}  // namespace streamscope
