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
    "hello", "ask-devices", "devices", "run", "stop", "spans", "passes", "done", "failed"};

// How many rows one message may have of what is packed by column; 0: it is not.
template <class Row>
inline constexpr std::size_t kMostRows = 0;
template <>
inline constexpr std::size_t kMostRows<trace::Span> = kSpansPerMessage;
template <>
inline constexpr std::size_t kMostRows<trace::Stage> = device::kMostStagesKept;
template <>
inline constexpr std::size_t kMostRows<trace::KernelFacts> = trace::kMostKernelFacts;

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
  static constexpr auto members = std::tuple{
      member<&F::call>("call", "", "The CUDA call"), member<&F::code>("code", "", "That it returned"),
      member<&F::name>("name", "", "Of that code"), member<&F::operation>("operation", "", "That it was called for")};
};

template <>
struct streamscope::schema::Description<streamscope::Error> {
  using E = Error;
  static constexpr auto members =
      std::tuple{member<&E::kind>("kind", "", "Of the error"), member<&E::message>("message", "", "Whole sentences"),
                 member<&E::fault>("fault", "", "The failed CUDA call"),
                 member<&E::longest_kernel>("longest_kernel_ns", "ns", "Refused as kernels are too long: the longest")};
};

template <>
struct streamscope::schema::Description<streamscope::measure::MeasureOptions> {
  using M = measure::MeasureOptions;
  static constexpr auto members =
      std::tuple{member<&M::runs>("runs", "", "Timed"),
                 member<&M::instrument>("instrument", "", "How they are observed"),
                 member<&M::gate>("gate", "", "Everything is queued before anything runs"),
                 member<&M::share>("share", "", "Sampled: one operation in so many carries an event"),
                 member<&M::min_samples>("min_samples", "", "Of the stop rule: runs at the least"),
                 member<&M::max_noise>("max_noise", "1", "Of the stop rule: spread over median"),
                 member<&M::timeout>("timeout_ns", "ns", "Of the stop rule: no run is begun after it"),
                 member<&M::stages_of>("stages_of", "", "One block in so many records its stages"),
                 member<&M::observer_effect>("observer_effect", "", "Bare runs are timed as well"),
                 member<&M::verify>("verify", "", "The data are checked after the last run"),
                 member<&M::long_kernels>("long_kernels", "", "Kernels may freeze the display")};
};

template <>
struct streamscope::schema::Description<streamscope::remote::message::Hello> {
  using M = remote::message::Hello;
  static constexpr auto members = std::tuple{member<&M::protocol>("protocol", "", "Its version"),
                                             member<&M::program>("program", "", "And the program's version")};
};
template <>
struct streamscope::schema::Description<streamscope::remote::message::AskDevices> {
  static constexpr std::tuple<> members{};
};
template <>
struct streamscope::schema::Description<streamscope::remote::message::Devices> {
  static constexpr auto members =
      std::tuple{member<&remote::message::Devices::list>("list", "", "Of what --device may name")};
};
template <>
struct streamscope::schema::Description<streamscope::remote::message::StartRun> {
  using M = remote::message::StartRun;
  static constexpr auto members =
      std::tuple{member<&M::id>("id", "", "Comes back in every answer"),
                 member<&M::device>("device", "", "As --device has it"),
                 member<&M::program>("program", "", "Its text"),
                 member<&M::experiment>("experiment", "", "Its TOML"),
                 member<&M::options>("options", "", "How it is measured"),
                 member<&M::predict>("predict", "", "The model that predicts it; empty: none")};
};
template <>
struct streamscope::schema::Description<streamscope::remote::message::Stop> {
  static constexpr auto members = std::tuple{member<&remote::message::Stop::id>("id", "", "Of the run")};
};
template <>
struct streamscope::schema::Description<streamscope::remote::message::Spans> {
  using M = remote::message::Spans;
  static constexpr auto members =
      std::tuple{member<&M::id>("id", "", "Of the run"), member<&M::final>("final", "", "Part of the result"),
                 member<&M::predicted>("predicted", "", "Part of the prediction"),
                 member<&M::spans>("spans", "", "In the program's order")};
};
template <>
struct streamscope::schema::Description<streamscope::remote::message::Passes> {
  using M = remote::message::Passes;
  static constexpr auto members = std::tuple{member<&M::id>("id", "", "Of the run"), member<&M::done>("done", "", ""),
                                             member<&M::total>("total", "", "")};
};
template <>
struct streamscope::schema::Description<streamscope::remote::message::Done> {
  using M = remote::message::Done;
  static constexpr auto members =
      std::tuple{member<&M::id>("id", "", "Of the run"), member<&M::run>("run", "", "Without spans, which came before"),
                 member<&M::spans>("spans", "", "How many came"),
                 member<&M::predicted>("predicted", "", "How many of the prediction came")};
};
template <>
struct streamscope::schema::Description<streamscope::remote::message::Failed> {
  using M = remote::message::Failed;
  static constexpr auto members =
      std::tuple{member<&M::id>("id", "", "Of the run; 0: of none"), member<&M::error>("error", "", "Why")};
};
