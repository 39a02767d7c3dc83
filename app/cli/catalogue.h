// The catalogue of messages in a person's language, read by gettext. assets/messages holds what they are translated
// from and to, and the build makes LANGUAGE/LC_MESSAGES/streamscope.mo of it.
#pragma once

#include <string>
#include <vector>

#include "engine/base/result.h"

namespace streamscope::cli {

// That messages can be said in: en, and each that has a catalogue.
std::vector<std::string> languages();

// Takes `--language CODE` and `--language=CODE` out of the arguments of main, wherever they stand, for what the other
// options mean is said in that language. Empty: it is not among them, or its value is missing.
// Errors: bad_input where there is no such language.
Result<std::string> take_language(std::vector<char*>& arguments);

// `language`: empty: the locale decides (LANGUAGE, LC_ALL, LC_MESSAGES, LANG). Where there is no catalogue of it all
// is English. Called before anything is said, and before other threads begin; processes that are started later say the
// same language.
void use_catalogue(const std::string& language);

}  // namespace streamscope::cli
