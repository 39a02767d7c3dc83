#include "engine/device/cuda/instrument/make_instrument.h"

#include "engine/device/cuda/cupti/cupti_pass.h"
#include "engine/device/cuda/instrument/calls_only.h"
#include "engine/device/cuda/instrument/instrument.h"

namespace streamscope::cuda {

Result<std::unique_ptr<PassInstrument>> make_instrument(device::Instrument which, const Observable& observed) {
  switch (which) {
    case device::Instrument::cupti: return CuptiPass::make(observed);
    case device::Instrument::calls: return std::make_unique<CallsOnly>(observed);
    case device::Instrument::full:
    case device::Instrument::sampled:
    case device::Instrument::bare: break;
  }
  return Instruments::make(observed);
}

}  // namespace streamscope::cuda
