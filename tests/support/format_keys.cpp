// Prints, as JSON, the keys of every record that files are made of, by the descriptions in the code: what the tables of
// docs/formats.md and the JSON Schema are held to (tests/docs/check_formats.py).
#include <fmt/format.h>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "engine/base/name_table.h"
#include "engine/device/description.h"
#include "engine/device/model/profile/description.h"
#include "engine/device/model/profile/profile_numbers.h"
#include "engine/experiment/description.h"
#include "engine/trace/description.h"
#include "kernels/registry.h"

namespace streamscope {
namespace {

using Json = nlohmann::ordered_json;

// What a record is called on the page and in the schema; empty: it has no table of its own.
template <class Record>
constexpr std::string_view record_name() {
  if constexpr (std::is_same_v<Record, trace::Run>) return "run";
  if constexpr (std::is_same_v<Record, trace::Span>) return "span";
  if constexpr (std::is_same_v<Record, trace::Stages>) return "stages";
  if constexpr (std::is_same_v<Record, trace::StageBlock>) return "stage_block";
  if constexpr (std::is_same_v<Record, trace::Stage>) return "stage";
  if constexpr (std::is_same_v<Record, trace::KernelFacts>) return "kernel";
  if constexpr (std::is_same_v<Record, trace::StreamInfo>) return "stream";
  if constexpr (std::is_same_v<Record, trace::DeviceFacts>) return "device_facts";
  if constexpr (std::is_same_v<Record, trace::HandOver>) return "hand_over";
  if constexpr (std::is_same_v<Record, trace::LaunchShape>) return "launch";
  if constexpr (std::is_same_v<Record, trace::IsolatedTime>) return "isolated_time";
  if constexpr (std::is_same_v<Record, trace::PollAnswer>) return "poll_answer";
  if constexpr (std::is_same_v<Record, trace::StreamAttributes>) return "stream_attributes";
  if constexpr (std::is_same_v<Record, trace::CaptureAnswer>) return "capture_answer";
  if constexpr (std::is_same_v<Record, trace::Provenance>) return "provenance";
  if constexpr (std::is_same_v<Record, trace::Statistic>) return "statistic";
  if constexpr (std::is_same_v<Record, trace::ObserverEffect>) return "observer_effect";
  if constexpr (std::is_same_v<Record, trace::Prediction>) return "prediction";
  if constexpr (std::is_same_v<Record, trace::Referee>) return "referee";
  if constexpr (std::is_same_v<Record, device::DeviceInfo>) return "device";
  if constexpr (std::is_same_v<Record, device::DeviceList>) return "device_list";
  if constexpr (std::is_same_v<Record, device::SkippedGpu>) return "skipped_gpu";
  if constexpr (std::is_same_v<Record, experiment::Experiment>) return "experiment";
  if constexpr (std::is_same_v<Record, model::Profile>) return "profile";
  return {};
}

template <class T>
struct Element {};
template <class T>
struct Element<std::optional<T>> {
  using Type = T;
  static constexpr bool list = false;
};
template <class T>
struct Element<std::vector<T>> {
  using Type = T;
  static constexpr bool list = true;
};

template <class T>
constexpr bool kWraps = requires {
  typename Element<T>::Type;
};

// As JSON has it: {"type": "integer"}, {"enum": [...]}, {"record": "span"}, {"list": ...}.
template <class T>
Json type_of() {
  if constexpr (std::is_same_v<T, trace::Notes>) {
    return {{"list", {{"type", "string"}}}};  // their texts
  } else if constexpr (std::is_same_v<T, trace::Trace>) {
    return {{"list", {{"record", "span"}}}};
  } else if constexpr (kWraps<T>) {
    Json of = type_of<typename Element<T>::Type>();
    return Element<T>::list ? Json{{"list", std::move(of)}} : of;
  } else if constexpr (!record_name<T>().empty()) {
    return {{"record", record_name<T>()}};
  } else if constexpr (std::is_enum_v<T>) {
    Json names = Json::array();
    for (const auto name : kNames<T>) names.push_back(name);
    return {{"enum", std::move(names)}};
  } else if constexpr (std::is_same_v<T, bool>) {
    return {{"type", "boolean"}};
  } else if constexpr (std::is_integral_v<T>) {
    return {{"type", "integer"}};
  } else if constexpr (std::is_floating_point_v<T>) {
    return {{"type", "number"}};
  } else if constexpr (std::is_same_v<T, std::string>) {
    return {{"type", "string"}};
  } else {
    return {{"type", "other"}};
  }
}

template <class T>
constexpr bool kOptional = requires(const T& value) {
  value.has_value();
};

template <class Record>
void describe(Json& all) {
  Json members = Json::array();
  schema::each_member<Record>([&](const auto& each) {
    using Member = std::decay_t<decltype(each)>;
    if constexpr (Member::kWhere != schema::Where::messages) {
      Json one{{"key", each.key}, {"unit", each.unit}, {"meaning", each.meaning}};
      if constexpr (Member::kWhere == schema::Where::computed) {
        one["computed"] = true;
      } else {
        using T = std::decay_t<decltype(Member::of(std::declval<Record&>()))>;
        using Present = std::decay_t<decltype(each.present_if)>;
        const bool table = Member::kTable != schema::kNoTable;
        one["type"] = table ? Json{{"type", "string"}} : type_of<T>();
        one["may_be_null"] =
            table || kOptional<T> || !std::is_same_v<Present, schema::Always> || std::is_same_v<T, Nanoseconds>;
        if (each.least != std::numeric_limits<double>::lowest()) {
          one["least"] = each.least;
          one["most"] = each.most;
        }
      }
      members.push_back(std::move(one));
    }
  });
  all[std::string(record_name<Record>())] = std::move(members);
}

Json kernel_options() {
  Json kernels = Json::array();
  for (const kernels::Kernel* kernel : kernels::all()) {
    Json options = Json::array();
    for (const kernels::Option& option : kernel->options) options.push_back(option.key);
    kernels.push_back({{"word", kernel->word}, {"meaning", kernel->meaning}, {"options", std::move(options)}});
  }
  return kernels;
}

}  // namespace
}  // namespace streamscope

int main() {
  using namespace streamscope;
  Json all;
  describe<trace::Run>(all);
  describe<trace::Provenance>(all);
  describe<trace::Statistic>(all);
  describe<trace::ObserverEffect>(all);
  describe<trace::Span>(all);
  describe<trace::KernelFacts>(all);
  describe<trace::StreamInfo>(all);
  describe<trace::DeviceFacts>(all);
  describe<trace::HandOver>(all);
  describe<trace::LaunchShape>(all);
  describe<trace::IsolatedTime>(all);
  describe<trace::PollAnswer>(all);
  describe<trace::StreamAttributes>(all);
  describe<trace::CaptureAnswer>(all);
  describe<trace::Stages>(all);
  describe<trace::StageBlock>(all);
  describe<trace::Stage>(all);
  describe<trace::Prediction>(all);
  describe<trace::Referee>(all);
  describe<device::DeviceList>(all);
  describe<device::DeviceInfo>(all);
  describe<device::SkippedGpu>(all);
  describe<experiment::Experiment>(all);
  describe<model::Profile>(all);
  all["kernels"] = kernel_options();
  fmt::print("{}\n", all.dump(2));
}
