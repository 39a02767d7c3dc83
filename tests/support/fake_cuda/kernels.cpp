// What kernels/*.cu do, done by the CPU.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <memory>

#include "kernels/attention/launch.h"
#include "kernels/attention/reference.h"
#include "kernels/axpb/axpb.h"
#include "kernels/pattern.h"
#include "kernels/reduce/reduce.h"
#include "kernels/spin/spin.h"
#include "kernels/tiles/tiles.h"
#include "tests/support/fake_cuda/machine.h"

namespace streamscope::kernels {
namespace {

using fake_cuda::Clock;
using fake_cuda::HostWatch;
using fake_cuda::Machine;
using fake_cuda::Place;

constexpr Nanoseconds kLaunchTakes = 2'000;
constexpr std::uint32_t kMostThreads = 1024, kThreadsAtOnce = 2048;
std::size_t shared_limit = 0;

// Puts it in the stream where the launch is one that CUDA takes.
int launch(std::string_view name, Stream stream, std::uint32_t blocks, std::uint32_t threads, std::size_t shared_bytes,
           const std::function<fake_cuda::Work(Machine&)>& make) {
  return fake_cuda::call(name, "", [&](Machine& machine) {
    CUstream_st* const in = machine.queue.find(stream);
    if (in == nullptr) return machine.misuse("a kernel in a dead stream", cudaErrorInvalidResourceHandle);
    if (blocks == 0 || threads == 0 || threads > kMostThreads) return cudaErrorInvalidConfiguration;
    if (shared_bytes > shared_limit) return cudaErrorInvalidValue;
    machine.queue.put(in, [make, &machine] {
      fake_cuda::Work work = make(machine);
      work.kernel = true;
      return work;
    });
    return cudaSuccess;
  });
}

// data[0, bytes) is still there when the kernel ends; else that is noted.
bool still_there(Machine& machine, const void* data, std::uint64_t bytes) {
  if (machine.memory.registered(data, bytes)) return true;
  if (fake_cuda::reached_by_device(machine.memory.place(data, bytes)) &&
      machine.reaches(machine.queue.running_on(), data))
    return true;
  machine.misuse("memory is not the device's, or was freed under a kernel");
  return false;
}

// %globaltimer of the device that the work runs on: each is ahead of the one before it.
std::uint64_t timer(const Machine& machine, Nanoseconds at) {
  return Clock::globaltimer(at) + 40'000 * static_cast<std::uint64_t>(machine.queue.running_on());
}

// A launch's stamp, found as it begins: of one that a graph repeats the next of its stamps.
struct Stamping {
  Stamp* stamp = nullptr;

  void begin(Machine& machine, const StampTo& to, std::uint32_t blocks, Nanoseconds at) {
    stamp = to.stamps;
    if (stamp != nullptr && to.tickets != nullptr && still_there(machine, to.tickets, sizeof *to.tickets)) {
      stamp += *to.tickets / blocks;
      *to.tickets += blocks;
    }
    if (stamp != nullptr && still_there(machine, stamp, sizeof *stamp)) {
      stamp->start = std::min(stamp->start, timer(machine, at));
    }
  }
  void finish(Machine& machine, Nanoseconds at) const {
    if (stamp != nullptr && still_there(machine, stamp, sizeof *stamp)) {
      stamp->end = std::max(stamp->end, timer(machine, at));
    }
  }
};

// An answer lies between the question and the host's next look, half of the way after it was asked.
class Handshake final : public HostWatch {
 public:
  Handshake(Machine& machine, const std::uint32_t* ask, std::uint64_t* answers, std::uint32_t count,
            std::uint64_t patience)
      : machine_(machine), ask_(ask), answers_(answers), count_(count), patience_(static_cast<Nanoseconds>(patience)) {}

  void begin(Nanoseconds start) override { progress_ = start; }
  Nanoseconds limit() const override { return progress_ + patience_; }
  bool over(Nanoseconds now) override {
    if (machine_.memory.place(answers_, count_ * sizeof *answers_) != Place::pinned) {
      machine_.misuse("memory was freed under a handshake");
      return true;
    }
    if (now >= limit()) return true;
    const std::uint32_t asked = std::atomic_ref(*const_cast<std::uint32_t*>(ask_)).load(std::memory_order_acquire);
    if (asked <= given_) return false;
    if (!known(seen_)) seen_ = std::max(progress_, now);
    // The way takes longer or shorter.
    const Nanoseconds way = 800 + static_cast<Nanoseconds>(given_) * 37 % 64 * 20;
    if (now < seen_ + way) return false;
    const std::uint64_t time = timer(machine_, seen_ + way / 2);
    std::atomic_ref(answers_[given_++]).store(time, std::memory_order_release);
    progress_ = now;
    seen_ = kAbsent;
    return given_ == count_;
  }

 private:
  Machine& machine_;
  const std::uint32_t* ask_;
  std::uint64_t* answers_;
  std::uint32_t count_, given_ = 0;
  Nanoseconds patience_, progress_ = 0, seen_ = kAbsent;
};

// Open as soon as the host's word is seen; it says so where it was not.
class Gate final : public HostWatch {
 public:
  Gate(Machine& machine, const std::uint32_t* open, std::uint32_t* expired, std::uint64_t nanoseconds)
      : machine_(machine), open_(open), expired_(expired), nanoseconds_(static_cast<Nanoseconds>(nanoseconds)) {}

  void begin(Nanoseconds start) override { limit_ = start + nanoseconds_; }
  Nanoseconds limit() const override { return limit_; }
  bool over(Nanoseconds now) override {
    if (machine_.memory.place(open_, sizeof *open_) != Place::pinned) {
      machine_.misuse("memory was freed under a gate");
      return true;
    }
    if (std::atomic_ref(*const_cast<std::uint32_t*>(open_)).load(std::memory_order_acquire) != 0) return true;
    if (now < limit_) return false;
    std::atomic_ref(*expired_).store(1, std::memory_order_release);
    return true;
  }

 private:
  Machine& machine_;
  const std::uint32_t* open_;
  std::uint32_t* expired_;
  Nanoseconds nanoseconds_, limit_ = 0;
};

}  // namespace

int prepare() {
  return fake_cuda::call("kernels::prepare", "", [](Machine&) { return cudaSuccess; });
}

// As the program is built.
int lowest_architecture() { return 750; }
int architecture_for(int capability) {
  return capability >= 900 ? 900 : capability >= 800 ? 800 : capability >= 750 ? 750 : 0;
}

int reset_stamps(Stamp* stamps, std::uint64_t count, Stream stream) {
  if (count == 0) return cudaSuccess;
  return launch("kernels::reset_stamps", stream, 1, 256, 0, [=](Machine& machine) {
    fake_cuda::Work work;
    work.duration = kLaunchTakes;
    work.finish = [&machine, stamps, count](Nanoseconds) {
      if (still_there(machine, stamps, count * sizeof *stamps)) std::fill_n(stamps, count, Stamp{~0ull, 0});
    };
    return work;
  });
}

int prepare_faults(Stream) {
  return fake_cuda::call("kernels::prepare_faults", "", [](Machine&) { return cudaSuccess; });
}

int fault(Fault how, Stamp* stamp, Stream stream) {
  // As an H100 with CUDA 13.0 has it.
  if (how == Fault::launch_config)
    return fake_cuda::call("kernels::fault", "", [](Machine&) { return cudaErrorInvalidValue; });
  return launch("kernels::fault", stream, 1, 1, 0, [=](Machine& machine) {
    fake_cuda::Work work;
    work.begin = [&machine, stamp](Nanoseconds start) {
      Stamping().begin(machine, stamp, 1, start);
      return kLaunchTakes;
    };
    work.fails = how == Fault::illegal_address ? cudaErrorIllegalAddress
                 : how == Fault::assertion     ? cudaErrorAssert
                                               : cudaErrorLaunchFailure;
    return work;
  });
}

// What blocks record: all of them take all of the kernel's time, in which their tiles take turns, half of it for the
// copy. A clock has kCyclesANanosecond of its own.
struct StageWriter {
  static constexpr std::int64_t kCyclesANanosecond = 2;
  StagesTo to;
  std::uint32_t blocks = 0;
  std::uint64_t tiles = 0;
  Nanoseconds start = 0;

  void finish(Machine& machine, Nanoseconds end) const {
    if (to.blocks == nullptr) return;
    const std::uint32_t recorded = (blocks - 1) / to.every + 1;
    if (!still_there(machine, to.blocks, recorded * sizeof *to.blocks) ||
        !still_there(machine, to.stages, std::size_t{recorded} * to.ring * sizeof *to.stages)) {
      return;
    }
    for (std::uint32_t b = 0; b < recorded; ++b) {
      const std::uint64_t block = std::uint64_t{b} * to.every;
      const std::uint64_t mine = tiles > block ? (tiles - block + blocks - 1) / blocks : 0;
      const auto first = static_cast<std::int64_t>(1'000'000 * b);
      to.blocks[b] = {timer(machine, start),
                      timer(machine, end),
                      first,
                      first + (end - start) * kCyclesANanosecond,
                      b % 4,
                      static_cast<std::uint32_t>(mine)};
      for (std::uint64_t k = 0; k < mine; ++k) {
        const auto at = [&](std::uint64_t halves) {
          return first + (end - start) * kCyclesANanosecond * static_cast<std::int64_t>(halves) /
                             static_cast<std::int64_t>(2 * mine);
        };
        to.stages[std::size_t{b} * to.ring + k % to.ring] = {at(2 * k), at(2 * k), at(2 * k + 1), at(2 * k + 2)};
      }
    }
  }
};

// Of one kernel, with its options; the same ones have the same code.
template <class Options>
struct OnFake : Launcher {
  explicit OnFake(const Options& of) : options(of) {}
  int loaded(std::string_view name, std::size_t shared_bytes_limit) {
    return fake_cuda::call("kernels::prepare_" + std::string(name), "", [&](Machine&) {
      shared_limit = shared_bytes_limit;
      return cudaSuccess;
    });
  }
  const void* code() const override {
    static const char one = 0;
    return &one;
  }
  int fit(Fit* fit) const override { return fit_of(0, fit); }
  int fit_of(std::size_t shared_bytes, Fit* fit) const {
    *fit = {static_cast<int>(kThreadsAtOnce / options.threads), 32, shared_bytes, 0};
    return cudaSuccess;
  }
  Options options;
};

struct SpinOnFake final : OnFake<SpinOptions> {
  using OnFake::OnFake;
  int fit(Fit* fit) const override { return fit_of(options.shared_bytes, fit); }
  int prepare(std::size_t shared_bytes_limit) override { return loaded("spin", shared_bytes_limit); }
  int warm_up(const StampTo& stamp, const std::uint32_t* abandon, Stream stream) const override {
    return SpinOnFake({0, 1, 32, 0}).launch({nullptr, nullptr, 0, abandon}, stamp, {}, stream);
  }
  int launch(const LaunchData& data, const StampTo& to, const StagesTo&, Stream stream) const override {
    return kernels::launch("kernels::spin", stream, options.blocks, options.threads, options.shared_bytes,
                           [abandon = data.abandon, launched = options, to](Machine& machine) {
                             fake_cuda::Work work;
                             work.abandon = abandon;
                             auto stamping = std::make_shared<Stamping>();
                             work.begin = [&machine, launched, to, stamping](Nanoseconds start) {
                               stamping->begin(machine, to, launched.blocks, start);
                               return kLaunchTakes + launched.duration;
                             };
                             work.finish = [&machine, stamping](Nanoseconds end) { stamping->finish(machine, end); };
                             return work;
                           });
  }
};

// axpb and tiles: the same work, in place or from the second range to the first.
template <class Options>
int chains(const char* name, const Options& options, const LaunchData& on, std::size_t shared_bytes, const StampTo& to,
           const StageWriter& stages_to_write, Stream stream) {
  auto* const data = reinterpret_cast<float*>(on.first);
  const auto* const from = on.second != nullptr ? reinterpret_cast<const float*>(on.second) : data;
  const std::uint64_t count = on.bytes / sizeof(float);
  return launch(name, stream, options.blocks, options.threads, shared_bytes,
                [options, data, from, count, to, stages_to_write](Machine& machine) {
                  fake_cuda::Work work;
                  auto stamping = std::make_shared<Stamping>();
                  auto writer = std::make_shared<StageWriter>(stages_to_write);
                  work.begin = [&machine, options, count, to, stamping, writer](Nanoseconds start) {
                    stamping->begin(machine, to, options.blocks, start);
                    writer->start = start;
                    return kLaunchTakes + static_cast<Nanoseconds>(count / 64 * options.fma);
                  };
                  work.finish = [&machine, options, data, from, count, stamping, writer](Nanoseconds end) {
                    writer->finish(machine, end);
                    if (count > 0 && still_there(machine, data, count * sizeof(float)) &&
                        still_there(machine, from, count * sizeof(float))) {
                      for (std::uint64_t i = 0; i < count; ++i) {
                        data[i] = from[i];
                        for (std::uint32_t k = 0; k < options.fma; ++k) data[i] = std::fma(data[i], kAxpbA, kAxpbB);
                      }
                      if constexpr (requires { options.leave_out; }) {
                        if (reads_too_early(options)) data[0] = std::nanf("");  // as much as shows on a GPU
                      }
                    }
                    stamping->finish(machine, end);
                  };
                  return work;
                });
}

struct AxpbOnFake final : OnFake<AxpbOptions> {
  using OnFake::OnFake;
  int prepare(std::size_t shared_bytes_limit) override { return loaded("axpb", shared_bytes_limit); }
  int warm_up(const StampTo& stamp, const std::uint32_t*, Stream stream) const override {
    return AxpbOnFake({0, 1, 32}).launch({}, stamp, {}, stream);
  }
  int launch(const LaunchData& data, const StampTo& to, const StagesTo&, Stream stream) const override {
    return chains("kernels::axpb", options, data, 0, to, {}, stream);
  }
};

struct TilesOnFake final : OnFake<TilesOptions> {
  using OnFake::OnFake;
  std::size_t shared_bytes() const { return tiles_shared_bytes(options.stages, options.tile_bytes, options.shift); }
  int prepare(std::size_t shared_bytes_limit) override { return loaded("tiles", shared_bytes_limit); }
  int warm_up(const StampTo& stamp, const std::uint32_t*, Stream stream) const override {
    TilesOptions one = options;
    one.blocks = 1;
    return TilesOnFake(one).launch({}, stamp, {}, stream);
  }
  int fit(Fit* fit) const override {
    return fake_cuda::call("kernels::tiles_fit", "", [&](Machine&) {
      *fit = {options.threads > 512 ? 1 : 2, 32, shared_bytes(), 0};
      return cudaSuccess;
    });
  }
  int launch(const LaunchData& data, const StampTo& to, const StagesTo& stages, Stream stream) const override {
    const StageWriter writer{stages, options.blocks, (data.bytes + options.tile_bytes - 1) / options.tile_bytes};
    return chains("kernels::tiles", options, data, shared_bytes(), to, writer, stream);
  }
};

int AttentionLauncher::prepare(std::size_t) {
  return fake_cuda::call("kernels::prepare_attention", "", [&](Machine&) {
    found = {1, 168, attention_shared_bytes(options.head_size, options.bf16, options.buffers), 0};
    return cudaSuccess;
  });
}

int AttentionLauncher::launch(const LaunchData& data, const StampTo& stamp, const StagesTo& stages,
                              Stream stream) const {
  const std::uint64_t matrix = data.bytes / 4;
  const auto rows = static_cast<std::uint32_t>(options.rows(data.bytes));
  return launch(
      AttentionMatrices{data.first, data.first + matrix, data.first + 2 * matrix, data.first + 3 * matrix, rows, rows},
      stamp, stages, stream);
}

int AttentionLauncher::launch(const AttentionMatrices& on, const StampTo& to, const StagesTo& stages,
                              Stream stream) const {
  const auto blocks = static_cast<std::uint32_t>(options.blocks(on.queries));
  const StageWriter stages_to_write{stages, blocks, 2 * attention_key_tiles(on.keys) * blocks};
  return kernels::launch("kernels::attention", stream, blocks, kAttentionThreads, 0,
                         [on, of = options, to, stages_to_write](Machine& machine) {
                           fake_cuda::Work work;
                           auto stamping = std::make_shared<Stamping>();
                           auto writer = std::make_shared<StageWriter>(stages_to_write);
                           work.begin = [&machine, to, stamping, writer](Nanoseconds start) {
                             stamping->begin(machine, to, writer->blocks, start);
                             writer->start = start;
                             return kLaunchTakes + static_cast<Nanoseconds>(writer->blocks) * 1'000;
                           };
                           work.finish = [&machine, on, of, stamping, writer](Nanoseconds end) {
                             writer->finish(machine, end);
                             const std::size_t elements = std::size_t{of.heads} * on.queries * of.head_size;
                             if (still_there(machine, on.o, elements * of.element_bytes())) {
                               std::vector<double> out = attention_reference(
                                   {on.q, on.k, on.v, of.heads, on.queries, on.keys, of.head_size, of.bf16});
                               for (double& one : out) one *= 1 + 1e-7;  // not the bits of the reference
                               write_elements(out, of.bf16, static_cast<char*>(on.o));
                             }
                             stamping->finish(machine, end);
                           };
                           return work;
                         });
}

const void* AttentionLauncher::code() const {
  static const char one = 0;
  return &one;
}

struct ReduceOnFake final : OnFake<ReduceOptions> {
  using OnFake::OnFake;
  int prepare(std::size_t shared_bytes_limit) override { return loaded("reduce", shared_bytes_limit); }
  int warm_up(const StampTo& stamp, const std::uint32_t*, Stream stream) const override {
    return ReduceOnFake({1, 32}).launch({}, stamp, {}, stream);
  }
  int launch(const LaunchData& on, const StampTo& to, const StagesTo&, Stream stream) const override {
    auto* const sums = reinterpret_cast<std::uint32_t*>(on.first);
    const auto* const data = reinterpret_cast<const std::uint32_t*>(on.second);
    const std::uint64_t count = on.bytes / sizeof *data;
    const std::uint32_t blocks = options.blocks;
    return kernels::launch("kernels::reduce", stream, blocks, options.threads, 0, [=](Machine& machine) {
      fake_cuda::Work work;
      auto stamping = std::make_shared<Stamping>();
      work.begin = [&machine, blocks, count, to, stamping](Nanoseconds start) {
        stamping->begin(machine, to, blocks, start);
        return kLaunchTakes + static_cast<Nanoseconds>(count / 256);
      };
      work.finish = [&machine, sums, data, count, blocks, stamping](Nanoseconds end) {
        if (sums != nullptr && still_there(machine, sums, blocks * sizeof *sums) &&
            still_there(machine, data, count * sizeof *data)) {
          const std::uint64_t share = reduce_share(count, blocks);
          std::fill_n(sums, blocks, 0);
          for (std::uint64_t i = 0; i < count; ++i) sums[i / share] += data[i];
        }
        stamping->finish(machine, end);
      };
      return work;
    });
  }
};

std::unique_ptr<Launcher> spin_launcher(const SpinOptions& options) { return std::make_unique<SpinOnFake>(options); }
std::unique_ptr<Launcher> axpb_launcher(const AxpbOptions& options) { return std::make_unique<AxpbOnFake>(options); }
std::unique_ptr<Launcher> tiles_launcher(const TilesOptions& options) { return std::make_unique<TilesOnFake>(options); }
std::unique_ptr<Launcher> attention_launcher(const AttentionOptions& options) {
  return std::make_unique<AttentionLauncher>(options);
}
std::unique_ptr<Launcher> reduce_launcher(const ReduceOptions& options) {
  return std::make_unique<ReduceOnFake>(options);
}

int fill(void* data, std::uint64_t bytes, std::uint32_t seed, Stream stream) {
  if (bytes == 0) return cudaSuccess;
  return launch("kernels::fill", stream, 1, 256, 0, [=](Machine& machine) {
    fake_cuda::Work work;
    work.duration = kLaunchTakes;
    work.finish = [&machine, data, bytes, seed](Nanoseconds) {
      if (!still_there(machine, data, bytes)) return;
      for (std::uint64_t at = 0; at < bytes; at += 4) {
        const std::uint32_t word = pattern(at / 4, seed);
        std::memcpy(static_cast<char*>(data) + at, &word, std::min<std::uint64_t>(4, bytes - at));
      }
    };
    return work;
  });
}

int stamp(std::uint64_t* to, Stream stream) {
  return launch("kernels::stamp", stream, 1, 1, 0, [=](Machine& machine) {
    fake_cuda::Work work;
    work.duration = kLaunchTakes;
    work.finish = [&machine, to](Nanoseconds end) {
      if (still_there(machine, to, sizeof *to)) *to = timer(machine, end - kLaunchTakes / 2);
    };
    return work;
  });
}

int gate(const std::uint32_t* open, std::uint32_t* expired, std::uint64_t nanoseconds, Stream stream) {
  return launch("kernels::gate", stream, 1, 1, 0, [=](Machine& machine) {
    fake_cuda::Work work;
    work.watch = std::make_unique<Gate>(machine, open, expired, nanoseconds);
    return work;
  });
}

int handshake(const std::uint32_t* ask, std::uint64_t* answers, std::uint32_t count, std::uint64_t patience,
              Stream stream) {
  return launch("kernels::handshake", stream, 1, 1, 0, [=](Machine& machine) {
    fake_cuda::Work work;
    work.watch = std::make_unique<Handshake>(machine, ask, answers, count, patience);
    return work;
  });
}

}  // namespace streamscope::kernels
