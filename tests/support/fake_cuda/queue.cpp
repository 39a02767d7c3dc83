#include "tests/support/fake_cuda/queue.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "tests/support/fake_cuda/clock.h"

namespace streamscope::fake_cuda {
namespace {

constexpr Nanoseconds kEventTakes = 1'250;
constexpr Nanoseconds kNever = std::numeric_limits<Nanoseconds>::max();

bool waits_for_host(const Work& work) {
  if (work.ended) return false;
  return work.watch != nullptr || std::any_of(work.after.begin(), work.after.end(),
                                              [](const WorkPtr& before) { return waits_for_host(*before); });
}

}  // namespace

Queue::~Queue() = default;

CUstream_st* Queue::make_stream(bool nonblocking) {
  auto made = std::make_unique<CUstream_st>();
  made->nonblocking = nonblocking;
  made->device = current_device;
  CUstream_st* const handle = made.get();
  streams_.emplace(handle, std::move(made));
  return handle;
}

bool Queue::destroy_stream(CUstream_st* stream) { return streams_.erase(stream) == 1; }

CUevent_st* Queue::make_event(bool timing) {
  auto made = std::make_unique<CUevent_st>();
  made->timing = timing;
  made->device = current_device;
  CUevent_st* const handle = made.get();
  events_.emplace(handle, std::move(made));
  return handle;
}

bool Queue::destroy_event(CUevent_st* event) { return events_.erase(event) == 1; }

CUstream_st* Queue::find(CUstream_st* handle) {
  const bool is_legacy = handle == nullptr || handle == cudaStreamLegacy;
  if (is_legacy || handle == cudaStreamPerThread) {
    auto& own = is_legacy ? legacy_[current_device] : per_thread_[{std::this_thread::get_id(), current_device}];
    if (!own) own = std::make_unique<CUstream_st>();
    own->legacy = is_legacy;
    own->device = current_device;
    return own.get();
  }
  return streams_.contains(handle) ? handle : nullptr;
}

CUevent_st* Queue::find(CUevent_st* handle) { return events_.contains(handle) ? handle : nullptr; }

WorkPtr Queue::put(CUstream_st* stream, Work work) {
  auto put = std::make_shared<Work>(std::move(work));
  put->issued = clock_.now();
  put->device = stream->device;
  const auto comes_after = [&](const std::unique_ptr<CUstream_st>& other) {
    if (!other || other->device != stream->device || other->nonblocking) return;
    if (other->last && !other->last->ended) put->after.push_back(other->last);
  };
  if (stream->last && !stream->last->ended) put->after.push_back(stream->last);
  if (stream->legacy) {
    for (const auto& [handle, other] : streams_) comes_after(other);
    for (const auto& [thread, other] : per_thread_) comes_after(other);
  } else if (!stream->nonblocking) {
    for (const auto& [device, other] : legacy_) comes_after(other);
  }
  stream->last = put;
  unfinished_.push_back(put);
  return put;
}

WorkPtr Queue::put(CUstream_st* stream, std::function<Work()> make) {
  if (stream->capturing == nullptr) return put(stream, make());
  stream->capturing->nodes.push_back({std::move(make), std::move(stream->frontier), nullptr, nullptr});
  stream->frontier = {stream->capturing->nodes.size() - 1};
  return nullptr;
}

void Queue::record(CUevent_st* event, CUstream_st* stream) {
  event->captured = stream->capturing;
  if (stream->capturing != nullptr) {
    event->frontier = stream->frontier;
    return;
  }
  Work work;
  work.duration = kEventTakes;
  event->record = put(stream, std::move(work));
}

void Queue::wait_event(CUstream_st* stream, CUevent_st* event) {
  if (event->captured != nullptr) {
    stream->capturing = event->captured;
    stream->frontier.insert(stream->frontier.end(), event->frontier.begin(), event->frontier.end());
    return;
  }
  const WorkPtr waits = put(stream, Work{});
  if (event->record && !event->record->ended) waits->after.push_back(event->record);
}

bool Queue::record_external(CUevent_st* event, CUstream_st* stream) {
  if (stream->capturing == nullptr) return false;
  const auto make = [] {
    Work work;
    work.duration = kEventTakes;
    return work;
  };
  put(stream, make);
  stream->capturing->nodes.back().records = event;
  return true;
}

bool Queue::wait_external(CUstream_st* stream, CUevent_st* event) {
  if (stream->capturing == nullptr) return false;
  put(stream, [] { return Work{}; });
  stream->capturing->nodes.back().waits = event;
  return true;
}

std::vector<WorkPtr> Queue::pending(CUstream_st* stream) const {
  std::vector<WorkPtr> works;
  const auto add = [&](const CUstream_st& one) {
    if (one.last && !one.last->ended) works.push_back(one.last);
  };
  add(*stream);
  if (stream->legacy) {
    for (const auto& [handle, other] : streams_) {
      if (!other->nonblocking && other->device == stream->device) add(*other);
    }
    for (const auto& [thread, other] : per_thread_) {
      if (other->device == stream->device) add(*other);
    }
  }
  return works;
}

std::vector<WorkPtr> Queue::pending() const {
  std::vector<WorkPtr> works;
  std::copy_if(unfinished_.begin(), unfinished_.end(), std::back_inserter(works),
               [](const WorkPtr& work) { return work->device == current_device; });
  return works;
}

Nanoseconds Queue::ready(const Work& work) const {
  Nanoseconds at = work.issued;
  for (const WorkPtr& before : work.after) {
    if (!before->ended) return kNever;
    at = std::max(at, before->end);
  }
  return at;
}

Nanoseconds Queue::could_start(const Work& work) const {
  const Nanoseconds at = ready(work);
  if (at == kNever || work.engine == FakeEngine::none) return at;
  const auto free = engine_free_.find(work.device);
  return free == engine_free_.end() ? at : std::max(at, free->second[static_cast<std::size_t>(work.engine)]);
}

// Of those that could start at the same time the one that has been ready for longest; then the first issued.
WorkPtr Queue::first_to_start() const {
  WorkPtr first;
  for (const WorkPtr& work : unfinished_) {
    if (known(work->start) || could_start(*work) == kNever) continue;
    if (!first || could_start(*work) < could_start(*first) ||
        (could_start(*work) == could_start(*first) && ready(*work) < ready(*first))) {
      first = work;
    }
  }
  return first;
}

WorkPtr Queue::first_to_end() const {
  WorkPtr first;
  for (const WorkPtr& work : unfinished_) {
    if (known(work->end) && (!first || work->end < first->end)) first = work;
  }
  return first;
}

void Queue::start(const WorkPtr& work, Nanoseconds at) {
  work->start = at;
  running_on_ = work->device;
  if (work->fails != 0 && work->begin) work->begin(at);
  if (work->kernel && faults && faults(work->fails)) {
    drop_all();
    return;
  }
  if (work->watch) {
    work->watch->begin(at);
    return;
  }
  if (work->begin) work->duration = work->begin(at);
  if (work->abandon != nullptr && *work->abandon != 0) work->duration = 0;
  work->end = at + work->duration;
  if (work->engine != FakeEngine::none) engine_free_[work->device][static_cast<std::size_t>(work->engine)] = work->end;
}

void Queue::end(const WorkPtr& work) {
  const WorkPtr keep = work;
  std::erase(unfinished_, keep);
  keep->ended = true;
  keep->after.clear();
  running_on_ = keep->device;
  if (keep->finish) keep->finish(keep->end);
  keep->finish = nullptr;
  keep->begin = nullptr;
  // It may have been the copy that ends spins early.
  for (const WorkPtr& other : unfinished_) {
    if (known(other->end) && other->abandon != nullptr && *other->abandon != 0) {
      other->end = std::min(other->end, std::max(keep->end, other->start));
    }
  }
}

void Queue::advance() {
  const Nanoseconds now = clock_.now();
  while (true) {
    for (const WorkPtr& work : unfinished_) {
      if (!work->watch || !known(work->start) || known(work->end)) continue;
      running_on_ = work->device;
      const Nanoseconds limit = work->watch->limit();
      if (!work->watch->over(now)) continue;
      work->end = std::min(now, limit);
      if (now >= limit) ++ended_by_limit;
    }
    const WorkPtr ends = first_to_end(), starts = first_to_start();
    if (ends && ends->end <= now && (!starts || ends->end <= could_start(*starts))) {
      end(ends);
    } else if (starts && could_start(*starts) <= now) {
      start(starts, could_start(*starts));
    } else {
      return;
    }
  }
}

Nanoseconds Queue::next_time() const {
  Nanoseconds next = kNever;
  for (const WorkPtr& work : unfinished_) {
    if (known(work->end)) {
      next = std::min(next, work->end);
    } else if (known(work->start)) {
      next = std::min(next, work->watch->limit());
    } else {
      next = std::min(next, could_start(*work));
    }
  }
  return next;
}

bool Queue::wait(const std::vector<WorkPtr>& works) {
  while (std::any_of(works.begin(), works.end(), [](const WorkPtr& work) { return !work->ended; })) {
    const Nanoseconds next = next_time();
    if (next == kNever) return false;
    clock_.pass_until(next);
    advance();
  }
  return true;
}

void Queue::drop_all() {
  for (const WorkPtr& work : std::exchange(unfinished_, {})) {
    work->ended = true;
    work->end = clock_.now();
    work->after.clear();
    if (work->hears_of_faults && !known(work->start)) work->begin(clock_.now());
  }
}

bool Queue::watches_host() const {
  return std::any_of(unfinished_.begin(), unfinished_.end(),
                     [](const WorkPtr& work) { return work->watch != nullptr; });
}

std::size_t Queue::held_streams() {
  advance();
  std::size_t held = 0;
  const auto look = [&](const std::unique_ptr<CUstream_st>& stream) {
    if (stream && stream->last && waits_for_host(*stream->last)) ++held;
  };
  for (const auto& [handle, stream] : streams_) look(stream);
  for (const auto& [thread, stream] : per_thread_) look(stream);
  for (const auto& [device, stream] : legacy_) look(stream);
  return held;
}

}  // namespace streamscope::fake_cuda
