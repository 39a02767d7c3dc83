// What a run is written as, by messages, files and the reader of saved runs: each record's members, once.
#pragma once

#include "engine/schema/record.h"
#include "engine/trace/call_result.h"
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
    case OperationKind::peer:
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
  static constexpr auto measured = when([](const S& s) { return known(s.elapsed); });
  static constexpr auto members = std::tuple{
      member<&S::operation>("op", "", "Index of the operation in the program, counted from 0", unless<kNoOperation>),
      member<&S::line>("line", "",
                       "Line of the program's text that makes the operation, counted from 1; absent where CUDA implies "
                       "the operation",
                       unless<0>),
      member<&S::kind>("kind", "", "Kind of the operation, such as h2d or kernel"),
      text_member<trace::kNameTable, &S::name>("name", "Name of the operation without numbers, such as H2D or axpb"),
      text_member<trace::kStreamTable, &S::stream>("stream", "Stream that the operation goes into"),
      text_member<trace::kThreadTable, &S::thread>("thread", "Host thread that makes the operation's call"),
      member<&S::engine>("engine", "", "Hardware that carries the operation out; absent for records and waits",
                         unless<Engine::none>),
      member<&S::bytes>("bytes", "B", "How many bytes the operation moves or touches", when(trace::moves_data)),
      member<&S::host_begin>("host_begin_ns", "ns", "When the host's call for the operation begins"),
      member<&S::host_end>("host_end_ns", "ns", "When the host's call for the operation returns"),
      member<&S::ready>("ready_ns", "ns", "When all that the operation depends on is done, so that it could start"),
      member<&S::start>("start_ns", "ns", "When the operation starts on its engine"),
      member<&S::end>("end_ns", "ns", "When the operation ends"),
      member<&S::source>("source", "", "Where the time of the operation's end comes from", unless<trace::Source::none>),
      computed("waits_for", "", "What the operation waited for, in words"),
      member<&S::uncertainty>("uncertainty_ns", "ns",
                              "How far the time of the operation's end may be off, plus or minus", ended),
      member<&S::polls>("polls", "", "How often a poll asked until what it waits for was done",
                        when([](const S& s) { return s.kind == OperationKind::poll; })),
      member<&S::reason>("reason", "", "Why the operation did not start when it was issued",
                         unless<trace::WaitReason::none>),
      member<&S::waits_for>("waits_for_op", "", "Index in the program of the operation that this one waited for",
                            unless<kNoOperation>),
      member<&S::start_source>("start_source", "", "Where the time of the operation's start comes from",
                               unless<trace::Source::none>)
          .since(2),
      member<&S::ready_source>("ready_source", "", "Where the time at which the operation was ready comes from",
                               unless<trace::Source::none>)
          .since(2),
      member<&S::start_uncertainty>("start_uncertainty_ns", "ns",
                                    "How far the time of the operation's start may be off, plus or minus", started)
          .since(2),
      member<&S::ready_uncertainty>("ready_uncertainty_ns", "ns",
                                    "How far the time at which the operation was ready may be off, plus or minus",
                                    was_ready)
          .since(2),
      member<&S::samples>("samples", "", "In how many runs the operation's end was observed", ended).since(2),
      member<&S::spread>(
          "spread_ns", "ns",
          "Half the distance between the quartiles of the operation's ends, where several runs observed them",
          when([](const S& s) { return s.source != trace::Source::none && s.samples > 1; }))
          .since(2),
      member<&S::launch>(
          "launch_op", "",
          "Index in the program of the graph launch that the operation is a node of; absent for all others",
          unless<kNoOperation>)
          .since(0),
      member<&S::blocking>(
          "blocking", "",
          "Whether the call of a copy returns only when the copy is done, as that of cudaMemcpy does; absent for what "
          "is no copy between host and device",
          when([](const S& s) { return s.kind == OperationKind::h2d || s.kind == OperationKind::d2h; }))
          .since(0),
      member<&S::device>(
          "device_index", "",
          "Device whose engine carries the operation out: 0 is that of `provenance`, 1 the first of `other_devices`")
          .since(3),
      member<&S::result>("result", "",
                         "What a query, a call that reads the time between two events, or one that failed returned; "
                         "of a callback that ran, the status that it was given",
                         when(trace::is_told))
          .since(3),
      member<&S::elapsed>("elapsed_ns", "ns", "Time between two events as cudaEventElapsedTime gives it", measured)
          .since(3),
      member<&S::elapsed_from>("elapsed_from_op", "",
                               "Index in the program of the record of the first of two events whose time is read",
                               measured)
          .since(3),
      member<&S::elapsed_to>("elapsed_to_op", "",
                             "Index in the program of the record of the second of two events whose time is read",
                             measured)
          .since(3),
      member<&S::rows>("rows", "", "Rows of a copy in two dimensions; absent for all others", unless<0>).since(0),
      member<&S::to_device>("to_device_index", "",
                            "Device that a copy between devices writes to, counted as device_index; absent for all "
                            "others",
                            when([](const S& s) { return s.kind == OperationKind::peer; }))
          .since(0),
      member<&S::callback>("callback", "",
                           "Whether a host function is given its stream's status, as that of cudaStreamAddCallback is; "
                           "absent for what is no host function",
                           when([](const S& s) { return s.kind == OperationKind::hostfn; }))
          .since(0)};
};

template <>
struct streamscope::schema::Description<streamscope::trace::PollAnswer> {
  using P = trace::PollAnswer;
  static constexpr auto members = std::tuple{
      member<&P::operation>("op", "", "Index in the program of the poll"),
      member<&P::at>("at_ns", "ns", "When the host had its answer; of all questions but the last it was not yet done"),
      member<&P::worked_until>("worked_until_ns", "ns",
                               "When the other work behind the question was over; absent where there was none")};
};

template <>
struct streamscope::schema::Description<streamscope::trace::StreamAttributes> {
  using S = trace::StreamAttributes;
  static constexpr auto members =
      std::tuple{member<&S::operation>("op", "", "Index in the program of the operation that asked"),
                 member<&S::device>("device", "", "Device of the stream, as CUDA numbers it"),
                 member<&S::priority>("priority", "", "Priority of the stream as the device has clamped it"),
                 member<&S::nonblocking>("nonblocking", "", "Whether the stream has the flag cudaStreamNonBlocking"),
                 member<&S::id>("id", "", "Number of the stream, which no other of the process has"),
                 member<&S::capture>("capture", "", "Whether the stream was being captured")};
};

template <>
struct streamscope::schema::Description<streamscope::trace::CaptureAnswer> {
  using C = trace::CaptureAnswer;
  static constexpr auto members =
      std::tuple{member<&C::operation>("op", "", "Index in the program of the operation that asked"),
                 member<&C::status>("status", "", "Whether the stream is being captured, or its capture is broken"),
                 member<&C::id>("id", "",
                                "Number of the capture, which no other of the process has; 0: none is under "
                                "way")};
};

template <>
inline constexpr bool streamscope::schema::kWrittenAsArray<streamscope::trace::Stage> = true;
template <>
struct streamscope::schema::Description<streamscope::trace::Stage> {
  using S = trace::Stage;
  static constexpr auto members = std::tuple{
      member<&S::tile>("tile", "", "Index of the tile among those of its block, counted from 0"),
      member<&S::load_issued>("load_issued_ns", "ns", "When the copy of the tile into shared memory is issued"),
      member<&S::wait_begun>("wait_begun_ns", "ns",
                             "When the block has nothing else to do and begins to wait for the tile"),
      member<&S::wait_over>("wait_over_ns", "ns", "When the copy of the tile has arrived"),
      member<&S::compute_over>("compute_over_ns", "ns",
                               "When the work on the tile is done and its place in shared memory is free")};
};

template <>
struct streamscope::schema::Description<streamscope::trace::StageBlock> {
  using B = trace::StageBlock;
  static constexpr auto members = std::tuple{
      member<&B::operation>("op", "", "Index in the program of the kernel that the block is of"),
      member<&B::block>("block", "", "Index of the block in its grid"),
      member<&B::multiprocessor>("multiprocessor", "", "Multiprocessor that ran the block"),
      member<&B::warp>("warp", "", "Warp of the block that recorded its waiting and working"),
      member<&B::copy_warp>("copy_warp", "",
                            "Warp of the block that recorded its copies: another one where warps are specialised"),
      member<&B::places>("places", "", "How many tiles have a place in the block's shared memory at once")
          .within(1, 1u << 16),
      member<&B::tiles>("tiles", "", "How many tiles the block worked on; the last of them are listed"),
      member<&B::begin>("begin_ns", "ns", "When the block begins"),
      member<&B::end>("end_ns", "ns", "When the block ends"),
      member<&B::stages>("tiles_ns", "ns",
                         "Index and four times of each tile: [tile, load issued, wait begun, wait over, compute over]"),
      member<&B::uncertainty>("uncertainty_ns", "ns",
                              "How far each of the block's times may be off, plus or minus; absent of a model",
                              positive)
          .since(0),
      member<&B::rate_uncertainty>("rate_uncertainty", "1",
                                   "How far a duration within the block may be off, plus or minus, as a part of it; "
                                   "absent of a model",
                                   positive)
          .since(0)};
};

template <>
struct streamscope::schema::Description<streamscope::trace::Stages> {
  using S = trace::Stages;
  static constexpr auto members = std::tuple{
      member<&S::every>("every", "", "One block in this many recorded its stages"),
      member<&S::blocks>("blocks", "", "The blocks that recorded their stages, by operation and then by block")};
};

template <>
struct streamscope::schema::Description<streamscope::trace::KernelFacts> {
  using K = trace::KernelFacts;
  static constexpr auto members = std::tuple{
      member<&K::operation>("op", "", "Index of the kernel in the program"),
      member<&K::blocks>("blocks", "", "Blocks in the kernel's grid"),
      member<&K::threads>("threads", "", "Threads in each block of the kernel"),
      member<&K::registers>("registers", "", "32-bit registers of each thread of the kernel", positive),
      member<&K::shared_bytes>("shared_bytes", "B", "Shared memory of each block of the kernel"),
      member<&K::blocks_at_once>("blocks_at_once", "",
                                 "How many blocks of this kernel a multiprocessor can hold at once", positive),
      member<&K::most_threads>("most_threads", "",
                               "How many threads a multiprocessor can hold at once, whatever the kernel", positive),
      member<&K::multiprocessors>("multiprocessors", "", "Multiprocessors of the device", positive),
      member<&K::bytes>("bytes", "B",
                        "Bytes that the kernel reads from and writes to the device's memory, at the least"),
      member<&K::flops>("flops", "", "Floating-point operations of the kernel; a multiply-add is two"),
      member<&K::copy_rate>(
          "device_copy_bytes_per_s", "B/s",
          "Rate of a copy within the device, bytes read and written: what the kernel's rate is compared with",
          positive),
      member<&K::peak_flops>("device_peak_flops", "1/s", "Most float32 operations that the device can do in a second",
                             positive),
      member<&K::acquire>("acquire", "", "What the kernel calls before it copies a tile; absent: nothing", not_empty)
          .since(0),
      member<&K::commit>("commit", "", "What the kernel calls behind the copies of a tile; absent: nothing", not_empty)
          .since(0),
      member<&K::wait>("wait", "", "What the kernel waits for a tile with; absent: nothing", not_empty).since(0),
      member<&K::barrier>("barrier", "", "Barrier of all threads of a block behind that wait; absent: none", not_empty)
          .since(0),
      member<&K::release>("release", "", "What the kernel calls behind the work on a tile; absent: nothing", not_empty)
          .since(0),
      computed("bytes_per_s", "B/s", "Rate at which the kernel read and wrote the device's memory"),
      computed("flops_per_s", "1/s", "Floating-point operations that the kernel did in a second"),
      computed("occupancy", "1",
               "Threads of the kernel that a multiprocessor holds, as a part of the most that it can hold"),
      computed("waiting", "1", "Part of the time of the recorded blocks in which they waited for copies")};
};

template <>
struct streamscope::schema::Description<streamscope::trace::HandOver> {
  using H = trace::HandOver;
  static constexpr auto members = std::tuple{
      member<&H::after>("after", "",
                        "What the operation had waited for; absent for one that waited for nothing and starts on an "
                        "idle device",
                        unless<trace::WaitReason::none>),
      member<&H::from>("from", "", "Engine of what was waited for; absent: any, or none", unless<Engine::none>),
      member<&H::to>("to", "", "Engine of the operation; absent: any, or none", unless<Engine::none>),
      member<&H::usual>("usual_ns", "ns",
                        "Longest that is usual, from the end of what was waited for (else from the issue) to the "
                        "operation's start")};
};

template <>
struct streamscope::schema::Description<streamscope::trace::DeviceFacts> {
  using D = trace::DeviceFacts;
  static constexpr auto members = std::tuple{
      member<&D::multiprocessors>("multiprocessors", "", "Streaming multiprocessors of the device", positive),
      member<&D::threads>("threads", "", "How many threads a multiprocessor holds at once", positive),
      member<&D::blocks>("blocks", "", "How many blocks a multiprocessor holds at once", positive),
      member<&D::registers>("registers", "", "32-bit registers of a multiprocessor", positive),
      member<&D::shared_bytes>("shared_bytes", "B", "Shared memory of a multiprocessor", positive),
      member<&D::block_shared_reserved>("reserved_shared_bytes", "B",
                                        "Shared memory that the system takes for each block, besides what it asks for",
                                        positive),
      member<&D::kernels>("kernels", "", "How many kernels run at once on the device", positive),
      member<&D::copy_engines>("copy_engines", "", "Copy engines; with one, both directions share it", positive),
      member<&D::h2d_beside_d2h>(
          "to_device_both_ways_ppm", "ppm",
          "Rate of copies to the device while others go to the host, in millionths of their rate alone", positive),
      member<&D::d2h_beside_h2d>(
          "to_host_both_ways_ppm", "ppm",
          "Rate of copies to the host while others go to the device, in millionths of their rate alone", positive),
      member<&D::queue_depth>("queue_depth", "", "How many operations a stream's launch queue holds", positive),
      member<&D::connections>("connections", "", "Hardware queues to the multiprocessors, which streams share",
                              positive),
      member<&D::copy_connections>("copy_connections", "",
                                   "Hardware queues to the copy engine of each direction, which streams share",
                                   positive),
      member<&D::copies_in_issue_order>("copies_in_issue_order", "",
                                        "Whether a copy engine waits for the copy that was issued first, though "
                                        "others are ready"),
      member<&D::inlined_bytes>("inlined_bytes", "B",
                                "Copies to the device from pinned memory of at most this size travel with the "
                                "commands and use no copy engine",
                                positive),
      member<&D::inlined_idle_bytes>("inlined_idle_bytes", "B",
                                     "The same size for copies into a stream that has nothing left to do", positive),
      member<&D::inlined_pageable_bytes>("inlined_pageable_bytes", "B", "The same size for copies from pageable memory",
                                         positive),
      member<&D::hand_overs>("hand_overs", "", "How long it usually takes from one operation to the next")};
};

template <>
struct streamscope::schema::Description<streamscope::trace::LaunchShape> {
  using L = trace::LaunchShape;
  static constexpr auto members =
      std::tuple{member<&L::line>("line", "", "Line of the program's text that makes the launch", unless<0>),
                 text_member<trace::kNameTable, &L::name>("name", "Name of the kernel"),
                 member<&L::bytes>("bytes", "B", "How many bytes the kernel works on"),
                 member<&L::blocks>("blocks", "", "Blocks in the grid"),
                 member<&L::threads>("threads", "", "Threads in each block"),
                 member<&L::registers>("registers", "", "32-bit registers of each thread", positive),
                 member<&L::shared_bytes>("shared_bytes", "B", "Shared memory of each block"),
                 member<&L::blocks_at_once>("blocks_at_once", "",
                                            "How many of the blocks a multiprocessor can hold at once", positive)};
};

template <>
struct streamscope::schema::Description<streamscope::trace::IsolatedTime> {
  using I = trace::IsolatedTime;
  using C = trace::OperationClass;
  static constexpr auto members = std::tuple{
      member<&I::of, &C::kind>("kind", "", "Kind of the operations, such as h2d or kernel"),
      text_member<trace::kNameTable, &I::of, &C::name>("name", "Name of the operations"),
      member<&I::of, &C::line>("line", "", "Line of the program's text that makes them", unless<0>),
      member<&I::of, &C::device>("device_index", "",
                                 "Device that they ran on: 0 is that of `provenance`, 1 the first of `other_devices`"),
      member<&I::of, &C::bytes>("bytes", "B", "How many bytes each of them moves or touches"),
      member<&I::duration>("median_ns", "ns", "Median of the time that they took with nothing beside them"),
      member<&I::shortest>("shortest_ns", "ns", "Least time that one of them took"),
      member<&I::spread>("spread_ns", "ns",
                         "Half the distance between the quartiles of these times; absent where there are fewer than "
                         "five"),
      member<&I::count>("count", "", "How many times there are, over all runs")};
};

template <>
struct streamscope::schema::Description<streamscope::trace::StreamInfo> {
  using S = trace::StreamInfo;
  static constexpr auto members = std::tuple{
      member<&S::name>("name", "", "Name of the stream in the program"),
      member<&S::nonblocking>("nonblocking", "",
                              "Whether the stream does not synchronise with the legacy default stream"),
      member<&S::priority>("priority", "", "Priority of the stream; lower is more urgent"),
      member<&S::device>("device_index", "",
                         "Device that the stream is of: 0 is that of `provenance`, 1 the first of `other_devices`")};
};

template <>
struct streamscope::schema::Description<streamscope::trace::Provenance> {
  using P = trace::Provenance;
  static constexpr auto members = std::tuple{
      member<&P::kind>("kind", "", "Whether the times were measured on a GPU or made by a model"),
      member<&P::device>("device", "", "Name of the device that ran the program, or that the model is of"),
      member<&P::driver>("driver", "", "Versions of the GPU's driver and of CUDA; absent for a model", not_empty),
      member<&P::profile>("profile", "", "Profile that the model computed with; absent for a measurement", not_empty),
      member<&P::clock>("clock", "", "Clocks that the times were read from, and how they are tied to each other"),
      member<&P::uncertainty>("uncertainty_ns", "ns",
                              "How far the host's and the device's times may be off against each other, plus or minus"),
      member<&P::instrument>("instrument", "", "Instrument that the run was observed with, such as full or bare"),
      member<&P::gated>("gated", "", "Whether a gate held all streams until everything was queued").since(2),
      member<&P::date>("date", "", "When the run was made, in UTC and the form of ISO 8601"),
      member<&P::share>("share", "",
                        "In each run one operation in this many was observed; absent unless the instrument is sampled",
                        positive)
          .since(2),
      member<&P::contradictions>("contradictions", "",
                                 "How often times of the run contradict each other by more than they may be off; "
                                 "absent where that was not checked")
          .since(0)};
};

template <>
struct streamscope::schema::Description<streamscope::trace::Statistic> {
  using S = trace::Statistic;
  static constexpr auto members = std::tuple{
      member<&S::median>("median", "ns", "Median of the timed runs"),
      member<&S::minimum>("min", "ns", "Least of the timed runs"),
      member<&S::maximum>("max", "ns", "Most of the timed runs"),
      member<&S::spread>(
          "spread", "ns",
          "Half the distance between the quartiles of the timed runs; absent where there are fewer than five")};
};

template <>
struct streamscope::schema::Description<streamscope::trace::ObserverEffect> {
  using E = trace::ObserverEffect;
  static constexpr auto members = std::tuple{
      member<&E::median>("median", "1",
                         "Median, over the pairs of runs, of the time with the instrument over the time without"),
      member<&E::low>("low", "1",
                      "Lower quartile, over the pairs of runs, of the time with the instrument over the time without"),
      member<&E::high>("high", "1",
                       "Upper quartile, over the pairs of runs, of the time with the instrument over the time without"),
      member<&E::pairs>("pairs", "", "How many pairs of runs were compared, the two of a pair one after the other")};
};

template <>
struct streamscope::schema::Description<streamscope::trace::Note> {
  using N = trace::Note;
  static constexpr auto members =
      std::tuple{member<&N::kind>("kind", "", "Kind of the note, for programs to tell notes apart"),
                 member<&N::text>("text", "", "Text of the note, in whole sentences")};
};

// A Trace as a value is its spans, which messages carry in batches.
template <>
struct streamscope::schema::Description<streamscope::trace::Prediction> {
  using P = trace::Prediction;
  using T = trace::Trace;
  static constexpr auto recorded = when([](const P& p) { return p.trace.stages.every != 0; });
  static constexpr auto members = std::tuple{
      file_member<&P::trace, &T::provenance, &trace::Provenance::profile>(
          "profile", "", "Profile of the model that predicted the run"),
      file_member<&P::trace, &T::provenance, &trace::Provenance::device>(
          "device", "", "Name of the device that the predicting model is of"),
      member<&P::wall>("wall_ns", "ns", "Wall time that the model predicts"),
      member<&P::makespan>(
          "makespan_ns", "ns",
          "Time that the model predicts from the first start to the last end of all work on the device"),
      computed("wall_error", "1", "Predicted over measured wall time, less 1"),
      computed("makespan_error", "1", "Predicted over measured makespan, less 1"),
      computed("measured_wall_ns", "ns", "Measured wall time that the predicted one is compared with"),
      computed("differences_found", "", "How many differences between prediction and measurement were found"),
      computed("differences_in_all", "ns",
               "Number and sum of all differences found, by sort: execution, waiting and call"),
      computed("differences", "", "The largest differences between prediction and measurement"),
      member<&P::notes>("notes", "", "Notes on the prediction, such as what the model leaves out"),
      file_member<&P::trace>("spans", "", "Predicted times, one span for each operation"),
      member<&P::trace, &T::stages>("stages", "", "What the model predicts to happen inside kernels", recorded),
      member<&P::trace, &T::provenance>("provenance", "", "Where the prediction comes from"),
      member<&P::trace, &T::kernels>("kernels", "",
                                     "Facts about each launch of a tiles or attention kernel, as predicted"),
      member<&P::trace, &T::streams>("streams", "", "Streams of the predicted run, in the program's order"),
      member<&P::trace, &T::threads>("threads", "",
                                     "Names of the host threads of the predicted run; the first is main"),
      member<&P::trace, &T::names>("names", "", "Names of the operations of the predicted run"),
      computed("note_kinds", "", "Kind of each of the prediction's `notes`, in their order"),
      member<&P::trace, &T::other_devices>(
          "other_devices", "", "Provenance of each further device of the prediction, from the second on", not_empty),
      member<&P::trace, &T::device_facts>("device_facts", "",
                                          "Limits and usual hand-overs of the devices of the prediction", not_empty),
      member<&P::trace, &T::launches>("launches", "", "What each sort of kernel launch takes, as predicted",
                                      not_empty)};
};

template <>
struct streamscope::schema::Description<streamscope::trace::Referee> {
  using R = trace::Referee;
  static constexpr auto members =
      std::tuple{member<&R::by>("by", "", "Whose records were compared with the run's bars, such as CUPTI 13.0.1"),
                 member<&R::passes>("passes", "", "How many other passes of the same program these records are of"),
                 member<&R::compared>("compared", "", "How many operations had their durations compared"),
                 member<&R::contradicted>("contradicted", "",
                                          "How many of the compared bars lay beyond their doubt and that of the "
                                          "records; the doubt of these was widened"),
                 member<&R::why_not>("why_not", "", "Why there are no such records; empty where there are")};
};

template <>
struct streamscope::schema::Description<streamscope::trace::Run> {
  using R = trace::Run;
  using T = trace::Trace;
  static constexpr auto recorded = when([](const R& r) { return r.trace.stages.every != 0; });
  static constexpr auto members = std::tuple{
      computed("schema", "", "Version of the format of this file"),
      member<&R::trace, &T::provenance>("provenance", "",
                                        "Where the times come from: device, clocks, instrument, date"),
      computed("experiment", "", "The experiment's keys and values; absent where a stream program was run"),
      member<&R::program>("program", "", "Text of the stream program that was run"),
      member<&R::runs>("runs", "", "How many runs were timed"),
      member<&R::wall>("wall_ns", "ns", "Wall time of the runs that the trace is from"),
      member<&R::bare_wall>("bare_wall_ns", "ns", "Wall time of runs without any instrument"),
      member<&R::makespan>("makespan_ns", "ns", "Time from the first start to the last end of all work on the device"),
      computed("observer_effect", "1", "Median of wall time with the instrument over wall time without"),
      member<&R::observer_effect>("observer_effect_spread", "1",
                                  "Wall time with the instrument over wall time without: median and quartiles"),
      member<&R::stage_effect>(
          "stage_effect", "1",
          "How much longer kernels take for recording stages inside them: their time with it over their time without"),
      member<&R::verified>("verified", "",
                           "Whether the data that came back is what the CPU computes; absent where it was not checked"),
      file_member<&R::trace>("spans", "", "Times of the operations, one span for each, in the program's order"),
      member<&R::trace, &T::kernels>("kernels", "", "Facts about each launch of a tiles or attention kernel"),
      member<&R::trace, &T::stages>("stages", "", "What happened inside kernels, where it was recorded (--in-kernel)",
                                    recorded),
      computed("analysis", "", "Figures of the whole run, such as overlap and idle"),
      member<&R::notes>("notes", "", "Notes on the run, such as what the model leaves out or why nothing was verified"),
      member<&R::trace, &T::streams>(
          "streams", "",
          "Streams of the run: the legacy default stream, the per-thread one and then the program's, in its order"),
      member<&R::trace, &T::threads>("threads", "", "Names of the host threads of the run; the first is main"),
      member<&R::trace, &T::names>("names", "", "Names of the operations of the run"),
      member<&R::experiment>("experiment_toml", "",
                             "Text of the experiment as it was given; empty where a stream program was run"),
      member<&R::prediction>("prediction", "",
                             "The model's run of the same program, where one was asked for (--predict)"),
      computed("note_kinds", "", "Kind of each of the run's `notes`, in their order"),
      member<&R::trace, &T::other_devices>(
          "other_devices", "", "Provenance of each further device of the run, from the second on", not_empty),
      member<&R::referee>("referee", "",
                          "What CUPTI's records of other passes say of how long the operations took; absent where they "
                          "were not asked for (--referee)"),
      member<&R::serial>("serial_run_ns", "ns",
                         "Makespan of the same operations in one stream, in the order of issue; absent where they were "
                         "not run so"),
      member<&R::trace, &T::device_facts>(
          "device_facts", "",
          "Limits of each device and how long its hand-overs usually take, in order; absent where they are not known",
          not_empty),
      member<&R::trace, &T::launches>(
          "launches", "",
          "What each sort of kernel launch takes: one for each line, name and number of bytes; absent where none is "
          "known",
          not_empty),
      member<&R::alone>("alone", "",
                        "How long operations took in one stream, with nothing beside them; absent where they were not "
                        "run so",
                        not_empty),
      member<&R::trace, &T::answers, &trace::Answers::polls>(
          "poll_answers", "", "The first answers of each poll; absent where none are known", not_empty),
      member<&R::trace, &T::answers, &trace::Answers::streams>(
          "stream_attributes", "", "What streams that were asked for their attributes said", not_empty),
      member<&R::trace, &T::answers, &trace::Answers::captures>(
          "capture_answers", "", "What the host was told of captures that it asked about", not_empty)};
};
