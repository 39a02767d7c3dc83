// What the rest of the program knows of a kernel: its word and options in the language, what it reads and writes, what
// it needs of a GPU, how long its blocks take on a modelled one, and what it computes.
//
// A kernel is one folder here and one line in registry.cpp; its CUDA part stands beside (cuda_kernel.h) and is no part
// of this. The language, experiments, the window, the model and the verification all read what a kernel says of itself.
// Sizes are bytes, durations nanoseconds.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/base/translate.h"
#include "kernels/model_time.h"
#include "kernels/parts.h"

namespace streamscope::kernels {

struct OwnKernel;  // that a program brings along: own/own.h

enum class OptionKind : std::uint8_t {
  count,
  bytes,
  duration,
  flag,    // 0 or 1: `l1`
  choice,  // the index of one of `words`: `copy=cp.async`
  counts,  // one or more, of no kernel: `device=0,1`
};

// A value of an option that the model takes as another one.
struct PricedAs {
  std::int64_t value = 0;
  std::string_view written = {};  // "align=128"
  std::string_view instead = {};  // "align=16", in words to be shown by tr()
};

// What is said to people in it is to be shown by tr().
struct Option {
  std::string_view key = {};  // `per-sm=2` in the language, `kernel.per_sm` in an experiment
  OptionKind kind = OptionKind::count;
  std::int64_t least = 0, most = 0;
  std::int64_t standard = 0;                    // where the language leaves it out
  std::optional<std::int64_t> experiment = {};  // where an experiment does; none: the same
  std::string_view example = {};                // in messages: `copy=cp.async`
  std::string_view meaning = {};                // behind its key in messages: "multiply-adds to an element"
  std::string_view label = {}, help = {};       // its row in the window: "Arithmetic", one or two sentences
  std::string_view unit = {};                   // behind its number there: "FMA"
  std::string_view automatic = {};         // an experiment may leave it to the kernel, as 0; what is said of it then
  std::span<const std::int64_t> few = {};  // the only values there are; else all from `least` to `most`
  std::span<const std::int64_t> offered = {};  // values that a slider offers; empty: all from `least` to `most`
  std::span<const std::string_view> words = {}, shown = {};  // of a choice: in the language, in the window
  bool required = false;                                     // in the language
  bool leading = false;                                      // written first and without its key: `spin 300us`
  bool always = false;                                       // written even where it is the standard
  bool of_grid = false;                                      // last among the keys of an experiment
  std::optional<PricedAs> priced_as = {};
  bool argument = false;  // of the function as it is taught; other options decide its text
};

// What is wrong with values that are each in range, and the option to change.
struct Problem {
  std::size_t option = 0;
  std::string message;
};

enum class Operands : std::uint8_t {
  none,      // `A: spin 300us`
  in_place,  // `A: axpb x[..]`
  to_from,   // `A: reduce y[..] from x[..]`
  either,    // one or two: `A: axpb x[..]`, `A: axpb y[..] from x[..]`
};

// What a range must be a multiple of. `why`: "the kernel axpb works on float32".
struct Granularity {
  std::uint64_t offset = 1, length = 1, most = ~0ull;
  std::string why = {};
  std::optional<std::size_t> option = {};  // better changed than the range
  std::string instead = {};                // ", or align=4"
};

// A part of an operand that a launch reads or writes; what is read and written counts as written.
struct Access {
  std::size_t operand = 0;  // 0: the first range of the statement
  std::uint64_t offset = 0, bytes = 0;
  bool writes = false;
};

// What a launch needs that not every GPU has.
struct Needs {
  double capability = 0;     // compute capability; 0: any
  std::string what = {};     // that needs it: "copy=bulk"
  std::string instead = {};  // "write another copy, such as copy=pipeline"; empty: nothing would do
};

// Elements whose value the CPU foresees only within a tolerance, relative to the value; 0: to the bit.
struct Precision {
  double tolerance = 0;
  bool bf16 = false;      // else float32
  bool integers = false;  // of 32 bits: no two of them are equal as NaNs of float32 are
};

// Computes on the CPU what launches leave behind, in the order in which they would run.
struct Reference {
  Reference() = default;
  Reference(const Reference&) = delete;
  Reference& operator=(const Reference&) = delete;
  virtual ~Reference() = default;
  // `first` and `second`: the ranges of the statement. Else why it cannot be foreseen: "works on data below 0 …".
  virtual std::optional<std::string> compute(const Values& values, std::uint64_t bytes, char* first,
                                             const char* second) = 0;
};

// By CUDA's names: "cp.async.commit_group". Empty where there is none.
struct StageCalls {
  std::string acquire = {};  // of a place, before a tile is copied into it
  std::string commit = {};   // behind the copies of a tile, or an arrival at its barrier
  std::string wait = {};     // for the tile
  std::string barrier = {};  // of all threads, behind the wait
  std::string release = {};  // of the place, behind the work
};

// `bytes` below is the length of the data that a launch works on: of its only range, or of the second.
struct Kernel {
  std::string_view word;     // in the language, and on the timeline
  std::string_view meaning;  // one clause, to be shown by tr(): "real arithmetic on each float, v = v*a + b"
  std::string_view usage;    // a statement that is right, without its stream
  std::string_view apart;    // of Operands::either: another one, with two ranges
  Operands operands = Operands::none;
  std::span<const Option> options = {};

  Kernel() = default;
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;

  // The value of an option that is left out, where it follows from those that are given.
  virtual std::int64_t standard(const Values&, std::size_t option) const { return options[option].standard; }
  // Why an option does nothing beside the others, and what to write instead; empty where it does something.
  virtual std::string no_effect(const Values&, std::size_t) const { return {}; }
  // An experiment keeps values that others rule out: what a launch takes in their place.
  virtual void settle(Values&) const {}
  virtual std::optional<Problem> check(const Values&) const { return {}; }
  virtual Granularity granularity(const Values&) const { return {}; }
  // Of the first operand, where there are two.
  virtual std::uint64_t result_bytes(const Values&, std::uint64_t bytes) const { return bytes; }
  virtual std::array<Access, 2> accesses(const Values&, std::uint64_t bytes) const;
  virtual Needs needs(const Values&) const { return {}; }
  // What code compiled for that compute capability does otherwise than the options say, in a whole sentence; empty:
  // nothing.
  virtual std::string otherwise(const Values&, double /*capability*/) const { return {}; }
  // Why launches leave wrong data, because that was asked for, in a clause: "leave-out=wait: …"; empty: they do not.
  virtual std::string wrong_on_purpose(const Values&) const { return {}; }
  // What stands in a kernel that records its stages where they begin and end.
  virtual StageCalls stage_calls(const Values&) const { return {}; }
  // What to change where a block's shared memory is more than `limit`.
  virtual std::string smaller(const Values&, std::uint64_t /*limit*/) const { return tr("use less"); }
  virtual Shape shape(const Values&, std::uint64_t bytes, std::uint32_t multiprocessors) const = 0;

  // A lower bound for its time, and what makes it so long, if that is worth a word. `cycle`: ns.
  struct AtLeast {
    double nanoseconds = 0;
    std::string because = {};
  };
  virtual AtLeast at_least(const Values&, std::uint64_t bytes, std::uint32_t multiprocessors, double cycle) const = 0;

  // For the model (model_time.h). Not asked of kernels without operands, whose blocks take Shape::duration.
  virtual Costs costs(const Hardware&, const Values&, std::uint64_t /*bytes*/) const { return {}; }
  // The steps or tiles of blocks of which `busiest` are on one multiprocessor: ns. `last`: how many of `blocks` take
  // part in the step behind the whole ones.
  virtual Int128 stepping(const Hardware&, const Values&, std::uint64_t bytes, const Costs&, std::uint32_t busiest,
                          Int128 blocks, Int128 last) const;
  // Bytes that so many blocks with data read and write.
  virtual Int128 moves(const Hardware&, const Values&, std::uint64_t bytes, const Costs&, Int128 blocks) const;
  // Of kernels with tiles, with so many blocks on a multiprocessor.
  virtual BlockPipeline pipeline(const Hardware&, const Values&, std::uint64_t /*bytes*/, const Costs&,
                                 Int128 /*resident*/) const {
    return {};
  }

  // As it is taught (textbook.h): a function of that name, and a launch of it.
  virtual CudaCode cuda_code(const Values&, std::string_view name) const = 0;
  virtual CudaLaunch cuda_launch(const Values&, const CudaOperands&) const = 0;

  virtual Precision precision(const Values&) const { return {}; }
  // Host memory and multiply-adds that its reference takes; the latter matter where they take seconds.
  virtual std::uint64_t reference_bytes(const Values&, std::uint64_t /*bytes*/) const { return 0; }
  virtual double reference_work(const Values&, std::uint64_t /*bytes*/) const { return 0; }
  // None: a launch leaves no data behind.
  virtual std::unique_ptr<Reference> reference() const { return nullptr; }

  // Itself, where a program brings it along.
  virtual const OwnKernel* own() const { return nullptr; }

  // The option of that key; options.size() where there is none.
  std::size_t find(std::string_view key) const;
  // Whether a launch writes another range than it reads.
  bool has_two_ranges(const Values& values) const {
    return operands == Operands::to_from || (operands == Operands::either && values[kTwoRanges] != 0);
  }

 protected:
  ~Kernel() = default;
};

// Options that a statement has without their keys, behind its ranges.
std::size_t leading_options(const Kernel& kernel);

// A kernel with its options: what a stream program launches, and what an experiment asks for.
struct Choice {
  const Kernel* kernel = nullptr;  // one of the registry, or the program's own; null: none
  Values values{};
  friend bool operator==(const Choice&, const Choice&) = default;
};

// The values where the language, or an experiment, leaves everything out.
Values language_values(const Kernel& kernel);
Values experiment_values(const Kernel& kernel);

// As written behind the kernel's word, "fma=64 threads=256": what matters beside the others.
std::string written(const Choice& choice);
// Also what is the standard; in plain bytes and nanoseconds.
std::string written_out(const Choice& choice);

}  // namespace streamscope::kernels
