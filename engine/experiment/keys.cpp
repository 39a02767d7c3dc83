#include "engine/experiment/keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/base/quantity.h"
#include "engine/program/limits.h"
#include "kernels/registry.h"

namespace streamscope::experiment::keys {
namespace {

Problem read_host(Draft& draft, const Given& given) {
  static constexpr std::array<Choice<program::HostMemory>, 5> kChoices{
      {{"pinned", program::HostMemory::pinned},
       {"pageable", program::HostMemory::pageable},
       {"write-combined", program::HostMemory::write_combined},
       {"mapped", program::HostMemory::mapped},
       {"managed", program::HostMemory::managed}}};
  return choose(given, kChoices, draft.experiment.host);
}

Problem read_order(Draft& draft, const Given& given) {
  static constexpr std::array<Choice<IssueOrder>, 2> kChoices{
      {{"depth-first", IssueOrder::depth_first}, {"breadth-first", IssueOrder::breadth_first}}};
  return choose(given, kChoices, draft.experiment.order);
}

Problem read_flags(Draft& draft, const Given& given) {
  static constexpr std::array<Choice<StreamFlags>, 4> kChoices{{{"blocking", StreamFlags::blocking},
                                                                {"nonblocking", StreamFlags::nonblocking},
                                                                {"default", StreamFlags::legacy_default},
                                                                {"per-thread", StreamFlags::per_thread}}};
  return choose(given, kChoices, draft.experiment.stream_flags);
}

Problem read_mode(Draft& draft, const Given& given) {
  static constexpr std::array<Choice<Mode>, 2> kChoices{{{"async", Mode::async}, {"sync", Mode::sync}}};
  return choose(given, kChoices, draft.experiment.mode);
}

Problem read_sync(Draft& draft, const Given& given) {
  static constexpr std::array<Choice<FinalSync>, 4> kChoices{{{"device", FinalSync::device},
                                                              {"stream", FinalSync::stream},
                                                              {"event", FinalSync::event},
                                                              {"poll", FinalSync::poll}}};
  return choose(given, kChoices, draft.experiment.sync);
}

Problem read_duration(const Given& given, std::int64_t& out) {
  const auto* text = std::get_if<std::string>(&given.value);
  if (text == nullptr) {
    const auto* number = std::get_if<std::int64_t>(&given.value);
    if (number == nullptr) return expected(given, "a duration, such as \"300us\"");
    return expected(given, fmt::format("the unit too: \"{}us\", or ns, ms, s", *number));
  }
  const auto duration = parse_duration(*text);
  if (!duration) return fmt::format("{}: {}", given.key, duration.error().message);
  if (*duration == 0) return expected(given, "a duration above 0, such as \"300us\"");
  out = *duration;
  return {};
}

Problem read_kernel_name(Draft& draft, const Given& given) {
  std::vector<std::string_view> words;
  for (const kernels::Kernel* const one : kernels::all()) words.push_back(one->word);
  words.push_back("none");
  std::size_t chosen = 0;
  if (Problem problem = choose_word(given, words, chosen)) return problem;
  draft.experiment.kernel.kernel = chosen < kernels::all().size() ? kernels::all()[chosen] : nullptr;
  return {};
}

Problem read_kernel_option(Draft& draft, const Given& given) {
  const kernels::Option& option = *any_option_behind(given.key);
  std::int64_t value = 0;
  Problem problem;
  switch (option.kind) {
    case kernels::OptionKind::flag: {
      bool on = false;
      problem = read_truth(given, on);
      value = on ? 1 : 0;
      break;
    }
    case kernels::OptionKind::choice: {
      std::size_t chosen = 0;
      problem = choose_word(given, option.words, chosen);
      value = static_cast<std::int64_t>(chosen);
      break;
    }
    case kernels::OptionKind::duration: problem = read_duration(given, value); break;
    case kernels::OptionKind::bytes: {
      const auto* zero = std::get_if<std::int64_t>(&given.value);
      if (zero != nullptr && *zero == 0 && in_range(option, 0)) break;
      std::uint64_t size = 0;
      problem = read_size(given, size);
      value = static_cast<std::int64_t>(size);
      break;
    }
    case kernels::OptionKind::count:
      if (const auto* number = std::get_if<std::int64_t>(&given.value)) {
        value = *number;
      } else if (option.few.empty()) {
        problem = expected(given, fmt::format("a whole number, such as {}", std::max<std::int64_t>(option.least, 4)));
      }
      break;
  }
  if (problem) return problem;
  if (!in_range(option, value)) {
    if (!option.few.empty()) return expected(given, "one of: " + range_text(option));
    return fmt::format("{} is {}; write a {} from {} to {}", given.key, as_written(given),
                       option.kind == kernels::OptionKind::bytes ? "size" : "number",
                       option.automatic.empty() ? option.least : 0, option.most);
  }
  draft.kernel[given.key] = value;
  return {};
}

const Key kPipeline[]{
    {"name", "What the experiment is called", "text", true,
     [](Draft& d, const Given& g) { return read_text(g, d.experiment.name); }},
    {"about", "One or two sentences for the reader", "text", true,
     [](Draft& d, const Given& g) { return read_text(g, d.experiment.about); }},
    {"program", "A stream program of its own, in place of all that follows but verify", "text", true,
     [](Draft& d, const Given& g) { return read_text(g, d.program); }},
    {"bytes", "Data to bring in, work on and bring back", "a size: \"256MiB\"", false,
     [](Draft& d, const Given& g) { return read_size(g, d.experiment.bytes); }},
    {"chunk", "Data to one copy; must divide bytes", "a size: \"16MiB\"", false,
     [](Draft& d, const Given& g) {
       d.chunks.reset();
       return read_size(g, d.experiment.chunk);
     }},
    {"chunks", "The same as a count: bytes / chunk", "1, 2, ...", false,
     [](Draft& d, const Given& g) {
       std::uint64_t chunks = 0;
       Problem problem = read_count(g, 1, program::kMaximumOperations, chunks);
       if (!problem) d.chunks = chunks;
       return problem;
     }},
    {"streams", "CUDA streams; chunk i goes to stream i modulo streams", "1 to 1024", false,
     [](Draft& d, const Given& g) { return read_count(g, 1, kMostStreams, d.experiment.streams); }},
    {"stream_flags", "How the streams are made, or which default stream takes all the work",
     "blocking, nonblocking, default, per-thread", false, read_flags},
    {"order", "How the host issues: chunk by chunk, or all copies in, all kernels, all copies out",
     "depth-first, breadth-first", false, read_order},
    {"host", "Host memory; mapped and managed are one allocation that both sides work on",
     "pinned, pageable, write-combined, mapped, managed", false, read_host},
    {"mode", "cudaMemcpyAsync; or cudaMemcpy, and a synchronisation after each kernel", "async, sync", false,
     read_mode},
    {"sync", "How the host waits at the end", "device, stream, event, poll", false, read_sync},
    {"h2d", "Copy in; managed memory is prefetched to the device", "true, false", false,
     [](Draft& d, const Given& g) { return read_truth(g, d.experiment.h2d); }},
    {"d2h", "Copy out; managed memory is prefetched to the host", "true, false", false,
     [](Draft& d, const Given& g) { return read_truth(g, d.experiment.d2h); }},
    {"verify", "Check the data that came back", "true, false", true,
     [](Draft& d, const Given& g) { return read_truth(g, d.experiment.verify); }},
};

// A key for each option of a kernel; one that several have is one key.
std::vector<Key> all_keys() {
  std::vector<Key> all(std::begin(kPipeline), std::end(kPipeline));
  std::vector<std::string_view> words;
  std::vector<std::string> meanings;
  for (const kernels::Kernel* const kernel : kernels::all()) {
    words.push_back(kernel->word);
    meanings.push_back(fmt::format("{}: {}", kernel->word, kernel->meaning));
  }
  all.push_back({"kernel.name", fmt::format("{}", fmt::join(meanings, "; ")),
                 fmt::format("{}, none", fmt::join(words, ", ")), false, read_kernel_name});
  for (const bool of_grid : {false, true}) {
    for (const kernels::Kernel* const kernel : kernels::all()) {
      for (const kernels::Option& option : kernel->options) {
        std::string key = key_of(option);
        const bool known = std::any_of(all.begin(), all.end(), [&](const Key& one) { return one.name == key; });
        if (known || option.of_grid != of_grid) continue;
        std::string meaning = fmt::format("{}: {}", kernels_with(key), option.meaning);
        all.push_back({std::move(key), std::move(meaning), range_text(option), false, read_kernel_option});
      }
    }
  }
  return all;
}

}  // namespace

std::span<const Key> all() {
  static const std::vector<Key> kAll = all_keys();
  return kAll;
}

const Key* find(std::string_view name) {
  const auto at = std::find_if(all().begin(), all().end(), [&](const Key& key) { return key.name == name; });
  return at == all().end() ? nullptr : &*at;
}

std::string key_of(const kernels::Option& option) {
  std::string key = fmt::format("kernel.{}", option.key);
  std::replace(key.begin(), key.end(), '-', '_');
  return key;
}

std::size_t option_behind(const kernels::Kernel& kernel, std::string_view key) {
  const auto at = std::find_if(kernel.options.begin(), kernel.options.end(),
                               [&](const kernels::Option& one) { return key_of(one) == key; });
  return static_cast<std::size_t>(at - kernel.options.begin());
}

const kernels::Option* any_option_behind(std::string_view key) {
  for (const kernels::Kernel* const kernel : kernels::all()) {
    if (const std::size_t at = option_behind(*kernel, key); at < kernel->options.size()) return &kernel->options[at];
  }
  return nullptr;
}

std::string kernels_with(std::string_view key) {
  std::string text;
  for (const kernels::Kernel* const kernel : kernels::all()) {
    if (option_behind(*kernel, key) >= kernel->options.size()) continue;
    if (!text.empty()) text += " or ";
    text += kernel->word;
  }
  return text;
}

void choose_kernel(Draft& draft) {
  kernels::Choice& chosen = draft.experiment.kernel;
  chosen.values = {};
  if (chosen.kernel == nullptr) return;
  chosen.values = kernels::experiment_values(*chosen.kernel);
  for (const auto& [key, value] : draft.kernel) {
    const std::size_t at = option_behind(*chosen.kernel, key);
    if (at < chosen.kernel->options.size()) chosen.values[at] = value;
  }
}

bool in_range(const kernels::Option& option, std::int64_t value) {
  if (value == 0 && !option.automatic.empty()) return true;
  if (!option.few.empty()) return std::find(option.few.begin(), option.few.end(), value) != option.few.end();
  return value >= option.least && value <= option.most;
}

std::string range_text(const kernels::Option& option) {
  switch (option.kind) {
    case kernels::OptionKind::flag: return "true, false";
    case kernels::OptionKind::choice: return fmt::format("{}", fmt::join(option.words, ", "));
    case kernels::OptionKind::bytes: return fmt::format("a size: \"{}\"", option.example);
    case kernels::OptionKind::duration: return fmt::format("a duration: \"{}\"", option.example);
    case kernels::OptionKind::count: break;
  }
  if (!option.few.empty()) return fmt::format("{}", fmt::join(option.few, ", "));
  return fmt::format("{} to {}", option.automatic.empty() ? option.least : 0, option.most);
}

std::string unknown(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Key& key : all()) {
    if (key.name == fmt::format("kernel.{}", name)) {
      return fmt::format("unknown key '{}'; did you mean '{}'?", name, key.name);
    }
    names.push_back(key.name);
  }
  if (const auto meant = nearest(name, names)) {
    return fmt::format("unknown key '{}'; did you mean '{}'?", name, *meant);
  }
  return fmt::format("unknown key '{}'; the keys are: {}", name, fmt::join(names, ", "));
}

}  // namespace streamscope::experiment::keys
