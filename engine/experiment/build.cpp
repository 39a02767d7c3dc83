#include "engine/experiment/build.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "engine/base/quantity.h"

namespace streamscope::experiment {
namespace {

class Lines {
 public:
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    text_.append(2 * depth_, ' ');
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    text_ += '\n';
  }

  void blank() { text_ += '\n'; }

  // The body once for each i below count; a single time needs no repeat.
  template <class Body>
  void repeat(std::uint64_t count, const Body& body) {
    if (count == 1) return body();
    add("repeat {} as i {{", count);
    ++depth_;
    body();
    --depth_;
    add("}}");
  }

  std::string take() { return std::move(text_); }

 private:
  std::string text_;
  std::size_t depth_ = 0;
};

class Builder {
 public:
  explicit Builder(const Experiment& experiment) : e_(experiment), chunks_(e_.bytes / e_.chunk) {}

  std::string build() {
    lines_.add("# {}", summary());
    lines_.add("buffer x {} host={}", exact_bytes(e_.bytes), program::name(e_.host));
    if (own_streams()) {
      const char* flags = e_.stream_flags == StreamFlags::nonblocking ? " nonblocking" : "";
      if (e_.streams == 1) {
        lines_.add("stream S0{}", flags);
      } else {
        lines_.add("streams S {}{}", e_.streams, flags);
      }
    }
    lines_.blank();
    if (e_.order == IssueOrder::depth_first) {
      lines_.repeat(chunks_, [&] {
        copy_in();
        kernel();
        copy_out();
      });
    } else {
      if (copies(e_.h2d)) lines_.repeat(chunks_, [&] { copy_in(); });
      if (e_.kernel) lines_.repeat(chunks_, [&] { kernel(); });
      if (copies(e_.d2h)) lines_.repeat(chunks_, [&] { copy_out(); });
    }
    wait();
    return lines_.take();
  }

 private:
  bool own_streams() const {
    return e_.mode == Mode::async &&
           (e_.stream_flags == StreamFlags::blocking || e_.stream_flags == StreamFlags::nonblocking);
  }

  // The stream where there is only one. In the mode sync all work is in the legacy default stream, as cudaMemcpy is.
  std::string one_stream() const {
    if (own_streams()) return "S0";
    return e_.mode == Mode::async && e_.stream_flags == StreamFlags::per_thread ? "per-thread" : "default";
  }

  std::uint32_t stream_count() const { return own_streams() ? e_.streams : 1; }

  std::string stream() const {
    if (stream_count() == 1 || chunks_ == 1) return one_stream();
    return fmt::format("S{{i%{}}}", e_.streams);
  }

  std::string summary() const {
    const std::string parts =
        chunks_ == 1 ? "one piece" : fmt::format("{} chunks of {}", chunks_, exact_bytes(e_.chunk));
    std::string where;
    if (e_.mode == Mode::sync) {
      where = program::is_shared(e_.host) ? "all in the stream default, a synchronisation after each kernel"
                                          : "blocking copies, a synchronisation after each kernel";
    } else if (!own_streams()) {
      where = fmt::format("all in the stream {}", one_stream());
    } else {
      where = e_.streams == 1 ? "one stream" : fmt::format("{} streams", e_.streams);
    }
    return fmt::format("{} in {}, {}, {}", exact_bytes(e_.bytes), parts, where, name(e_.order));
  }

  // In the largest unit that keeps every offset a whole number.
  std::string range() const {
    if (chunks_ == 1) return "x";
    const std::string length = exact_bytes(e_.chunk);
    const std::size_t digits = length.find_first_not_of("0123456789");
    const std::string unit = digits == std::string::npos ? "" : length.substr(digits);
    const std::string count = length.substr(0, digits);
    return fmt::format("x[{{i{}}}{}:{}]", count == "1" ? "" : "*" + count, unit, length);
  }

  // Mapped memory is not copied: kernels access it on the host.
  bool copies(bool wanted) const { return wanted && e_.host != program::HostMemory::mapped; }

  void copy_in() {
    if (copies(e_.h2d)) copy("h2d", "device");
  }
  void copy_out() {
    if (copies(e_.d2h)) copy("d2h", "host");
  }

  void copy(const char* direction, const char* to) {
    if (e_.host == program::HostMemory::managed) {
      lines_.add("{}: prefetch {} to={}", stream(), range(), to);
    } else if (e_.mode == Mode::sync) {
      lines_.add("host: memcpy {} {}", direction, range());
    } else {
      lines_.add("{}: {} {}", stream(), direction, range());
    }
  }

  // Options that differ from the language's defaults and have an effect on that copy.
  std::string tile_options() const {
    std::string options;
    const std::uint32_t bytes = std::min(e_.kernel_bytes, e_.kernel_align);
    if (program::has_copy_bytes(e_.kernel_copy) && bytes != std::min(16u, e_.kernel_align)) {
      options += fmt::format(" bytes={}", bytes);
    }
    if (e_.kernel_l1 && e_.kernel_copy == program::TileCopy::cp_async && bytes == 16) options += " l1";
    if (e_.kernel_align != 16) options += fmt::format(" align={}", e_.kernel_align);
    if (e_.kernel_diverge != 1 && program::can_diverge(e_.kernel_copy))
      options += fmt::format(" diverge={}", e_.kernel_diverge);
    if (e_.kernel_producers != 0 && e_.kernel_copy == program::TileCopy::specialised) {
      options += fmt::format(" producers={}", e_.kernel_producers);
    }
    if (e_.kernel_per_sm != 1 && e_.kernel_blocks == 0) options += fmt::format(" per-sm={}", e_.kernel_per_sm);
    return options;
  }

  void kernel() {
    if (!e_.kernel) return;
    std::string options;
    if (e_.kernel_blocks != 0) options += fmt::format(" blocks={}", e_.kernel_blocks);
    options += fmt::format(" threads={}", e_.kernel_threads);
    switch (e_.kernel_name) {
      case KernelName::axpb: lines_.add("{}: axpb {} fma={}{}", stream(), range(), e_.kernel_fma, options); break;
      case KernelName::spin: lines_.add("{}: spin {}{}", stream(), exact_duration(e_.kernel_duration), options); break;
      case KernelName::tiles:
        lines_.add("{}: tiles {} fma={} copy={}{} tile={}{}{}", stream(), range(), e_.kernel_fma,
                   program::name(e_.kernel_copy),
                   e_.kernel_copy == program::TileCopy::sync ? "" : fmt::format(" stages={}", e_.kernel_stages),
                   exact_bytes(e_.kernel_tile), tile_options(), options);
        break;
      case KernelName::attention:
        lines_.add("{}: attention {} heads={} head={} type={} buffers={}", stream(), range(), e_.kernel_heads,
                   e_.kernel_head, e_.kernel_bf16 ? "bf16" : "fp32", e_.kernel_buffers);
        break;
    }
    if (e_.mode == Mode::sync) lines_.add("host: sync device");
  }

  void wait() {
    const bool many = stream_count() > 1;
    const std::string stream_i = many ? "S{i}" : one_stream();
    const std::string event_i = many ? "done{i}" : "done";
    switch (e_.sync) {
      case FinalSync::device: return lines_.add("host: sync device");
      case FinalSync::stream: return lines_.repeat(stream_count(), [&] { lines_.add("host: sync {}", stream_i); });
      case FinalSync::poll: return lines_.repeat(stream_count(), [&] { lines_.add("host: poll {}", stream_i); });
      case FinalSync::event:
        lines_.repeat(stream_count(), [&] { lines_.add("{}: record {}", stream_i, event_i); });
        return lines_.repeat(stream_count(), [&] { lines_.add("host: sync {}", event_i); });
    }
  }

  const Experiment& e_;
  const std::uint64_t chunks_;
  Lines lines_;
};

}  // namespace

std::string build(const Experiment& experiment) { return Builder(experiment).build(); }

std::string_view key_behind(const program::Program& built, std::uint32_t line) {
  for (const program::Buffer& buffer : built.buffers) {
    if (buffer.line == line) return "bytes";
  }
  for (const program::Operation& operation : built.operations) {
    if (operation.line != line) continue;
    if (std::holds_alternative<program::op::Spin>(operation.work)) return "kernel.duration";
    if (std::holds_alternative<program::op::Axpb>(operation.work)) return "kernel.fma";
    if (std::holds_alternative<program::op::Tiles>(operation.work)) return "kernel.tile";
    if (std::holds_alternative<program::op::Attention>(operation.work)) return "kernel.heads";
  }
  return {};
}

}  // namespace streamscope::experiment
