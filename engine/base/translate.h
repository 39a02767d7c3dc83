// The catalogue of messages: every word that the program says to a person goes through tr(). English is what stands in
// the sources; a catalogue in gettext's format (assets/messages) says it in another language.
//
//   tr("no such file")                                    a text as it is
//   tr("{}: cannot be read: {}", path, reason)            with values, checked against them by the compiler
//   tr_n("{} copy", "{} copies", count, count)            one or many, by the language's own rule
//   tr_later("copy engines")                              in a table: collected here, looked up by tr() where it is
//   shown
//
// Text is always a literal, as `./run messages` collects literals from the sources. Names that are no words of a
// language (cudaMemcpyAsync, keys of files, options) do not go through it.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace streamscope {

// What stands for `text` in the catalogue, or `text` itself. `plural` is null where there is no count. The answer stays
// valid for good.
using Catalogue = const char* (*)(const char* text, const char* plural, unsigned long count);

// For all that is said from now on; null: English. Called once, before other threads begin.
void translate_by(Catalogue catalogue);

namespace translate {
const char* text(const char* english);
const char* text(const char* one, const char* many, unsigned long count);
// Where a translation asks for a value that is not there, the original is used.
std::string format(const char* translated, const char* english, fmt::format_args values);
}  // namespace translate

inline const char* tr(const char* text) { return translate::text(text); }

// Of a literal kept as a view: a zero must stand behind it.
inline std::string_view tr(std::string_view text) { return text.empty() ? text : translate::text(text.data()); }

template <class First, class... Rest>
std::string tr(fmt::format_string<First, Rest...> text, First&& first, Rest&&... rest) {
  const char* const english = fmt::string_view(text).data();
  return translate::format(translate::text(english), english, fmt::make_format_args(first, rest...));
}

template <class... Values>
std::string tr_n(fmt::format_string<Values...> one, fmt::format_string<Values...> many,
                 std::type_identity_t<unsigned long> count, Values&&... values) {
  const char* const english = fmt::string_view(count == 1 ? one : many).data();
  return translate::format(translate::text(fmt::string_view(one).data(), fmt::string_view(many).data(), count), english,
                           fmt::make_format_args(values...));
}

constexpr const char* tr_later(const char* text) { return text; }

}  // namespace streamscope
