#include "engine/base/catalogue_letters.h"

#include <utility>

namespace streamscope {
namespace {

std::string in_use;

}  // namespace

void set_catalogue_letters(std::string texts) { in_use = std::move(texts); }
std::string_view catalogue_letters() { return in_use; }

}  // namespace streamscope
