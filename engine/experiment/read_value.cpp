#include "engine/experiment/read_value.h"

#include <algorithm>
#include <limits>

#include "engine/base/quantity.h"
#include "engine/base/suggest.h"
#include "engine/base/translate.h"

namespace streamscope::experiment::keys {

std::string as_written(const Given& given) {
  if (const auto* text = std::get_if<std::string>(&given.value)) return fmt::format("\"{}\"", *text);
  if (const auto* number = std::get_if<std::int64_t>(&given.value)) return fmt::format("{}", *number);
  if (const auto* number = std::get_if<double>(&given.value)) return fmt::format("{}", *number);
  if (const auto* truth = std::get_if<bool>(&given.value)) return *truth ? "true" : "false";
  if (std::holds_alternative<Texts>(given.value)) return "an array";
  return std::string(std::get<NoValue>(given.value).what);
}

std::string expected(const Given& given, std::string_view what) {
  return tr("{} is {}; write {}", given.key, as_written(given), what);
}

Problem read_text(const Given& given, std::string& out) {
  if (const auto* text = std::get_if<std::string>(&given.value)) {
    out = *text;
  } else if (!given.raw.empty() || std::holds_alternative<std::string>(given.value)) {
    out = given.raw;  // --set name=8: the word 8
  } else {
    return expected(given, tr("text in quotes"));
  }
  return {};
}

Problem read_texts(const Given& given, Texts& out) {
  const auto* texts = std::get_if<Texts>(&given.value);
  if (texts == nullptr) return expected(given, tr("an array of texts, such as [\"pinned\", \"overlap\"]"));
  for (const std::string& text : *texts) {
    if (text.find_first_not_of(" \t\r\n") == std::string::npos) return tr("{} has a blank text; remove it", given.key);
  }
  out = *texts;
  return {};
}

Problem read_truth(const Given& given, bool& out) {
  const auto* truth = std::get_if<bool>(&given.value);
  if (truth == nullptr) return expected(given, tr("true or false"));
  out = *truth;
  return {};
}

Problem read_count(const Given& given, std::uint64_t least, std::uint64_t most, std::uint64_t& out) {
  const auto* number = std::get_if<std::int64_t>(&given.value);
  if (number == nullptr) return expected(given, tr("a whole number, such as {}", std::max<std::uint64_t>(least, 4)));
  if (*number < 0 || static_cast<std::uint64_t>(*number) < least || static_cast<std::uint64_t>(*number) > most) {
    return tr("{} is {}; write a number from {} to {}", given.key, *number, least, most);
  }
  out = static_cast<std::uint64_t>(*number);
  return {};
}

Problem read_size(const Given& given, std::uint64_t& out) {
  if (const auto* number = std::get_if<std::int64_t>(&given.value)) {
    if (*number <= 0) return expected(given, tr("a size above 0, such as \"16MiB\""));
    out = static_cast<std::uint64_t>(*number);
    return {};
  }
  const auto* text = std::get_if<std::string>(&given.value);
  if (text == nullptr) return expected(given, tr("a size, such as \"16MiB\", or whole bytes"));
  const auto size = parse_bytes(*text);
  if (!size) return fmt::format("{}: {}", given.key, size.error().message);
  if (*size == 0) return expected(given, tr("a size above 0, such as \"16MiB\""));
  if (*size > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    return tr("{} is {}; that is more than any memory holds", given.key, as_written(given));
  }
  out = *size;
  return {};
}

Problem choose_word(const Given& given, std::span<const std::string_view> words, std::size_t& out) {
  const std::string list = fmt::format("{}", fmt::join(words, ", "));
  const auto* text = std::get_if<std::string>(&given.value);
  if (text == nullptr) return expected(given, tr("one of: {}", list));
  const auto at = std::find(words.begin(), words.end(), *text);
  if (at != words.end()) {
    out = static_cast<std::size_t>(at - words.begin());
    return {};
  }
  return tr("{} is {}; write one of: {}", given.key, as_written(given), list) + did_you_mean(*text, words);
}

}  // namespace streamscope::experiment::keys
