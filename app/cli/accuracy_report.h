// What a comparison of predicted with measured wall times says: as text and as a figure.
#pragma once

#include <string>
#include <vector>

#include "app/draw/scatter.h"
#include "engine/calibration/accuracy.h"
#include "engine/device/device.h"

namespace streamscope::cli {

// What a model is held to; shares of the measured time, and of pairs.
struct Bounds {
  double mean = 0.05, percentile_95 = 0.15, large_pinned_copies = 0.02, order = 0.97;
};
bool within(const calibration::Accuracy& found, const Bounds& bounds);

// The table of families, the verdict, and the `most` predictions that are farthest off.
std::string words(const calibration::Accuracy& found, const std::vector<calibration::WallPrediction>& predictions,
                  const calibration::Recording& recording, const Bounds& bounds, std::size_t most);
// How far the GPU agrees with itself: no model can be judged closer than that.
std::string self_agreement(const calibration::Accuracy& found, std::size_t programs,
                           const calibration::Recording& first, const calibration::Recording& second);
draw::Scatter figure_of(const calibration::Accuracy& found, const std::vector<calibration::WallPrediction>& predictions,
                        const calibration::Recording& recording, const device::DeviceInfo& model, const Bounds& bounds);
// "name,family,measured_ns,predicted_ns,error", a line each.
std::string pairs_csv(const std::vector<calibration::WallPrediction>& predictions);

}  // namespace streamscope::cli
