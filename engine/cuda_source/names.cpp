#include "engine/cuda_source/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace streamscope::cuda_source {
namespace {

using program::syntax::Line;
using program::syntax::Name;

// Words and macros of C++, and what the written file has of its own. Its functions and variables stand in a namespace,
// so that they may be called as the C library's are.
constexpr std::string_view kTaken[] = {"CHECK",
                                       "EOF",
                                       "KiB",
                                       "MiB",
                                       "NAN",
                                       "NULL",
                                       "add",
                                       "answer",
                                       "callback",
                                       "assert_false",
                                       "fault_assert",
                                       "fault_illegal_address",
                                       "fault_launch_config",
                                       "fault_trap",
                                       "last_error",
                                       "never_runs",
                                       "stop_here",
                                       "write_nowhere",
                                       "elapsed",
                                       "last_elapsed",
                                       "attributes",
                                       "last_attributes",
                                       "Attributes",
                                       "alignas",
                                       "alignof",
                                       "and",
                                       "and_eq",
                                       "asm",
                                       "assert",
                                       "auto",
                                       "bitand",
                                       "bitor",
                                       "bool",
                                       "break",
                                       "busy",
                                       "case",
                                       "catch",
                                       "chain",
                                       "char",
                                       "char16_t",
                                       "char32_t",
                                       "char8_t",
                                       "class",
                                       "clean_up",
                                       "co_await",
                                       "co_return",
                                       "co_yield",
                                       "compl",
                                       "concept",
                                       "const",
                                       "const_cast",
                                       "consteval",
                                       "constexpr",
                                       "constinit",
                                       "continue",
                                       "cooperative_groups",
                                       "cuda",
                                       "decltype",
                                       "default",
                                       "delete",
                                       "dim3",
                                       "do",
                                       "done",
                                       "double",
                                       "dynamic_cast",
                                       "else",
                                       "enum",
                                       "errno",
                                       "exp2f",
                                       "explicit",
                                       "export",
                                       "extern",
                                       "false",
                                       "fill",
                                       "fill_buffers",
                                       "fill_words",
                                       "float",
                                       "float4",
                                       "fmaf",
                                       "fmaxf",
                                       "for",
                                       "friend",
                                       "globaltimer",
                                       "goto",
                                       "host_function",
                                       "if",
                                       "inline",
                                       "int",
                                       "linux",
                                       "long",
                                       "main",
                                       "math_errhandling",
                                       "memory_of_block",
                                       "min",
                                       "multiprocessors",
                                       "mutable",
                                       "namespace",
                                       "new",
                                       "noexcept",
                                       "not",
                                       "not_eq",
                                       "nullptr",
                                       "operator",
                                       "or",
                                       "or_eq",
                                       "pack",
                                       "prefetch",
                                       "print_sums",
                                       "private",
                                       "program",
                                       "protected",
                                       "public",
                                       "register",
                                       "reinterpret_cast",
                                       "requires",
                                       "return",
                                       "run",
                                       "set_up",
                                       "short",
                                       "signed",
                                       "size_t",
                                       "sizeof",
                                       "static",
                                       "static_assert",
                                       "static_cast",
                                       "std",
                                       "stderr",
                                       "stdin",
                                       "stdout",
                                       "struct",
                                       "sum_of_warp",
                                       "switch",
                                       "template",
                                       "this",
                                       "thread_local",
                                       "throw",
                                       "touch",
                                       "touch_one",
                                       "true",
                                       "try",
                                       "two",
                                       "typedef",
                                       "typeid",
                                       "typename",
                                       "uint4",
                                       "union",
                                       "unix",
                                       "unpack",
                                       "unsigned",
                                       "using",
                                       "virtual",
                                       "void",
                                       "volatile",
                                       "wchar_t",
                                       "while",
                                       "xor",
                                       "xor_eq"};

// What variables that belong to another one end in.
constexpr const char* kSuffixes[] = {"", "_host", "_bytes", "_captured"};  // and suffix_of_device()

// Reserved, CUDA's, or like a macro's name.
bool may_clash(std::string_view name) {
  if (name.front() == '_' || name.find("__") != std::string_view::npos || name.starts_with("cuda")) return true;
  return name.size() > 2 &&
         std::all_of(name.begin(), name.end(), [](char c) { return (c >= 'A' && c <= 'Z') || c == '_'; });
}

void letters_of(const Name& name, std::set<std::string, std::less<>>& to) {
  if (name.pieces.size() == 2 && !name.pieces[0].letters.empty() && name.pieces[1].letters.empty() &&
      name.pieces[1].expression.nodes.empty()) {
    to.insert(name.pieces[0].letters);
  }
}

void letters_of(const std::vector<Line>& lines, std::set<std::string, std::less<>>& to) {
  for (const Line& line : lines) {
    if (!line.statement) continue;
    const auto& statement = *line.statement;
    if (statement.stream) letters_of(*statement.stream, to);
    for (const auto& argument : statement.arguments) {
      if (const auto* name = std::get_if<Name>(&argument)) letters_of(*name, to);
      if (const auto* range = std::get_if<program::syntax::Range>(&argument)) letters_of(range->buffer, to);
    }
    if (statement.verb == program::syntax::Verb::streams) to.insert(std::get<Name>(statement.arguments[0]).text);
    letters_of(statement.body, to);
  }
}

// The number at the end of a name, written as a program forms it: no zeros before it.
std::optional<std::pair<std::string_view, std::uint64_t>> numbered(std::string_view name) {
  const std::size_t last = name.find_last_not_of("0123456789");
  if (last == std::string_view::npos || last + 1 == name.size()) return std::nullopt;
  const std::string_view digits = name.substr(last + 1);
  std::uint64_t number = 0;
  if ((digits.size() > 1 && digits[0] == '0') || digits.size() > 9) return std::nullopt;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return std::pair{name.substr(0, last + 1), number};
}

}  // namespace

std::string suffix_of_device(std::uint32_t device) { return fmt::format("_on{}", device); }

std::uint32_t id_at(const Place& place) {
  const Named& named = *place.named;
  for (std::size_t i = 0; named.array && i < named.ids.size(); ++i) {
    if (place.index == fmt::format("[{}]", named.at[i])) return named.ids[i];
  }
  return named.ids.front();
}

Names::Names(const program::Syntax& syntax, const program::Program& program)
    : used_(std::begin(kTaken), std::end(kTaken)) {
  letters_of(syntax.lines, formed_);
  suffixes_.assign(std::begin(kSuffixes), std::end(kSuffixes));
  for (std::uint32_t device = 1; device < program::device_count(program); ++device)
    suffixes_.push_back(suffix_of_device(device));
  const auto add_all = [&](Entity entity, const auto& table) {
    for (std::size_t i = 0; i < table.size(); ++i) add(entity, static_cast<std::uint32_t>(i), table[i].name);
  };
  add_all(Entity::buffer, program.buffers);
  for (std::size_t s = 2; s < program.streams.size(); ++s) {
    const program::Stream& stream = program.streams[s];
    if (!stream.per_thread && !stream.of_graph && !stream.legacy)
      add(Entity::stream, static_cast<std::uint32_t>(s), stream.name);
  }
  add_all(Entity::event, program.events);
  add_all(Entity::graph, program.graphs);
  for (std::size_t t = 1; t < program.threads.size(); ++t) {
    add(Entity::thread, static_cast<std::uint32_t>(t), program.threads[t].name);
  }
  name_all();
}

void Names::add(Entity entity, std::uint32_t id, const std::string& name) {
  of_name_[name] = {entity, id};
  const auto split = numbered(name);
  if (!split || !formed_.contains(split->first)) {
    of_id_[{entity, id}] = {all_.size(), 0};
    all_.push_back({entity, name, false, 0, {id}});
    return;
  }
  const auto [at, first] = families_.emplace(Family{entity, std::string(split->first)}, all_.size());
  if (first) all_.push_back({entity, at->first.letters, true, 0, {}});
  Named& array = all_[at->second];
  of_id_[{entity, id}] = {at->second, split->second};
  array.ids.push_back(id);
  array.at.push_back(split->second);
  array.size = std::max(array.size, split->second + 1);
}

// An array with far more places than things is none: its things are named one by one, and loops over them written out.
void Names::name_all() {
  std::vector<Named> plain;
  for (auto family = families_.begin(); family != families_.end();) {
    Named& array = all_[family->second];
    if (array.size <= 4 * array.ids.size() + 64) {
      ++family;
      continue;
    }
    for (std::size_t i = 0; i < array.ids.size(); ++i) {
      of_id_[{array.entity, array.ids[i]}] = {all_.size() + plain.size(), 0};
      plain.push_back({array.entity, fmt::format("{}{}", array.cpp, array.at[i]), false, 0, {array.ids[i]}});
    }
    array.ids.clear();
    family = families_.erase(family);
  }
  all_.insert(all_.end(), plain.begin(), plain.end());
  for (Named& one : all_) {
    if (!one.ids.empty()) one.cpp = unused(one.cpp);
  }
}

std::string Names::unused(std::string_view wanted) {
  std::string name(wanted);
  if (may_clash(name)) name += name.back() == '_' ? "of_program" : "_";
  while (name.find("__") != std::string::npos) name.replace(name.find("__"), 2, "_u_");
  if (name.front() == '_') name = "u" + name;
  const auto free = [&](const std::string& one) {
    return std::none_of(suffixes_.begin(), suffixes_.end(),
                        [&](const std::string& suffix) { return used_.contains(one + suffix); });
  };
  std::string tried = name;
  for (int i = 2; !free(tried); ++i) tried = fmt::format("{}_{}", name, i);
  for (const std::string& suffix : suffixes_) used_.insert(tried + suffix);
  return tried;
}

void Names::free(const std::string& name) {
  for (const std::string& suffix : suffixes_) used_.erase(name + suffix);
}

Place Names::find(Entity entity, std::uint32_t id) const {
  const auto& [index, number] = of_id_.at({entity, id});
  const Named& named = all_[index];
  return {&named, named.array ? fmt::format("[{}]", number) : ""};
}

std::optional<Place> Names::find(const program::syntax::Name& name, const Variables& variables,
                                 std::initializer_list<Entity> among) const {
  if (const auto text = variables.text(name)) {
    const auto at = of_name_.find(*text);
    if (at == of_name_.end()) return std::nullopt;
    return find(at->second.first, at->second.second);
  }
  std::set<std::string, std::less<>> letters;
  letters_of(name, letters);
  if (letters.empty()) return std::nullopt;
  const Named* found = nullptr;
  for (const Entity entity : among) {
    const auto at = families_.find({entity, *letters.begin()});
    if (at == families_.end()) continue;
    if (found != nullptr) return std::nullopt;  // which of the two it is depends on the number
    found = &all_[at->second];
  }
  if (found == nullptr) return std::nullopt;
  return Place{found, "[" + cpp(name.pieces[0].expression, variables) + "]"};
}

}  // namespace streamscope::cuda_source
