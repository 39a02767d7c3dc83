// The words that a lesson is found by, out of lesson.toml. Internal to this room.
#pragma once

#include <string_view>

#include "engine/experiment/experiment.h"
#include "engine/lesson/table_reader.h"

namespace streamscope::lesson {

// Of a lesson's table: none where it has none. What is wrong with them the reader is told.
experiment::Keywords read_keywords(const toml::table& table, TableReader& reader);
// As far as they can be read: a list of lessons passes over what is wrong.
experiment::Keywords keywords_of(std::string_view toml);

}  // namespace streamscope::lesson
