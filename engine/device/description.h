// How devices are written: by messages, and by the list of devices.
#pragma once

#include "engine/device/device_info.h"
#include "engine/schema/record.h"

template <>
struct streamscope::schema::Description<streamscope::device::WhatIfNumber> {
  using W = device::WhatIfNumber;
  static constexpr auto members = std::tuple{
      member<&W::key>("key", "", "Key of the number in the profile"),
      member<&W::name>("name", "", "Name of the number, for people"),
      member<&W::meaning>("meaning", "", "What the number is"),
      member<&W::unit>("unit", "", "Unit of `least`, `most` and `value`, and of a value given for the number"),
      member<&W::least>("least", "", "Least value on the number's slider"),
      member<&W::most>("most", "", "Greatest value on the number's slider"),
      member<&W::value>("value", "", "The number that the profile has")};
};

template <>
struct streamscope::schema::Description<streamscope::device::DeviceInfo> {
  using D = device::DeviceInfo;
  static constexpr auto members = std::tuple{
      member<&D::id>("id", "", "Name of the device as --device takes it"),
      member<&D::kind>("kind", "", "Whether the device measures (a GPU) or is a model"),
      member<&D::name>("name", "", "Name of the device, as the driver or the profile has it"),
      member<&D::driver>("driver", "", "Versions of the GPU's driver and of CUDA; absent for a model", not_empty),
      member<&D::profile>("profile", "", "Profile of the model; absent for a GPU", not_empty),
      member<&D::compute_capability>(
          "compute_capability", "",
          "CUDA's compute capability of the device; absent where the profile does not have it", not_empty),
      member<&D::memory_bytes>("memory_bytes", "B", "Memory of the device"),
      member<&D::multiprocessors>("multiprocessors", "", "Streaming multiprocessors (SMs) of the device"),
      member<&D::copy_engines>("copy_engines", "", "Copy engines of the device that work at once (asyncEngineCount)"),
      member<&D::lowest_priority>("lowest_priority", "", "Least urgent priority that a stream of the device can have"),
      member<&D::highest_priority>(
          "highest_priority", "",
          "Most urgent priority that a stream of the device can have; lower numbers are more urgent"),
      member<&D::drives_display>("drives_display", "",
                                 "Whether the GPU drives a display; the driver then ends long kernels"),
      message_member<&D::devices>("devices", "",
                                  "How many devices a program may name: of a model so many of it, of a GPU all that "
                                  "can be used"),
      message_member<&D::peer>("peer", "", "Whether the first two devices of a program reach each other's memory"),
      message_member<&D::what_ifs>("what_ifs", "", "Numbers of the model that a person may change"),
      message_member<&D::predicted_by>("predicted_by", "", "The model that predicts the device's runs by default")};
};

template <>
struct streamscope::schema::Description<streamscope::device::SkippedGpu> {
  using S = device::SkippedGpu;
  static constexpr auto members = std::tuple{
      member<&S::id>("id", "", "Name of the GPU as --device would take it"),
      member<&S::name>("name", "", "Name of the GPU, as the driver has it; absent where it does not say", not_empty),
      member<&S::why>("why", "", "Why the GPU cannot be used, in words")};
};

template <>
struct streamscope::schema::Description<streamscope::device::DeviceList> {
  using D = device::DeviceList;
  static constexpr auto members = std::tuple{
      computed("schema", "", "Version of the format of this file"),
      member<&D::devices>("devices", "", "The devices there are, GPUs first, then models"),
      member<&D::why_no_gpu>("why_no_gpu", "",
                             "Why there is no GPU that can be used, in words; absent where there is one", not_empty),
      member<&D::skipped>("skipped", "", "GPUs that are there and cannot be used", not_empty)};
};
