#include "app/draw/screen/fills.h"

#include <fmt/format.h>

#include "app/timeline/pattern.h"

namespace streamscope::screen {

std::string fill_definitions() {
  std::string out;
  for (const auto& [name, which] : {std::pair{"RISING", timeline::Stripes::rising},
                                    {"FALLING", timeline::Stripes::falling},
                                    {"VERTICAL", timeline::Stripes::vertical},
                                    {"LEVEL", timeline::Stripes::level},
                                    {"DOTS", timeline::Stripes::dots}})
    out += fmt::format("#define {} {}\n", name, static_cast<int>(which));
  std::string list;
  for (const timeline::Pattern& each : timeline::kPatterns)
    list += fmt::format("{}ivec3({}, {}, {})", list.empty() ? "" : ", ", each.period, each.width, each.stripes);
  return out + fmt::format("const ivec3 PATTERNS[{0}] = ivec3[{0}]({1});\n", timeline::kFills, list);
}

}  // namespace streamscope::screen
