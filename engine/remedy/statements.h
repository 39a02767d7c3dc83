// Finding and changing statements in a program's syntax tree: what edits of its text are made of. What is changed is
// printed and read again, so only what is printed of a statement counts (its words, not what they mean). Internal to
// this room.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/program/syntax/tree.h"

namespace streamscope::remedy {

// Where a statement stands: the index of a line at each depth.
using Place = std::vector<std::size_t>;
inline bool is_in_block(const Place& place) { return place.size() > 1; }

// In the order of the text, those in blocks behind the one that opens them.
void each_statement(const program::Syntax& syntax,
                    const std::function<void(const program::syntax::Statement&, const Place&)>& visit);
std::vector<Place> places(const program::Syntax& syntax,
                          const std::function<bool(const program::syntax::Statement&)>& wanted);

std::vector<program::syntax::Line>& lines_around(program::Syntax& syntax, const Place& place);
program::syntax::Statement& at(program::Syntax& syntax, const Place& place);
const program::syntax::Statement& at(const program::Syntax& syntax, const Place& place);
std::uint32_t line_of(const program::Syntax& syntax, const Place& place);  // of the text, from 1

program::Syntax without(program::Syntax syntax, const Place& place);
// The lines of a text, to stand in the place of others; and put before the line of that index.
std::vector<program::syntax::Line> parsed_lines(const std::string& text);
void insert(program::Syntax& syntax, std::size_t index, const std::string& text);
// A buffer, a stream, an event, or which default stream there is: what stands ahead of the work.
bool declares(const program::syntax::Statement& statement);
// The index of the line behind the last buffer, stream or event that is declared.
std::size_t behind_declarations(const program::Syntax& syntax);
// " device=1", as its declaration has it; empty where it says nothing of devices.
std::string device_of(const program::Syntax& syntax, const program::syntax::Name& stream);
// `wish`, or that with a number: no statement has it.
std::string unused_name(const program::Syntax& syntax, const std::string& wish);

// Null where the statement has none of that key.
program::syntax::Option* option(program::syntax::Statement& statement, std::string_view key);
const program::syntax::Option* option(const program::syntax::Statement& statement, std::string_view key);
std::string value_of(const program::syntax::Option* option);  // as written; empty where there is none
// As written; empty where there are fewer.
std::string argument(const program::syntax::Statement& statement, std::size_t index);
std::string text_of(const program::syntax::Argument& argument);
std::string buffer_of(const program::syntax::Argument& argument);  // of a range; else empty
bool uses(const program::syntax::Statement& statement, const std::string& buffer);
// An expression with another one in the place of a variable; and all expressions of a statement and of those in it.
std::string with_variable(const std::string& expression, const std::string& variable, const std::string& by);
void replace_variable(program::syntax::Statement& statement, const std::string& variable, const std::string& by);
// Two repeats of as many turns, with one name for the turn.
bool same_turns(const program::syntax::Statement& a, const program::syntax::Statement& b);
bool waits_on_host(const program::syntax::Statement& statement);  // a sync or a poll

}  // namespace streamscope::remedy
