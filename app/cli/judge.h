// What a comparison of predicted with measured wall times says: as text and as a figure.
#pragma once

#include <string>
#include <vector>

#include "app/draw/scatter.h"
#include "engine/calibration/accuracy.h"
#include "engine/device/device.h"

namespace streamscope {

// What a model is held to; shares of the measured time, and of pairs.
struct Bounds {
  double mean = 0.05, percentile_95 = 0.15, large_pinned_copies = 0.02, order = 0.97;
};
bool within(const Accuracy& found, const Bounds& bounds);

// The table of families, the verdict, and the `most` predictions that are farthest off.
std::string words(const Accuracy& found, const std::vector<WallPrediction>& predictions, const Recording& recording,
                  const Bounds& bounds, std::size_t most);
// How far the GPU agrees with itself: no model can be judged closer than that.
std::string self_agreement(const Accuracy& found, std::size_t programs, const Recording& first,
                           const Recording& second);
Scatter figure_of(const Accuracy& found, const std::vector<WallPrediction>& predictions, const Recording& recording,
                  const DeviceInfo& model, const Bounds& bounds);
// "name,family,measured_ns,predicted_ns,error", a line each.
std::string pairs_csv(const std::vector<WallPrediction>& predictions);

}  // namespace streamscope
