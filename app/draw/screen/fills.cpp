#include "app/draw/screen/fills.h"

#include <fmt/format.h>

#include "app/timeline/pattern.h"

namespace streamscope {

std::string fill_definitions() {
  std::string out;
  for (const auto& [name, which] : {std::pair{"RISING", Stripes::rising},
                                    {"FALLING", Stripes::falling},
                                    {"VERTICAL", Stripes::vertical},
                                    {"LEVEL", Stripes::level},
                                    {"DOTS", Stripes::dots}})
    out += fmt::format("#define {} {}\n", name, static_cast<int>(which));
  std::string list;
  for (const Pattern& each : kPatterns)
    list += fmt::format("{}ivec3({}, {}, {})", list.empty() ? "" : ", ", each.period, each.width, each.stripes);
  return out + fmt::format("const ivec3 PATTERNS[{0}] = ivec3[{0}]({1});\n", kFills, list);
}

}  // namespace streamscope
