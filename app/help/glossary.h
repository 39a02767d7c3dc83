// The glossary of the catalogues (assets/messages/glossary.toml): what a thing is called in each language. Internal to
// this room; the only part of it that knows toml++.
#pragma once

#include "app/help/entry.h"

namespace streamscope::help {

// Words of the language and terms are found by what the glossary calls them in any language, whichever is spoken.
void add_other_languages(Entries& entries);

}  // namespace streamscope::help
