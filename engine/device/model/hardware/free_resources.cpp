#include "engine/device/model/hardware/free_resources.h"

#include <algorithm>
#include <bit>

namespace streamscope::model {
namespace {

// Divisions cost the most here, so they are multiplications by a reciprocal: exact below 2^31, as a profile's numbers
// are.
constexpr int kPoint = 63;
std::uint64_t reciprocal(std::uint32_t need) { return need == 0 ? 0 : (std::uint64_t{1} << kPoint) / need + 1; }
std::uint32_t times(std::uint32_t free, std::uint64_t reciprocal) {
  return static_cast<std::uint32_t>(static_cast<unsigned __int128>(free) * reciprocal >> kPoint);
}

std::uint32_t upper(std::uint64_t packed) { return static_cast<std::uint32_t>(packed >> 32); }
std::uint32_t lower(std::uint64_t packed) { return static_cast<std::uint32_t>(packed); }

}  // namespace

FreeResources::FreeResources(const Profile& profile)
    : empty_{packed(profile.compute.blocks, profile.compute.threads),
             packed(profile.compute.shared_bytes, profile.compute.registers)},
      runs_(static_cast<std::size_t>(profile.compute.multiprocessors)),
      begins_((runs_.size() + 63) / 64, 0),
      multiprocessors_by_fit_(profile.compute.blocks + 1, 0) {
  runs_[0] = {static_cast<std::uint32_t>(runs_.size()), 0, empty_, 0, 0};
  begins_[0] = 1;
  multiprocessors_by_fit_[0] = runs_[0].end;
}

std::uint32_t FreeResources::fit(const Needs& free) const {
  const std::uint32_t blocks = upper(free.blocks_threads);
  if (shape_.carveout > free.carveout && blocks < upper(empty_.blocks_threads)) return 0;
  std::uint32_t fitting = std::min(blocks, times(lower(free.blocks_threads), per_threads_));
  if (per_shared_bytes_ > 0) fitting = std::min(fitting, times(upper(free.shared_registers), per_shared_bytes_));
  if (per_registers_ > 0) fitting = std::min(fitting, times(lower(free.shared_registers), per_registers_));
  return fitting;
}

void FreeResources::count_anew(const Needs& shape) {
  shape_ = shape;
  per_threads_ = reciprocal(lower(shape.blocks_threads));
  per_shared_bytes_ = reciprocal(upper(shape.shared_registers));
  per_registers_ = reciprocal(lower(shape.shared_registers));
  std::fill(multiprocessors_by_fit_.begin(), multiprocessors_by_fit_.end(), 0);
  fitting_ = 0;
  fit_when_empty_ = fit(empty_);
  for (std::uint32_t run = 0; run < runs_.size(); run = runs_[run].end) {
    runs_[run].fit = fit(runs_[run].free);
    multiprocessors_by_fit_[runs_[run].fit] += runs_[run].end - run;
    fitting_ += std::uint64_t{runs_[run].end - run} * runs_[run].fit;
  }
}

// `is_counted`: the shape is that of the blocks that are counted. `blocks` below 0: they are given back.
inline void FreeResources::change(std::uint32_t run, const Needs& shape, bool is_counted, std::int32_t blocks) {
  auto& [end, fitting, free, busy, step] = runs_[run];
  const auto by = static_cast<std::uint64_t>(std::int64_t{blocks});  // modulo 2^64
  if (blocks > 0 && free.blocks_threads == empty_.blocks_threads) free.carveout = shape.sets_aside;
  free.blocks_threads -= by * shape.blocks_threads;
  free.shared_registers -= by * shape.shared_registers;
  const std::uint32_t multiprocessors = end - run, before = fitting;
  fitting = is_counted ? before - static_cast<std::uint32_t>(blocks) : fit(free);
  multiprocessors_by_fit_[before] -= multiprocessors;
  multiprocessors_by_fit_[fitting] += multiprocessors;
  fitting_ += std::uint64_t{multiprocessors} * fitting - std::uint64_t{multiprocessors} * before;
}

// The first multiprocessor of the run that this one is in.
std::uint32_t FreeResources::run_of(std::uint32_t at) const {
  std::uint32_t word = at / 64;
  std::uint64_t begins = begins_[word] << (63 - at % 64);
  if (begins != 0) return at - static_cast<std::uint32_t>(std::countl_zero(begins));
  while (begins_[--word] == 0) continue;
  return word * 64 + 63 - static_cast<std::uint32_t>(std::countl_zero(begins_[word]));
}

// Divides the run: another begins at that multiprocessor.
void FreeResources::split(std::uint32_t run, std::uint32_t at) {
  runs_[at] = runs_[run];
  runs_[run].end = at;
  begins_[at / 64] |= std::uint64_t{1} << at % 64;
}

// Joins runs that have become alike: those from `first` to `end`, and their neighbours on packed sides.
void FreeResources::join_around(std::uint32_t first, std::uint32_t end) {
  const std::uint32_t last = std::min(end, static_cast<std::uint32_t>(runs_.size()) - 1);
  for (std::uint32_t run = first > 0 ? run_of(first - 1) : 0; runs_[run].end <= last;) {
    const std::uint32_t next = runs_[run].end;
    const bool as_busy = std::max(runs_[run].busy, now_) == std::max(runs_[next].busy, now_);
    if (as_busy && runs_[run].step == runs_[next].step && runs_[run].free == runs_[next].free) {
      runs_[run].end = runs_[next].end;
      begins_[next / 64] &= ~(std::uint64_t{1} << next % 64);
    } else {
      run = next;
    }
  }
}

// Puts `blocks` on each multiprocessor of the run; returns how many that makes.
std::uint64_t FreeResources::place(std::uint32_t run, std::uint32_t blocks, const Request& request,
                                   Placements& placed) {
  auto& [end, fit, free, busy, step] = runs_[run];
  busy = std::max(busy, now_);
  placed.push_back({run, end - run, blocks, step, busy - now_});
  busy += static_cast<Nanoseconds>(blocks) * request.work;
  step += static_cast<Nanoseconds>(blocks) * request.step;
  change(run, shape_, true, static_cast<std::int32_t>(blocks));
  return std::uint64_t{end - run} * blocks;
}

std::uint64_t FreeResources::take(const Request& request, Nanoseconds now, Placements& placed) {
  placed.clear();
  now_ = now;
  count_for(needs(request.grid));
  const std::uint64_t count = std::min(fitting_, request.most);
  if (count == 0) return 0;
  std::uint64_t left = count;

  // First the multiprocessors that are to get several blocks each.
  if (request.each > 1) {
    std::uint32_t level = fit_when_empty_;
    while (multiprocessors_by_fit_[level] == 0) --level;
    for (std::uint32_t places = request.places; left > 0 && places > 0 && level > 0; --level) {
      const std::uint32_t each = std::min(level, request.each);
      for (std::uint32_t run = 0; run < runs_.size() && places > 0 && left > 0; run = runs_[run].end) {
        if (runs_[run].fit != level) continue;
        const auto blocks = static_cast<std::uint32_t>(std::min<std::uint64_t>(each, left));
        const auto alike = static_cast<std::uint32_t>(std::min<std::uint64_t>(places, left / blocks));
        if (alike < runs_[run].end - run) split(run, run + alike);
        places -= runs_[run].end - run;
        left -= place(run, blocks, request, placed);
      }
    }
  }
  if (left > 0) {
    // Fill until every multiprocessor has room for at most `level` more, then give the rest one each.
    std::uint32_t level = left < fitting_ ? fit_when_empty_ : 0;
    while (level > 0 && multiprocessors_by_fit_[level] == 0) --level;
    std::uint64_t single = level > 0 ? left : 0;
    for (std::uint64_t roomy = multiprocessors_by_fit_[level]; level > 0 && roomy <= single;) {
      single -= roomy;
      if (--level > 0) roomy += multiprocessors_by_fit_[level];
    }
    for (std::uint32_t run = 0; left > 0; run = runs_[run].end) {
      std::uint32_t blocks = runs_[run].fit > level ? runs_[run].fit - level : 0;
      if (single > 0 && level > 0 && runs_[run].fit >= level) {
        ++blocks;
        if (single < runs_[run].end - run) split(run, run + static_cast<std::uint32_t>(single));
        single -= runs_[run].end - run;
      }
      if (blocks > 0) left -= place(run, blocks, request, placed);
    }
  }
  std::uint32_t first = placed.front().first, end = 0;
  for (const Placement& some : placed) {
    first = std::min(first, some.first);
    end = std::max(end, some.first + some.multiprocessors);
  }
  join_around(first, end);
  return count;
}

std::uint32_t FreeResources::working(Nanoseconds now) const {
  std::uint32_t all = 0;
  for (std::uint32_t run = 0; run < runs_.size(); run = runs_[run].end) {
    if (runs_[run].busy > now) all += runs_[run].end - run;
  }
  return all;
}

void FreeResources::give_back(const Grid& grid, Nanoseconds step, const Placements& placed) {
  const Needs shape = needs(grid);
  const bool is_counted = shape == shape_;
  std::uint32_t least = static_cast<std::uint32_t>(runs_.size()), most = 0;
  for (const auto& [first, multiprocessors, blocks, others, wait] : placed) {
    const std::uint32_t end = first + multiprocessors;
    if (const std::uint32_t run = run_of(first); run < first) split(run, first);
    for (std::uint32_t run = first; run < end; run = runs_[run].end) {
      if (runs_[run].end > end) split(run, end);
      change(run, shape, is_counted, -static_cast<std::int32_t>(blocks));
      runs_[run].step -= static_cast<Nanoseconds>(blocks) * step;
    }
    least = std::min(least, first);
    most = std::max(most, end);
  }
  join_around(least, most);
}

}  // namespace streamscope::model
