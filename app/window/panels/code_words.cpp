#include "app/window/panels/code_words.h"

#include <algorithm>
#include <array>
#include <utility>

#include "app/timeline/contrast.h"
#include "engine/program/syntax/grammar.h"

namespace streamscope::window {
namespace {

using program::grammar::Form;
using timeline::Colour;
using timeline::Theme;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// Adds to the words; what means nothing joins what stands before it.
class Line {
 public:
  explicit Line(std::string_view line) : line_(line) {}
  bool done() const { return at_ >= line_.size(); }
  char now() const { return line_[at_]; }
  std::string_view rest() const { return line_.substr(at_); }
  void take(std::size_t length, WordMeaning meaning = WordMeaning::plain, OperationKind kind = {}) {
    const std::string_view text = line_.substr(at_, length);
    at_ += text.size();
    if (text.empty()) return;
    if (meaning == WordMeaning::plain && !words_.empty() && words_.back().meaning == meaning)
      words_.back().text =
          line_.substr(at_ - text.size() - words_.back().text.size(), words_.back().text.size() + text.size());
    else
      words_.push_back({text, meaning, kind});
  }
  template <class Belongs>
  std::size_t length(Belongs belongs) const {
    const std::string_view all = rest();
    return static_cast<std::size_t>(std::find_if_not(all.begin(), all.end(), belongs) - all.begin());
  }
  CodeWords finish() { return std::move(words_); }

 private:
  std::string_view line_;
  std::size_t at_ = 0;
  CodeWords words_;
};

// Statements whose kind is not called as they are.
constexpr std::pair<std::string_view, OperationKind> kOtherwise[] = {
    {"callback", OperationKind::hostfn},      {"attributes", OperationKind::query},
    {"create-stream", OperationKind::create}, {"create-event", OperationKind::create},
    {"malloc-host", OperationKind::malloc},   {"free-host", OperationKind::free},
    {"lasterror", OperationKind::query},      {"capture", OperationKind::create},
    {"capture-info", OperationKind::query}};

std::optional<OperationKind> kind_of_statement(std::string_view word) {
  if (const auto kind = by_name<OperationKind>(word); kind && *kind != OperationKind::thread) return kind;
  for (const auto& [name, kind] : kOtherwise)
    if (name == word) return kind;
  const Form* const form = program::grammar::find(program::grammar::Side::stream, word);
  if (form != nullptr && form->kernel != nullptr) return OperationKind::kernel;
  return std::nullopt;
}

bool is_statement(std::string_view word) {
  return std::ranges::any_of(program::grammar::forms(), [&](const Form& each) { return each.word == word; });
}

constexpr std::string_view kBetween[] = {"as", "from", "on", "times", "to"};

// CUDA's calls and the written file's own functions that are an operation; a copy is one by its direction.
constexpr std::pair<std::string_view, OperationKind> kCalls[] = {{"cudaMemcpyHostToDevice", OperationKind::h2d},
                                                                 {"cudaMemcpyDeviceToHost", OperationKind::d2h},
                                                                 {"cudaMemcpyDeviceToDevice", OperationKind::d2d},
                                                                 {"cudaMemset", OperationKind::memset},
                                                                 {"cudaMemsetAsync", OperationKind::memset},
                                                                 {"cudaMemPrefetchAsync", OperationKind::prefetch},
                                                                 {"prefetch", OperationKind::prefetch},
                                                                 {"cudaEventRecord", OperationKind::record},
                                                                 {"cudaEventRecordWithFlags", OperationKind::record},
                                                                 {"cudaStreamWaitEvent", OperationKind::wait},
                                                                 {"cudaLaunchHostFunc", OperationKind::hostfn},
                                                                 {"cudaStreamAddCallback", OperationKind::hostfn},
                                                                 {"busy", OperationKind::work},
                                                                 {"touch", OperationKind::touch},
                                                                 {"cudaDeviceSynchronize", OperationKind::sync},
                                                                 {"cudaStreamSynchronize", OperationKind::sync},
                                                                 {"cudaEventSynchronize", OperationKind::sync},
                                                                 {"cudaStreamQuery", OperationKind::query},
                                                                 {"cudaEventQuery", OperationKind::query},
                                                                 {"cudaEventElapsedTime", OperationKind::elapsed},
                                                                 {"cudaMallocAsync", OperationKind::malloc},
                                                                 {"cudaFreeAsync", OperationKind::free},
                                                                 {"cudaMallocHost", OperationKind::malloc},
                                                                 {"cudaFreeHost", OperationKind::free},
                                                                 {"cudaHostRegister", OperationKind::pin},
                                                                 {"cudaHostUnregister", OperationKind::unpin},
                                                                 {"cudaDeviceReset", OperationKind::reset},
                                                                 {"cudaGetLastError", OperationKind::query},
                                                                 {"cudaPeekAtLastError", OperationKind::query},
                                                                 {"cudaGraphLaunch", OperationKind::launch},
                                                                 {"join", OperationKind::join}};

constexpr std::string_view kKeywords[] = {"__device__",
                                          "__global__",
                                          "__host__",
                                          "__launch_bounds__",
                                          "__restrict__",
                                          "__shared__",
                                          "__syncthreads",
                                          "alignas",
                                          "asm",
                                          "auto",
                                          "bool",
                                          "break",
                                          "char",
                                          "const",
                                          "constexpr",
                                          "continue",
                                          "do",
                                          "double",
                                          "else",
                                          "extern",
                                          "false",
                                          "float",
                                          "float4",
                                          "for",
                                          "if",
                                          "inline",
                                          "int",
                                          "long",
                                          "namespace",
                                          "nullptr",
                                          "reinterpret_cast",
                                          "return",
                                          "size_t",
                                          "sizeof",
                                          "static",
                                          "static_cast",
                                          "struct",
                                          "template",
                                          "true",
                                          "typename",
                                          "unsigned",
                                          "using",
                                          "void",
                                          "volatile",
                                          "while"};

// As far as a `"` that ends it, or all.
std::size_t length_of_string(std::string_view text) {
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == text[0])
      return i + 1;
  }
  return text.size();
}

struct Inks {
  std::array<Colour, kWordMeanings> meaning;
  std::array<Colour, kOperationKinds> kind;
};

Inks inks(const Theme& theme) {
  const auto read = [&](Colour ink) {
    return timeline::readable(ink, {theme.background, lit_ground(theme), cursor_ground(theme)}, theme.strong_text);
  };
  Inks out;
  out.meaning = {read(theme.text),    read(theme.faint_text),  read(theme.selection),
                 read(theme.warning), read(theme.strong_text), read(theme.text)};
  for (std::size_t i = 0; i < out.kind.size(); ++i) out.kind[i] = read(timeline::colour(static_cast<OperationKind>(i)));
  return out;
}

}  // namespace

CodeWords words_of_program(std::string_view text) {
  const std::size_t comment = std::min(text.find('#'), text.size());
  const std::string_view code = text.substr(0, comment);
  // "S{i%4}: h2d x": the statement stands behind whose it is.
  std::size_t begin = code.find(": ");
  begin = begin == std::string_view::npos ? 0 : begin + 1;
  begin = std::min(code.find_first_not_of(" \t}", begin), code.size());
  Line line(text);
  line.take(begin);
  const auto in_word = [](char c) { return is_letter(c) || is_digit(c) || c == '-' || c == '.'; };
  const std::string_view first = line.rest().substr(0, std::min(line.length(in_word), comment - begin));
  if (const auto kind = is_statement(first) ? kind_of_statement(first) : std::nullopt)
    line.take(first.size(), WordMeaning::operation, *kind);
  else
    line.take(first.size(), is_statement(first) ? WordMeaning::keyword : WordMeaning::plain);
  bool value = false;  // behind a `=`
  while (!line.done() && line.now() != '#') {
    const std::size_t length = line.length(in_word);
    const std::string_view word = line.rest().substr(0, length);
    if (length == 0) {
      value = line.now() == '=';
      line.take(1);
    } else if (is_digit(word.front())) {
      line.take(length, WordMeaning::number);
    } else if (!value && (word == "h2d" || word == "d2h")) {
      line.take(length, WordMeaning::operation, word == "h2d" ? OperationKind::h2d : OperationKind::d2h);
    } else {
      line.take(length,
                std::ranges::find(kBetween, word) == std::end(kBetween) ? WordMeaning::plain : WordMeaning::keyword);
    }
  }
  line.take(line.rest().size(), WordMeaning::comment);
  return line.finish();
}

CodeWords words_of_cuda(std::string_view text) {
  Line line(text);
  const auto in_word = [](char c) { return is_letter(c) || is_digit(c); };
  if (text.starts_with('#')) line.take(std::min(text.find(' '), text.size()), WordMeaning::keyword);
  while (!line.done()) {
    const std::string_view rest = line.rest();
    const std::size_t length = line.length(in_word);
    const std::string_view word = rest.substr(0, length), behind = rest.substr(length);
    const auto call = std::ranges::find(kCalls, word, &std::pair<std::string_view, OperationKind>::first);
    if (rest.starts_with("//")) {
      line.take(rest.size(), WordMeaning::comment);
    } else if (rest.front() == '"' || rest.front() == '\'') {
      line.take(length_of_string(rest), WordMeaning::number);
    } else if (length == 0) {
      line.take(1);
    } else if (is_digit(word.front())) {
      line.take(length, WordMeaning::number);
    } else if (call != std::end(kCalls)) {
      line.take(length, WordMeaning::operation, call->second);
    } else if (behind.starts_with("<<<")) {
      line.take(length, WordMeaning::operation, OperationKind::kernel);
    } else if (std::ranges::find(kKeywords, word) != std::end(kKeywords)) {
      line.take(length, WordMeaning::keyword);
    } else {
      line.take(length, word.starts_with("cuda") ? WordMeaning::call : WordMeaning::plain);
    }
  }
  return line.finish();
}

Colour lit_ground(const Theme& theme) { return timeline::mixed(theme.background, theme.selection, 0.16f); }
Colour cursor_ground(const Theme& theme) { return timeline::mixed(theme.background, theme.text, 0.08f); }

Colour colour_of(const CodeWord& word, const Theme& theme) {
  static const std::array<Inks, kNames<timeline::ThemeName>.size()> all = [] {
    std::array<Inks, kNames<timeline::ThemeName>.size()> out;
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = inks(timeline::theme(static_cast<timeline::ThemeName>(i)));
    return out;
  }();
  const Inks& now = all[static_cast<std::size_t>(theme.name)];
  return word.meaning == WordMeaning::operation ? now.kind[static_cast<std::size_t>(word.kind)]
                                                : now.meaning[static_cast<std::size_t>(word.meaning)];
}

}  // namespace streamscope::window
