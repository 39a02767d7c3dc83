// The members of every message.
#pragma once

#include <array>
#include <string_view>
#include <type_traits>
#include <variant>

#include "engine/device/description.h"
#include "engine/device/stage_plan.h"
#include "engine/remote/message.h"
#include "engine/remote/wire.h"
#include "engine/schema/record.h"
#include "engine/trace/description.h"

namespace streamscope::remote {

// On the wire a message is known by its name; in the order of Message's alternatives.
inline constexpr std::array<std::string_view, std::variant_size_v<Message>> kTypes{
    "hello", "ask-devices", "devices", "run", "stop", "spans", "passes", "done", "failed", "opinion"};

// How many rows one message may have of what is packed by column; 0: it is not.
template <class Row>
inline constexpr std::size_t kMostRows = 0;
template <>
inline constexpr std::size_t kMostRows<trace::Span> = kSpansPerMessage;
template <>
inline constexpr std::size_t kMostRows<trace::Stage> = device::kMostStagesKept;
template <>
inline constexpr std::size_t kMostRows<trace::KernelFacts> = trace::kMostKernelFacts;
template <>
inline constexpr std::size_t kMostRows<trace::LaunchShape> = trace::kMostLaunchShapes;
template <>
inline constexpr std::size_t kMostRows<trace::IsolatedTime> = trace::kMostIsolatedTimes;

// f(member) for each member that messages carry.
template <class Record, class F>
constexpr void each_carried(F&& f) {
  schema::each_member<Record>([&](const auto& member) {
    constexpr schema::Where kWhere = std::decay_t<decltype(member)>::kWhere;
    if constexpr (kWhere == schema::Where::everywhere || kWhere == schema::Where::messages) f(member);
  });
}

}  // namespace streamscope::remote

template <>
struct streamscope::schema::Description<streamscope::DeviceFault> {
  using F = DeviceFault;
  static constexpr auto members =
      std::tuple{member<&F::call>("call", "", "The CUDA call that failed"),
                 member<&F::code>("code", "", "Code that the call returned"),
                 member<&F::name>("name", "", "CUDA's name of that code"),
                 member<&F::operation>("operation", "", "Operation that the call was made for")};
};

template <>
struct streamscope::schema::Description<streamscope::Error> {
  using E = Error;
  static constexpr auto members = std::tuple{
      member<&E::kind>("kind", "", "Kind of the error"),
      member<&E::message>("message", "", "Message of the error, in whole sentences"),
      member<&E::fault>("fault", "", "The CUDA call that failed"),
      member<&E::longest_kernel>("longest_kernel_ns", "ns",
                                 "Time of the longest kernel, where a run was refused since kernels are too long"),
      member<&E::wants_own_code>("wants_own_code", "",
                                 "Whether a run was refused since code of its own was not given, or is wrong")};
};

template <>
struct streamscope::schema::Description<streamscope::kernels::OwnSource> {
  using O = kernels::OwnSource;
  static constexpr auto members = std::tuple{member<&O::file>("file", "", "File, as the program names it"),
                                             member<&O::text>("text", "", "Its text, CUDA C++")};
};

template <>
struct streamscope::schema::Description<streamscope::measure::MeasureOptions> {
  using M = measure::MeasureOptions;
  static constexpr auto members = std::tuple{
      member<&M::runs>("runs", "", "How many runs are timed"),
      member<&M::instrument>("instrument", "", "Instrument that the runs are observed with"),
      member<&M::gate>("gate", "", "Whether a gate holds all streams until everything is queued"),
      member<&M::share>("share", "", "Of a sampled run: one operation in this many carries an event"),
      member<&M::min_samples>("min_samples", "", "Fewest runs before the stop rule may end the measurement"),
      member<&M::max_noise>("max_noise", "1",
                            "Spread of the wall times over their median at which the stop rule ends the measurement"),
      member<&M::timeout>("timeout_ns", "ns", "Time after which no further run is begun"),
      member<&M::stages_of>("stages_of", "", "One block in this many records its stages"),
      member<&M::observer_effect>("observer_effect", "",
                                  "Whether bare runs are timed as well, for the observer effect"),
      member<&M::serial>("serial", "", "Whether the operations are also run in one stream, for the speed-up"),
      member<&M::verify>("verify", "", "Whether the data are checked after the last run"),
      member<&M::long_kernels>("long_kernels", "", "Whether kernels may run so long that they freeze the display"),
      message_member<&M::own>("own", "", "Sources of the program's own kernels: with them, it is asked to run them"),
      message_member<&M::own_limit>("own_limit_ns", "ns",
                                    "Time after which a pass with the program's own kernels ends the engine"),
      member<&M::own_process>("own_process", "", "Whether the process is the run's own, and may be lost to it")};
};

template <>
struct streamscope::schema::Description<streamscope::remote::message::Hello> {
  using M = remote::message::Hello;
  static constexpr auto members = std::tuple{member<&M::protocol>("protocol", "", "Version of the protocol"),
                                             member<&M::program>("program", "", "Version of the program")};
};
template <>
struct streamscope::schema::Description<streamscope::remote::message::AskDevices> {
  static constexpr std::tuple<> members{};
};
template <>
struct streamscope::schema::Description<streamscope::remote::message::Devices> {
  static constexpr auto members =
      std::tuple{member<&remote::message::Devices::list>("list", "", "The devices that --device may name")};
};
template <>
struct streamscope::schema::Description<streamscope::predict::OwnTime> {
  using O = predict::OwnTime;
  static constexpr auto members =
      std::tuple{member<&O::source>("source", "", "Mark of the source that it was compiled from; empty: this one"),
                 member<&O::kernel>("kernel", "", "Name of the kernel"),
                 member<&O::blocks>("blocks", "", "Blocks of the grid"),
                 member<&O::threads>("threads", "", "Threads of a block"),
                 member<&O::shared_bytes>("shared_bytes", "B", "Dynamic shared memory of a block"),
                 member<&O::time>("time_ns", "ns", "Time of a launch"),
                 member<&O::registers>("registers", "", "Registers of a thread; 0: not known"),
                 member<&O::device>("device", "", "GPU that it was measured on")};
};
template <>
struct streamscope::schema::Description<streamscope::remote::message::StartRun> {
  using M = remote::message::StartRun;
  static constexpr auto members =
      std::tuple{member<&M::id>("id", "", "Number of the run, which comes back in every answer"),
                 member<&M::device>("device", "", "Device to run on, as --device has it"),
                 member<&M::program>("program", "", "Text of the program to run"),
                 member<&M::experiment>("experiment", "", "TOML of the experiment that the program is of"),
                 member<&M::options>("options", "", "How the run is measured"),
                 member<&M::predict>("predict", "", "The model that predicts the run; empty: none"),
                 member<&M::referee>("referee", "", "Whether not the run is wanted, but the referee's opinion on it"),
                 message_member<&M::own_times>("own_times", "",
                                               "Times of the program's own kernels, as measured before, for models")};
};
template <>
struct streamscope::schema::Description<streamscope::referee::Opinion> {
  using O = referee::Opinion;
  static constexpr auto members =
      std::tuple{member<&O::passes>("passes", "", "How many passes the durations are of"),
                 member<&O::by>("by", "", "Whose records they are"),
                 member<&O::shortest>("shortest_ns", "ns", "Shortest duration of each operation in these passes"),
                 member<&O::median>("median_ns", "ns", "Median duration of each operation in these passes"),
                 member<&O::longest>("longest_ns", "ns", "Longest duration of each operation in these passes")};
};
template <>
struct streamscope::schema::Description<streamscope::remote::message::Opinion> {
  using M = remote::message::Opinion;
  static constexpr auto members =
      std::tuple{member<&M::id>("id", "", "Number of the question"),
                 member<&M::opinion>("opinion", "", "How long the operations took by CUPTI's records")};
};
template <>
struct streamscope::schema::Description<streamscope::remote::message::Stop> {
  static constexpr auto members = std::tuple{member<&remote::message::Stop::id>("id", "", "Number of the run")};
};
template <>
struct streamscope::schema::Description<streamscope::remote::message::Spans> {
  using M = remote::message::Spans;
  static constexpr auto members =
      std::tuple{member<&M::id>("id", "", "Number of the run"),
                 member<&M::final>("final", "", "Whether the spans are part of the result"),
                 member<&M::predicted>("predicted", "", "Whether the spans are part of the prediction"),
                 member<&M::spans>("spans", "", "Spans of operations, in the program's order")};
};
template <>
struct streamscope::schema::Description<streamscope::remote::message::Passes> {
  using M = remote::message::Passes;
  static constexpr auto members = std::tuple{member<&M::id>("id", "", "Number of the run"),
                                             member<&M::done>("done", "", "How many passes are done"),
                                             member<&M::total>("total", "", "How many passes there are in all")};
};
template <>
struct streamscope::schema::Description<streamscope::remote::message::Done> {
  using M = remote::message::Done;
  static constexpr auto members = std::tuple{member<&M::id>("id", "", "Number of the run"),
                                             member<&M::run>("run", "", "The run without its spans, which came before"),
                                             member<&M::spans>("spans", "", "How many spans came"),
                                             member<&M::predicted>("predicted", "", "How many predicted spans came")};
};
template <>
struct streamscope::schema::Description<streamscope::remote::message::Failed> {
  using M = remote::message::Failed;
  static constexpr auto members = std::tuple{member<&M::id>("id", "", "Number of the run; 0: of none"),
                                             member<&M::error>("error", "", "Why the run failed")};
};
