#include <nlohmann/json.hpp>

#include <utility>

#include "engine/calibration/accuracy.h"
#include "engine/calibration/calibrate.h"
#include "engine/output/output.h"

namespace streamscope::output {
namespace {

using Json = nlohmann::ordered_json;

Json errors_json(const calibration::Errors& errors) {
  return {{"programs", errors.programs},           {"mean", errors.mean},   {"median", errors.median},
          {"percentile_95", errors.percentile_95}, {"worst", errors.worst}, {"bias", errors.bias}};
}

}  // namespace

std::string to_json(const calibration::Calibration& done, const calibration::Accuracy& found,
                    const std::string& profile) {
  Json families = Json::array(), programs = Json::array();
  for (const calibration::Accuracy::Family& family : found.families) {
    Json one = errors_json(family.errors);
    one["name"] = family.name;
    families.push_back(std::move(one));
  }
  for (const calibration::WallPrediction& one : done.predictions) {
    programs.push_back({{"name", one.name},
                        {"family", one.family},
                        {"measured_ns", one.measured},
                        {"predicted_ns", one.predicted},
                        {"error", one.error()}});
  }
  const Json all = {
      {"schema", 1},
      {"provenance",
       {{"kind", done.judged.kind},
        {"device", done.judged.device},
        {"driver", done.judged.driver.empty() ? Json() : Json(done.judged.driver)},
        {"date", done.judged.date}}},
      {"profile", profile},
      {"fitted_programs", done.fitted.programs.size()},
      {"refused_programs", done.refused},
      {"before", errors_json(calibration::errors(done.before))},
      {"kept", done.kept},
      {"errors", errors_json(found.all)},
      {"large_pinned_copies", errors_json(found.large_pinned_copies)},
      {"order", {{"pairs", found.order.pairs}, {"alike", found.order.alike}, {"share", found.order.share()}}},
      {"families", std::move(families)},
      {"programs", std::move(programs)}};
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace streamscope::output
