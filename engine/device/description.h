// How devices are written: by messages, and by the list of devices.
#pragma once

#include "engine/device/device_info.h"
#include "engine/schema/record.h"

template <>
struct streamscope::schema::Description<streamscope::device::WhatIfNumber> {
  using W = device::WhatIfNumber;
  static constexpr auto members =
      std::tuple{member<&W::key>("key", "", "In the profile"),
                 member<&W::name>("name", "", "For people"),
                 member<&W::meaning>("meaning", "", "What it is"),
                 member<&W::unit>("unit", "", "Of the numbers below, and of a value given for it"),
                 member<&W::least>("least", "", "Of a slider"),
                 member<&W::most>("most", "", "Of a slider"),
                 member<&W::value>("value", "", "The profile's own")};
};

template <>
struct streamscope::schema::Description<streamscope::device::DeviceInfo> {
  using D = device::DeviceInfo;
  static constexpr auto members = std::tuple{
      member<&D::id>("id", "", "What --device takes"),
      member<&D::kind>("kind", "", "Measured, or made by a model"),
      member<&D::name>("name", "", "As the driver or the profile has it"),
      member<&D::driver>("driver", "", "And CUDA's version; absent for a model", not_empty),
      member<&D::profile>("profile", "", "Of the model; absent for a GPU", not_empty),
      member<&D::compute_capability>("compute_capability", "", "Absent where the profile does not have it", not_empty),
      member<&D::memory_bytes>("memory_bytes", "B", "Of the device"),
      member<&D::multiprocessors>("multiprocessors", "", "SMs"),
      member<&D::copy_engines>("copy_engines", "", "That work at once (asyncEngineCount)"),
      member<&D::lowest_priority>("lowest_priority", "", "Of streams"),
      member<&D::highest_priority>("highest_priority", "", "Of streams; lower is more urgent"),
      member<&D::drives_display>("drives_display", "", "The driver then ends long kernels"),
      message_member<&D::what_ifs>("what_ifs", "", "Numbers of the model that a person may change"),
      message_member<&D::predicted_by>("predicted_by", "", "The model that predicts its runs by default")};
};

template <>
struct streamscope::schema::Description<streamscope::device::DeviceList> {
  using D = device::DeviceList;
  static constexpr auto members = std::tuple{
      computed("schema", "", "Version of this format"), member<&D::devices>("devices", "", "GPUs first, then models"),
      member<&D::why_no_gpu>("why_no_gpu", "", "In words, where there is none", not_empty)};
};
