// The runs of a lesson from the command line: on the device at hand, or on another where it does not do.
#pragma once

#include <memory>
#include <string>

#include "app/cli/interrupt.h"
#include "engine/device/catalog/open_devices.h"
#include "engine/lesson/trial.h"

namespace streamscope::cli {

class LessonDevice {
 public:
  // `name` as --device; empty: auto. Where that does not meet what the lesson needs, what the lesson says to take
  // instead. Error: there is no device for it.
  static Result<LessonDevice> open(const lesson::Lesson& lesson, const std::string& name);

  const device::DeviceInfo& info() const { return device_->info(); }
  const std::string& instead_of() const {
    return instead_of_;
  }  // why it is another one than asked for; empty: it is not
  Result<trace::Run> run(const experiment::Input& input, bool stages, const Interrupt& interrupt) const;

 private:
  std::unique_ptr<catalog::OpenDevices> devices_ = std::make_unique<catalog::OpenDevices>();
  device::Device* device_ = nullptr;
  std::string instead_of_;
};

}  // namespace streamscope::cli
