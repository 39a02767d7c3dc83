#include "engine/base/place.h"

#include "engine/base/translate.h"

namespace streamscope {

std::string error_at(std::string_view place, std::string_view what) { return tr("{}: error: {}", place, what); }
std::string warning_at(std::string_view place, std::string_view what) { return tr("{}: warning: {}", place, what); }

}  // namespace streamscope
