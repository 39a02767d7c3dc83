// What a run is written as, by messages, files and the reader of saved runs: each record's members, once.
#pragma once

#include "engine/schema/record.h"
#include "engine/trace/trace.h"

namespace streamscope::trace {

// The tables into which spans count.
enum Table : int { kNameTable, kStreamTable, kThreadTable };

// Whether the operation moves or touches bytes. A kernel touches a range or, as spin does, nothing: only the bytes of
// its span say which.
inline constexpr bool moves_data(const Span& span) {
  switch (span.kind) {
    case OperationKind::h2d:
    case OperationKind::d2h:
    case OperationKind::d2d:
    case OperationKind::memset:
    case OperationKind::prefetch:
    case OperationKind::touch: return true;
    default: return span.bytes != 0;
  }
}

}  // namespace streamscope::trace

template <>
struct streamscope::schema::Description<streamscope::trace::Span> {
  using S = trace::Span;
  static constexpr auto ended = when([](const S& s) { return s.source != trace::Source::none; });
  static constexpr auto started = when([](const S& s) { return s.start_source != trace::Source::none; });
  static constexpr auto was_ready = when([](const S& s) { return s.ready_source != trace::Source::none; });
  static constexpr auto members = std::tuple{
      member<&S::operation>("op", "", "Index of the operation in the program", unless<kNoOperation>),
      member<&S::line>("line", "", "Of the program's text; absent where CUDA implies the operation", unless<0>),
      member<&S::kind>("kind", "", "Kind of the operation"),
      text_member<trace::kNameTable, &S::name>("name", "Of the operation, without digits"),
      text_member<trace::kStreamTable, &S::stream>("stream", "That the operation goes into"),
      text_member<trace::kThreadTable, &S::thread>("thread", "Of the host that makes the call"),
      member<&S::engine>("engine", "", "Hardware that carries it out; absent for records and waits",
                         unless<Engine::none>),
      member<&S::bytes>("bytes", "B", "Moved or touched", when(trace::moves_data)),
      member<&S::host_begin>("host_begin_ns", "ns", "The host call begins"),
      member<&S::host_end>("host_end_ns", "ns", "The host call returns"),
      member<&S::ready>("ready_ns", "ns", "All it depends on is done: it could start"),
      member<&S::start>("start_ns", "ns", "It starts on its engine"),
      member<&S::end>("end_ns", "ns", "It ends"),
      member<&S::source>("source", "", "Where the end's time comes from", unless<trace::Source::none>),
      computed("waits_for", "", "What it waited for, in words"),
      member<&S::uncertainty>("uncertainty_ns", "ns", "Plus or minus, of the end", ended),
      member<&S::polls>("polls", "", "How often a poll asked",
                        when([](const S& s) { return s.kind == OperationKind::poll; })),
      member<&S::reason>("reason", "", "Why it did not start when it was issued", unless<trace::WaitReason::none>),
      member<&S::waits_for>("waits_for_op", "", "The operation behind the reason", unless<kNoOperation>),
      member<&S::start_source>("start_source", "", "Where the start's time comes from", unless<trace::Source::none>)
          .since(2),
      member<&S::ready_source>("ready_source", "", "Where ready's time comes from", unless<trace::Source::none>)
          .since(2),
      member<&S::start_uncertainty>("start_uncertainty_ns", "ns", "Plus or minus, of the start", started).since(2),
      member<&S::ready_uncertainty>("ready_uncertainty_ns", "ns", "Plus or minus, of ready", was_ready).since(2),
      member<&S::samples>("samples", "", "In how many runs the end was observed", ended).since(2),
      member<&S::spread>("spread_ns", "ns", "Half the distance between the quartiles of these ends",
                         when([](const S& s) { return s.source != trace::Source::none && s.samples > 1; }))
          .since(2),
      member<&S::launch>("launch_op", "", "Of a graph's node: the launch of the graph", unless<kNoOperation>).since(0),
      member<&S::blocking>(
          "blocking", "", "Of a copy: its call returns only when it is done (cudaMemcpy)",
          when([](const S& s) { return s.kind == OperationKind::h2d || s.kind == OperationKind::d2h; }))
          .since(0),
      member<&S::device>("device_index", "", "Whose engine carries it out: 0 is the provenance's, 1 the first other")
          .since(3)};
};

template <>
inline constexpr bool streamscope::schema::kWrittenAsArray<streamscope::trace::Stage> = true;
template <>
struct streamscope::schema::Description<streamscope::trace::Stage> {
  using S = trace::Stage;
  static constexpr auto members =
      std::tuple{member<&S::tile>("tile", "", "Of its block, counted from 0"),
                 member<&S::load_issued>("load_issued_ns", "ns", "Its copy is issued"),
                 member<&S::wait_begun>("wait_begun_ns", "ns", "The block has nothing else to do"),
                 member<&S::wait_over>("wait_over_ns", "ns", "The copy has arrived"),
                 member<&S::compute_over>("compute_over_ns", "ns", "The work on it is done, and its place is free")};
};

template <>
struct streamscope::schema::Description<streamscope::trace::StageBlock> {
  using B = trace::StageBlock;
  static constexpr auto members = std::tuple{
      member<&B::operation>("op", "", "Index of the kernel in the program"),
      member<&B::block>("block", "", "Of the grid"),
      member<&B::multiprocessor>("multiprocessor", "", "The one that ran the block"),
      member<&B::warp>("warp", "", "That recorded waiting and working"),
      member<&B::copy_warp>("copy_warp", "", "That recorded the copies: another one where warps are specialised"),
      member<&B::places>("places", "", "Tiles in shared memory at once").within(1, 1u << 16),
      member<&B::tiles>("tiles", "", "That it worked on; the last of them are listed"),
      member<&B::begin>("begin_ns", "ns", "It begins"),
      member<&B::end>("end_ns", "ns", "It ends"),
      member<&B::stages>("tiles_ns", "ns", "[tile, load issued, wait begun, wait over, compute over] of each tile")};
};

template <>
struct streamscope::schema::Description<streamscope::trace::Stages> {
  using S = trace::Stages;
  static constexpr auto members = std::tuple{member<&S::every>("every", "", "One block in so many was recorded"),
                                             member<&S::blocks>("blocks", "", "By operation, then by block")};
};

template <>
struct streamscope::schema::Description<streamscope::trace::KernelFacts> {
  using K = trace::KernelFacts;
  static constexpr auto members =
      std::tuple{member<&K::operation>("op", "", "Index of the kernel in the program"),
                 member<&K::blocks>("blocks", "", "Of the grid"),
                 member<&K::threads>("threads", "", "Of a block"),
                 member<&K::registers>("registers", "", "Of a thread", positive),
                 member<&K::shared_bytes>("shared_bytes", "B", "Shared memory of a block"),
                 member<&K::blocks_at_once>("blocks_at_once", "", "That a multiprocessor holds", positive),
                 member<&K::most_threads>("most_threads", "", "That a multiprocessor holds of any kernel", positive),
                 member<&K::multiprocessors>("multiprocessors", "", "Of the device", positive),
                 member<&K::bytes>("bytes", "B", "Read from and written to the device's memory, at the least"),
                 member<&K::flops>("flops", "", "Floating-point operations; a multiply-add is two"),
                 member<&K::copy_rate>("device_copy_bytes_per_s", "B/s",
                                       "Of a copy within the device, read and written", positive),
                 member<&K::peak_flops>("device_peak_flops", "1/s", "Of float32", positive),
                 computed("bytes_per_s", "B/s", "That the kernel reached"),
                 computed("flops_per_s", "1/s", "That the kernel reached"),
                 computed("occupancy", "1", "Threads that a multiprocessor holds, of the most it can"),
                 computed("waiting", "1", "Share of the recorded blocks' time that they waited for copies")};
};

template <>
struct streamscope::schema::Description<streamscope::trace::StreamInfo> {
  using S = trace::StreamInfo;
  static constexpr auto members =
      std::tuple{member<&S::name>("name", "", "In the program"),
                 member<&S::nonblocking>("nonblocking", "", "Does not synchronise with the legacy default stream"),
                 member<&S::priority>("priority", "", "Lower is more urgent"),
                 member<&S::device>("device_index", "", "That it is a stream of")};
};

template <>
struct streamscope::schema::Description<streamscope::trace::Provenance> {
  using P = trace::Provenance;
  static constexpr auto members = std::tuple{
      member<&P::kind>("kind", "", "Measured, or made by a model"),
      member<&P::device>("device", "", "Its name"),
      member<&P::driver>("driver", "", "And CUDA's version; absent for a model", not_empty),
      member<&P::profile>("profile", "", "Of the model; absent for a measurement", not_empty),
      member<&P::clock>("clock", "", "The clocks, and how they are tied"),
      member<&P::uncertainty>("uncertainty_ns", "ns", "Plus or minus, between the host's and the device's times"),
      member<&P::instrument>("instrument", "", "How it was observed"),
      member<&P::gated>("gated", "", "Everything was queued before anything ran").since(2),
      member<&P::date>("date", "", "UTC, ISO 8601"),
      member<&P::share>("share", "", "Sampled: in each run one in so many operations was observed", positive).since(2)};
};

template <>
struct streamscope::schema::Description<streamscope::trace::Statistic> {
  using S = trace::Statistic;
  static constexpr auto members =
      std::tuple{member<&S::median>("median", "ns", "Of the timed runs"), member<&S::minimum>("min", "ns", "The least"),
                 member<&S::maximum>("max", "ns", "The most"),
                 member<&S::spread>("spread", "ns", "Half the distance between the quartiles; of few runs absent")};
};

template <>
struct streamscope::schema::Description<streamscope::trace::ObserverEffect> {
  using E = trace::ObserverEffect;
  static constexpr auto members =
      std::tuple{member<&E::median>("median", "1", "Instrumented wall time over bare wall time"),
                 member<&E::low>("low", "1", "Lower quartile"), member<&E::high>("high", "1", "Upper quartile"),
                 member<&E::pairs>("pairs", "", "Of runs, one after the other")};
};

template <>
struct streamscope::schema::Description<streamscope::trace::Note> {
  using N = trace::Note;
  static constexpr auto members = std::tuple{member<&N::kind>("kind", "", "For programs to tell notes apart"),
                                             member<&N::text>("text", "", "Whole sentences")};
};

// A Trace as a value is its spans, which messages carry in batches.
template <>
struct streamscope::schema::Description<streamscope::trace::Prediction> {
  using P = trace::Prediction;
  using T = trace::Trace;
  static constexpr auto recorded = when([](const P& p) { return p.trace.stages.every != 0; });
  static constexpr auto members = std::tuple{
      file_member<&P::trace, &T::provenance, &trace::Provenance::profile>("profile", "", "Of the model"),
      file_member<&P::trace, &T::provenance, &trace::Provenance::device>("device", "", "That it is a model of"),
      member<&P::wall>("wall_ns", "ns", "Predicted wall time"),
      member<&P::makespan>("makespan_ns", "ns", "Predicted time from the first start to the last end"),
      computed("wall_error", "1", "Predicted over measured, less 1"),
      computed("makespan_error", "1", "Predicted over measured, less 1"),
      computed("measured_wall_ns", "ns", "What the wall time is compared with"),
      computed("differences_found", "", "Operations where the two deviate"),
      computed("differences_in_all", "ns", "Their number and sum, by sort"),
      computed("differences", "", "The largest of them"),
      member<&P::notes>("notes", "", "What the model leaves out"),
      file_member<&P::trace>("spans", "", "Predicted, one for each operation"),
      member<&P::trace, &T::stages>("stages", "", "Predicted, inside kernels", recorded),
      member<&P::trace, &T::provenance>("provenance", "", "Where the prediction comes from"),
      member<&P::trace, &T::kernels>("kernels", "", "Launches of tiles and attention"),
      member<&P::trace, &T::streams>("streams", "", "In the program's order"),
      member<&P::trace, &T::threads>("threads", "", "Of the host; the first is main"),
      member<&P::trace, &T::names>("names", "", "Of the operations"),
      computed("note_kinds", "", "Of each of the notes"),
      member<&P::trace, &T::other_devices>("other_devices", "", "Provenance of the second device on", not_empty)};
};

template <>
struct streamscope::schema::Description<streamscope::trace::Run> {
  using R = trace::Run;
  using T = trace::Trace;
  static constexpr auto recorded = when([](const R& r) { return r.trace.stages.every != 0; });
  static constexpr auto members = std::tuple{
      computed("schema", "", "Version of this format"),
      member<&R::trace, &T::provenance>("provenance", "", "Where the times come from"),
      computed("experiment", "", "The experiment's keys and values; absent of a typed program"),
      member<&R::program>("program", "", "Its text"),
      member<&R::runs>("runs", "", "How many runs were timed"),
      member<&R::wall>("wall_ns", "ns", "Wall time of the runs that the trace is from"),
      member<&R::bare_wall>("bare_wall_ns", "ns", "Wall time of runs without any instrument"),
      member<&R::makespan>("makespan_ns", "ns", "From the first start to the last end of all work on the device"),
      computed("observer_effect", "1", "Median of instrumented over bare wall time"),
      member<&R::observer_effect>("observer_effect_spread", "1", "The same with its quartiles"),
      member<&R::stage_effect>("stage_effect", "1", "Of recording stages, on the time of the kernels"),
      member<&R::verified>("verified", "", "The data that came back is what the CPU computes; absent: not checked"),
      file_member<&R::trace>("spans", "", "One for each operation, in the program's order"),
      member<&R::trace, &T::kernels>("kernels", "", "Launches of tiles and attention"),
      member<&R::trace, &T::stages>("stages", "", "What happened inside kernels, where it was recorded", recorded),
      computed("analysis", "", "Figures of the whole run"),
      member<&R::notes>("notes", "", "What the model leaves out, why nothing was verified"),
      member<&R::trace, &T::streams>("streams", "", "In the program's order: default, per-thread, its own"),
      member<&R::trace, &T::threads>("threads", "", "Of the host; the first is main"),
      member<&R::trace, &T::names>("names", "", "Of the operations"),
      member<&R::experiment>("experiment_toml", "", "The experiment as it was given; empty of a typed program"),
      member<&R::prediction>("prediction", "", "The model's run of the same program, where one was asked for"),
      computed("note_kinds", "", "Of each of the notes"),
      member<&R::trace, &T::other_devices>("other_devices", "", "Provenance of the second device on", not_empty)};
};
