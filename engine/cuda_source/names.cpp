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
// clang-format off
constexpr std::string_view kTaken[] = {
    "add", "alignas", "alignof", "and", "and_eq", "answer", "asm", "assert", "assert_false", "Attributes",
    "attributes", "auto", "begin_anew", "bitand", "bitor", "blockDim", "blockIdx", "bool", "break", "busy",
    "callback", "capture_info", "captured", "case", "catch", "chain", "char", "char16_t", "char32_t", "char8_t", "CHECK", "class",
    "clean_up", "co_await", "co_return", "co_yield", "code_of_call", "compl", "concept", "const", "const_cast",
    "consteval", "constexpr", "constinit", "continue", "cooperative_groups", "cuda", "decltype", "default", "delete",
    "dim3", "do", "done", "double", "dynamic_cast", "elapsed", "else", "enum", "EOF", "errno", "exp2f", "explicit",
    "export", "extern", "false", "fault_assert", "fault_illegal_address", "fault_launch_config", "fault_trap", "fill",
    "fill_buffers", "fill_words", "float", "float4", "fmaf", "fmaxf", "for", "friend", "globaltimer", "goto",
    "gridDim", "host_function", "if", "init", "inline", "int", "keep", "KiB", "last_attributes", "last_capture", "last_elapsed",
    "last_error", "launch", "linux", "long", "main", "math_errhandling", "memcpy", "memory_of_block", "MiB", "min",
    "multiprocessors", "mutable", "namespace", "NAN", "never_runs", "new", "noexcept", "not", "not_eq", "NULL",
    "nullptr", "operator", "or", "or_eq", "pack", "peer_access", "pool", "prefetch", "print_sums", "private",
    "program", "protected", "public", "register", "reinterpret_cast", "requires", "return", "run", "sched_priority",
    "set_up", "shared_memory", "short", "signed", "size_t", "sizeof", "SNANF32", "SNANF64", "static", "static_assert",
    "static_cast", "std", "stderr", "stdin", "stdout", "stop_here", "struct", "sum_of_warp", "switch", "template",
    "this", "thread_local", "threadIdx", "throw", "touch", "touch_one", "true", "try", "two", "typedef", "typeid",
    "typename", "uint4", "union", "unix", "unpack", "unsigned", "using", "virtual", "void", "volatile", "warpSize",
    "wchar_t", "while", "write_nowhere", "xor", "xor_eq"
};
// clang-format on

// What variables that belong to another one end in.
constexpr const char* kSuffixes[] = {"", "_host", "_bytes", "_captured"};  // and suffix_of_device()

// Prefixes of macros that CUDA's and the C library's headers have, of what kernels call and of CUDA's own.
constexpr std::string_view kPrefixes[] = {"_",   "cuda", "CUDART_", "cp_async_", "NV_",  "HUGE_VAL",
                                          "FP_", "M_",   "SYS_",    "L_",        "P_tmp"};

// Reserved, CUDA's, or like a macro's name: INT_MAX, INT32_MAX, E2BIG, but neither S0 nor A.
bool may_clash(std::string_view name) {
  if (name.find("__") != std::string_view::npos ||
      std::any_of(std::begin(kPrefixes), std::end(kPrefixes),
                  [&](std::string_view prefix) { return name.starts_with(prefix); }))
    return true;
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  return name.size() > 2 && !digit(name.back()) &&
         std::all_of(name.begin(), name.end(), [&](char c) { return (c >= 'A' && c <= 'Z') || c == '_' || digit(c); });
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

Names::Names(const program::Syntax& syntax, const program::Program& program)
    : used_(std::begin(kTaken), std::end(kTaken)) {
  letters_of(syntax.lines, formed_);
  suffixes_.assign(std::begin(kSuffixes), std::end(kSuffixes));
  for (std::uint32_t device = 1; device < program::device_count(program); ++device)
    suffixes_.push_back(suffix_of_device(device));
  add_declared(program);
  add_made(program);
  name_all();
  find_changes(program);
}

void Names::add_declared(const program::Program& program) {
  const auto add_all = [&](Entity entity, const auto& table) {
    for (std::size_t i = 0; i < table.size(); ++i) {
      if constexpr (requires { table[i].made_in_run; }) {
        if (table[i].made_in_run) continue;
      }
      add(entity, static_cast<std::uint32_t>(i), table[i].name, false);
    }
  };
  add_all(Entity::buffer, program.buffers);
  for (std::size_t s = 2; s < program.streams.size(); ++s) {
    const program::Stream& stream = program.streams[s];
    if (!stream.per_thread && !stream.of_graph && !stream.legacy && !stream.made_in_run)
      add(Entity::stream, static_cast<std::uint32_t>(s), stream.name, false);
  }
  add_all(Entity::event, program.events);
  add_all(Entity::graph, program.graphs);
  for (auto& [name, lives] : of_name_) lives.first_is_declared = true;
}

// In the order in which the text makes them, which is that of the operations.
void Names::add_made(const program::Program& program) {
  std::map<Key, ThreadId> ended;  // by whom
  std::set<Key> since_reset;
  bool reset = false;
  const auto make = [&](Entity entity, std::uint32_t id, const std::string& name, ThreadId thread) {
    const auto lives = of_name_.find(name);
    bool again = lives != of_name_.end() && lives->second.all.back().entity == entity;
    if (again) {
      const Key last{entity, lives->second.all.back().id};
      const auto end = ended.find(last);
      again = end != ended.end() ? end->second == thread : reset && !since_reset.contains(last);
    }
    add(entity, id, name, again);
    since_reset.insert({entity, id});
  };
  for (const program::Operation& operation : program.operations) {
    const ThreadId by = operation.thread;
    std::visit(
        [&](const auto& work) {
          using Work = std::decay_t<decltype(work)>;
          namespace op = program::op;
          const auto buffer = [&](BufferId id) { make(Entity::buffer, id.value, program.buffers[id.value].name, by); };
          if constexpr (std::is_same_v<Work, op::Malloc> || std::is_same_v<Work, op::MallocAsync>) {
            buffer(work.buffer);
          } else if constexpr (std::is_same_v<Work, op::MallocHost>) {
            buffer(work.made);
          } else if constexpr (std::is_same_v<Work, op::CreateStream>) {
            make(Entity::stream, work.made.value, program.streams[work.made.value].name, by);
          } else if constexpr (std::is_same_v<Work, op::CreateEvent>) {
            make(Entity::event, work.made.value, program.events[work.made.value].name, by);
          } else if constexpr (std::is_same_v<Work, op::StartThread>) {
            make(Entity::thread, work.thread.value, program.threads[work.thread.value].name, by);
          } else if constexpr (std::is_same_v<Work, op::Free> || std::is_same_v<Work, op::FreeAsync>) {
            ended.insert_or_assign({Entity::buffer, work.buffer.value}, by);
          } else if constexpr (std::is_same_v<Work, op::FreeHost>) {
            ended.insert_or_assign({Entity::buffer, work.gone.value}, by);
          } else if constexpr (std::is_same_v<Work, op::DestroyStream>) {
            ended.insert_or_assign({Entity::stream, work.gone.value}, by);
          } else if constexpr (std::is_same_v<Work, op::DestroyEvent>) {
            ended.insert_or_assign({Entity::event, work.gone.value}, by);
          } else if constexpr (std::is_same_v<Work, op::Reset>) {
            reset = true;
            since_reset.clear();
          }
        },
        operation.work);
  }
}

void Names::add(Entity entity, std::uint32_t id, const std::string& name, bool again) {
  Lives& lives = of_name_[name];
  const bool first = lives.all.empty();
  if (again) {
    const auto place = of_id_.at({entity, lives.all.back().id});
    of_id_[{entity, id}] = place;
    Named& named = all_[place.first];
    named.ids.push_back(id);
    if (named.array) named.at.push_back(place.second);
  }
  lives.all.push_back({entity, id});
  if (again) return;
  const auto split = numbered(name);
  if (!first || !split || !formed_.contains(split->first)) {
    of_id_[{entity, id}] = {all_.size(), 0};
    all_.push_back({entity, name, false, 0, {id}});
    return;
  }
  const auto [at, fresh] = families_.emplace(Family{entity, std::string(split->first)}, all_.size());
  if (fresh) all_.push_back({entity, at->first.letters, true, 0, {}});
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
    std::map<std::uint64_t, std::size_t> of_number;  // index in plain
    for (std::size_t i = 0; i < array.ids.size(); ++i) {
      const auto [at, first] = of_number.emplace(array.at[i], plain.size());
      if (first) plain.push_back({array.entity, fmt::format("{}{}", array.cpp, array.at[i]), false, 0, {}});
      plain[at->second].ids.push_back(array.ids[i]);
      of_id_[{array.entity, array.ids[i]}] = {all_.size() + at->second, 0};
    }
    array.ids.clear();
    family = families_.erase(family);
  }
  all_.insert(all_.end(), plain.begin(), plain.end());
  for (Named& one : all_) {
    if (!one.ids.empty()) one.cpp = unused(one.cpp);
  }
}

void Names::find_changes(const program::Program& program) {
  for (Named& one : all_) {
    if (one.entity != Entity::buffer) continue;
    std::map<std::uint64_t, std::uint64_t> sizes;  // by place
    for (std::size_t i = 0; i < one.ids.size(); ++i) {
      const std::uint64_t bytes = program.buffers[one.ids[i]].bytes;
      one.one_size = one.one_size && bytes == program.buffers[one.ids.front()].bytes;
      if (sizes.emplace(one.array ? one.at[i] : 0, bytes).first->second != bytes) one.size_changes = true;
    }
    // One variable may hold the size of a plain name, also where it changes.
    if (!one.array) one.one_size = true;
  }
  // What the text of a statement depends on.
  const auto same = [&](const Life& one, const Life& other) {
    if (one.entity != other.entity || of_id_.at({one.entity, one.id}) != of_id_.at({other.entity, other.id}))
      return false;
    if (one.entity == Entity::stream) return program.streams[one.id].device == program.streams[other.id].device;
    if (one.entity != Entity::buffer) return true;
    const program::Buffer &a = program.buffers[one.id], &b = program.buffers[other.id];
    return a.device == b.device && a.more_devices == b.more_devices &&
           (a.host == program::HostMemory::managed) == (b.host == program::HostMemory::managed);
  };
  for (auto& [name, lives] : of_name_) {
    lives.change =
        std::any_of(lives.all.begin(), lives.all.end(), [&](const Life& one) { return !same(one, lives.all.front()); });
    any_changes_ |= lives.change;
  }
  begin_anew();
}

bool Names::changes(const Name& name) const {
  if (!any_changes_) return false;
  const auto text = Variables().text(name);
  if (!text) {  // it may be one that begins with the same letters
    const std::string& letters = name.pieces.front().letters;
    return std::any_of(of_name_.begin(), of_name_.end(),
                       [&](const auto& one) { return one.second.change && one.first.starts_with(letters); });
  }
  const auto at = of_name_.find(*text);
  return at != of_name_.end() && at->second.change;
}

void Names::begin(const Name& name, const Variables& variables) {
  const auto text = variables.text(name);
  const auto at = text ? of_name_.find(*text) : of_name_.end();
  if (at != of_name_.end() && at->second.begun < at->second.all.size()) ++at->second.begun;
}

void Names::begin_anew() {
  for (auto& [name, lives] : of_name_) lives.begun = lives.first_is_declared ? 1 : 0;
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
  return {&named, id, named.array ? fmt::format("[{}]", number) : ""};
}

std::optional<Place> Names::find(const program::syntax::Name& name, const Variables& variables,
                                 std::initializer_list<Entity> among) const {
  if (const auto text = variables.text(name)) {
    const auto at = of_name_.find(*text);
    if (at == of_name_.end()) return std::nullopt;
    return find(at->second.now().entity, at->second.now().id);
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
  return Place{found, found->ids.front(), "[" + cpp(name.pieces[0].expression, variables) + "]"};
}

}  // namespace streamscope::cuda_source
