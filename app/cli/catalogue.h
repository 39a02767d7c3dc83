// The catalogue of messages in the language of the person's system, read by gettext. assets/messages holds what they
// are built from.
#pragma once

namespace streamscope::cli {

// Asks the locale (LANGUAGE, LC_ALL, LC_MESSAGES, LANG). Where assets/messages has no catalogue of it all stays
// English.
void use_catalogue();

}  // namespace streamscope::cli
