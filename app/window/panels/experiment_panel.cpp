#include "app/window/panels/experiment_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/window/panels/slider_values.h"
#include "app/window/panels/what_if_panel.h"
#include "app/window/platform/imgui_compat.h"
#include "app/window/state/run_requests.h"
#include "app/window/widgets/widgets.h"
#include "engine/base/quantity.h"

namespace streamscope::window {
namespace {

// A slider over the values of a list; the text shown is that of the present one.
bool choose(const Panel& panel, const char* id, const std::vector<std::uint64_t>& values, std::uint64_t& value,
            const std::string& shown) {
  const int last = static_cast<int>(values.size()) - 1;
  int index = std::min(static_cast<int>(std::lower_bound(values.begin(), values.end(), value) - values.begin()), last);
  if (!slider(panel.look, id, index, 0, std::max(last, 1), shown)) return false;
  const std::uint64_t next = values[static_cast<std::size_t>(std::clamp(index, 0, last))];
  if (next == value) return false;
  value = next;
  return true;
}

template <class T, std::size_t N>
bool choose_name(const char* id, const std::array<const char*, N>& names, T& value) {
  const auto present = static_cast<std::size_t>(value);
  bool changed = false;
  if (ImGui::BeginCombo(id, names[std::min(present, N - 1)])) {
    for (std::size_t i = 0; i < N; ++i)
      if (ImGui::Selectable(names[i], i == present) && i != present) {
        value = static_cast<T>(i);
        changed = true;
      }
    ImGui::EndCombo();
  }
  return changed;
}

constexpr std::array kOrders = {"depth-first", "breadth-first"};
constexpr std::array kFlags = {"blocking", "nonblocking", "default stream", "per-thread default"};
constexpr std::array kModes = {"asynchronous", "synchronous"};
constexpr std::array kSyncs = {"device", "stream", "event", "poll"};
constexpr std::array kMemories = {"pinned", "pageable", "write-combined", "mapped", "managed"};
constexpr std::array kKernels = {"axpb", "spin", "tiles", "attention", "none"};
constexpr std::size_t kNoKernel = kKernels.size() - 1;
const std::vector<std::uint64_t> kAligns{4, 16, 128}, kAlignsOfBulk{16, 128}, kWidths{4, 8, 16}, kWidthsOfFloats{4},
    kParts{1, 2, 4, 8, 16, 32}, kHeads{64, 128}, kBuffers{1, 2};
constexpr std::array kTypes = {"fp32", "bf16"};
constexpr std::array kCopies = {"through registers", "cp.async",       "pipeline primitives", "cooperative groups",
                                "cuda::barrier",     "cuda::pipeline", "warp-specialised",    "cp.async.bulk"};

// The rows; `e` is a copy that the controls change.
class Controls {
 public:
  Controls(const Panel& panel, experiment::Experiment& experiment, float label_width)
      : panel_(panel), e_(experiment), label_width_(label_width) {}

  bool draw() {
    heading(panel_.look, "Data");
    data();
    steps();
    heading(panel_.look, "Streams");
    streams();
    heading(panel_.look, "Kernel");
    kernel();
    return changed_;
  }

 private:
  void begin(const char* label) { row(label, label_width_); }
  void done(bool changed, const Disabled& disabled, std::string_view meaning) {
    changed_ |= changed;
    disabled.explain(meaning);
  }

  void data() {
    const Disabled on("");
    begin("Total");
    std::uint64_t bytes = e_.bytes;
    const bool resized = choose(panel_, "##bytes", total_choices(e_.bytes), bytes, display_bytes(bytes));
    if (resized) e_ = with_total(e_, bytes);
    done(resized, on, "How many bytes go through the pipeline.");
    begin("Chunk");
    const std::uint64_t chunks = e_.chunk == 0 ? 0 : e_.bytes / e_.chunk;
    const bool cut = choose(panel_, "##chunk", chunk_choices(e_.bytes, e_.chunk), e_.chunk,
                            fmt::format("{} × {}", chunks, display_bytes(e_.chunk)));
    done(cut, on, "The data is cut into chunks of this size; each is copied in, worked on and copied out.");
    begin("Host memory");
    done(choose_name("##host", kMemories, e_.host), on,
         "pinned: the GPU reads it directly. pageable: copies are staged through a pinned buffer and hold the host. "
         "write-combined: fast to write for the CPU and to copy in, very slow to read back. mapped: kernels reach over "
         "the bus, nothing is copied. managed: one allocation that moves; chunks are prefetched instead of copied.");
  }

  void streams() {
    const bool sync = e_.mode == experiment::Mode::sync;
    begin("Mode");
    {
      const Disabled on("");
      done(choose_name("##mode", kModes, e_.mode), on,
           "asynchronous: cudaMemcpyAsync, one synchronisation at the end. synchronous: cudaMemcpy, and "
           "cudaDeviceSynchronize after each kernel, so that everything happens in turn.");
    }
    const bool one_stream = e_.stream_flags == experiment::StreamFlags::legacy_default ||
                            e_.stream_flags == experiment::StreamFlags::per_thread;
    begin("Streams");
    {
      const Disabled disabled(
          sync         ? "Blocking copies go through the default stream: in synchronous mode there are no others."
          : one_stream ? "All work goes to one default stream. Choose blocking or nonblocking streams to have more."
                       : "");
      int count = static_cast<int>(e_.streams);
      const bool changed = slider(panel_.look, "##streams", count, 1, 32, std::to_string(count));
      if (changed) e_.streams = static_cast<std::uint32_t>(std::clamp(count, 1, 32));
      done(changed, disabled, "Chunks are dealt out to this many streams in turn.");
    }
    const Disabled disabled(sync ? "Only in asynchronous mode: synchronous calls leave nothing to order." : "");
    begin("Flags");
    done(choose_name("##flags", kFlags, e_.stream_flags), disabled,
         "How the streams are made. Blocking streams wait for the legacy default stream and it for them; nonblocking "
         "ones do not.");
    begin("Order");
    done(
        choose_name("##order", kOrders, e_.order), disabled,
        "depth-first: copy in, kernel and copy out of a chunk, then the next chunk. breadth-first: all copies in, then "
        "all kernels, then all copies out.");
    begin("Final sync");
    done(choose_name("##sync", kSyncs, e_.sync), disabled, "How the host waits at the end.");
  }

  void kernel() {
    begin("Kernel");
    {
      const Disabled on("");
      std::size_t which = e_.kernel ? static_cast<std::size_t>(e_.kernel_name) : kNoKernel;
      const bool changed = choose_name("##kernel", kKernels, which);
      if (changed) {
        e_.kernel = which != kNoKernel;
        if (e_.kernel) e_.kernel_name = static_cast<experiment::KernelName>(which);
      }
      done(changed, on,
           "axpb: real arithmetic on each float, v = v*a + b. tiles: the same, tile by tile through shared memory, "
           "with a copy pipeline inside the kernel. attention: a chunk holds Q, K, V and O, and the tiles of K and V "
           "are brought ahead. spin: blocks that only wait for a set time.");
    }
    const bool axpb = e_.kernel && e_.kernel_name == experiment::KernelName::axpb;
    const bool spin = e_.kernel && e_.kernel_name == experiment::KernelName::spin;
    const bool tiles = e_.kernel && e_.kernel_name == experiment::KernelName::tiles;
    if (e_.kernel && e_.kernel_name == experiment::KernelName::attention) return attention();
    const char* none = "There is no kernel.";
    if (!spin) {
      const Disabled disabled(axpb || tiles ? "" : none);
      std::uint64_t fma = e_.kernel_fma;
      begin("Arithmetic");
      const bool changed = choose(panel_, "##fma", fma_choices(fma), fma, fmt::format("{} FMA", fma));
      e_.kernel_fma = static_cast<std::uint32_t>(fma);
      done(changed, disabled, "Fused multiply-adds for each element: how long the kernel takes.");
    } else {
      const Disabled on("");
      auto duration = static_cast<std::uint64_t>(e_.kernel_duration);
      begin("Duration");
      const bool changed =
          choose(panel_, "##duration", duration_choices(duration), duration, display_duration(e_.kernel_duration));
      e_.kernel_duration = static_cast<Nanoseconds>(duration);
      done(changed, on, "How long each block of the kernel spins.");
    }
    if (tiles) {
      copy_pipeline();
      copy_details();
    }
    const Disabled disabled(e_.kernel ? "" : none);
    std::uint64_t blocks = e_.kernel_blocks, threads = e_.kernel_threads;
    begin("Blocks");
    const bool more = choose(panel_, "##blocks", block_choices(blocks), blocks,
                             blocks != 0 ? std::to_string(blocks)
                             : axpb      ? std::string("2 per SM")
                             : tiles     ? fmt::format("{} per SM", e_.kernel_per_sm)
                                         : std::string("1"));
    e_.kernel_blocks = static_cast<std::uint32_t>(blocks);
    done(more, disabled,
         "Blocks in the grid. At the left end: two for each multiprocessor (axpb), one for each (tiles), or one "
         "(spin).");
    begin("Threads");
    const bool wider = choose(panel_, "##threads", thread_choices(threads), threads, std::to_string(threads));
    e_.kernel_threads = static_cast<std::uint32_t>(threads);
    done(wider, disabled, "Threads in each block.");
  }

  // Of `tiles`, inside the kernel.
  void copy_pipeline() {
    begin("Tile copy");
    {
      const Disabled on("");
      done(choose_name("##copy", kCopies, e_.kernel_copy), on,
           "How a tile gets from global into shared memory: through registers, or by one of CUDA's asynchronous "
           "copies.");
    }
    {
      const bool one = e_.kernel_copy == program::TileCopy::sync;
      const Disabled disabled(one ? "A copy through registers is over before the work begins: there is one stage."
                                  : "");
      std::uint64_t stages = one ? 1 : e_.kernel_stages;
      begin("Stages");
      const bool changed = choose(panel_, "##stages", stage_choices(e_.kernel_tile), stages, std::to_string(stages));
      if (!one) e_.kernel_stages = static_cast<std::uint32_t>(stages);
      done(changed && !one, disabled,
           "Tiles in shared memory at once. While a block works on one, the others are being copied.");
    }
    const Disabled on("");
    begin("Tile");
    const bool changed =
        choose(panel_, "##tile", tile_choices(e_.kernel_tile), e_.kernel_tile, display_bytes(e_.kernel_tile));
    if (changed) e_.kernel_stages = std::min<std::uint32_t>(e_.kernel_stages, stage_choices(e_.kernel_tile).back());
    done(changed, on, "The size of a tile. All stages must fit into the shared memory of a block.");
  }

  // Options that only some ways of copying have are shown with those only.
  void copy_details() {
    const Disabled on("");
    begin("Alignment");
    std::uint64_t align = e_.kernel_align;
    const bool aligned = choose(panel_, "##align", e_.kernel_copy == program::TileCopy::bulk ? kAlignsOfBulk : kAligns,
                                align, display_bytes(align));
    e_.kernel_align = static_cast<std::uint32_t>(align);
    done(
        aligned, on,
        "What the kernel may take for granted. With 4 bytes copies are small and none of them is a bulk copy, which is "
        "what the guide warns of.");
    if (program::has_copy_bytes(e_.kernel_copy)) {
      begin("Copy size");
      std::uint64_t bytes = std::min(e_.kernel_bytes, e_.kernel_align);
      const bool sized =
          choose(panel_, "##copy-bytes", e_.kernel_align == 4 ? kWidthsOfFloats : kWidths, bytes, display_bytes(bytes));
      if (sized) e_.kernel_bytes = static_cast<std::uint32_t>(bytes);
      done(sized, on, "What one thread copies at a time: 4, 8 or 16 bytes, no more than the alignment.");
    }
    if (e_.kernel_copy == program::TileCopy::cp_async && std::min(e_.kernel_bytes, e_.kernel_align) == 16) {
      begin("L1 cache");
      done(ImGui::Checkbox("through it##l1", &e_.kernel_l1), on,
           "cp.async.ca goes through the L1 cache, cp.async.cg past it. Smaller copies always go through.");
    }
    if (program::can_diverge(e_.kernel_copy)) {
      begin("Divergence");
      std::uint64_t parts = e_.kernel_diverge;
      const bool parted =
          choose(panel_, "##diverge", kParts, parts, parts == 1 ? "none" : fmt::format("{} parts", parts));
      e_.kernel_diverge = static_cast<std::uint32_t>(parts);
      done(parted, on,
           "In so many parts a warp commits its copies, as one does that has diverged: its groups are then entangled.");
    }
    if (e_.kernel_copy == program::TileCopy::specialised) {
      begin("Producers");
      int producers = static_cast<int>(e_.kernel_producers);
      const int most = std::max(0, static_cast<int>(e_.kernel_threads / 32) - 1);
      const bool chosen = slider(panel_.look, "##producers", producers, 0, most,
                                 producers == 0 ? "a quarter" : fmt::format("{} warps", producers));
      if (chosen) e_.kernel_producers = static_cast<std::uint32_t>(std::clamp(producers, 0, most));
      done(chosen, on, "Warps that only copy; the others only work. At the left end: a quarter of them.");
    }
    if (e_.kernel_blocks == 0) {
      begin("Per SM");
      int each = static_cast<int>(e_.kernel_per_sm);
      const bool chosen =
          slider(panel_.look, "##per-sm", each, 1, 8, fmt::format("{} block{}", each, each == 1 ? "" : "s"));
      if (chosen) e_.kernel_per_sm = static_cast<std::uint32_t>(std::clamp(each, 1, 8));
      done(chosen, on, "Blocks for each multiprocessor: another block can work while this one waits.");
    }
  }

  void attention() {
    const Disabled on("");
    begin("Heads");
    std::uint64_t heads = e_.kernel_heads;
    const bool more = choose(panel_, "##heads", head_choices(e_), heads, std::to_string(heads));
    e_.kernel_heads = static_cast<std::uint32_t>(heads);
    done(more, on, "Heads of the batch, all together. The rows of each are what the chunk has room for.");
    begin("Head size");
    std::uint64_t head = e_.kernel_head;
    const bool sized = choose(panel_, "##head", kHeads, head, std::to_string(head));
    e_.kernel_head = static_cast<std::uint32_t>(head);
    done(sized, on, "Elements of a row of Q, K, V and O.");
    begin("Type");
    done(choose_name("##type", kTypes, e_.kernel_bf16), on,
         "Of the elements. Sums are float32 for both; the products are the CUDA cores', not the tensor cores'.");
    begin("Buffers");
    std::uint64_t buffers = e_.kernel_buffers;
    const bool doubled = choose(panel_, "##buffers", kBuffers, buffers, buffers == 2 ? "2: double buffering" : "1");
    e_.kernel_buffers = static_cast<std::uint32_t>(buffers);
    done(doubled, on,
         "Places for a tile of K and of V. With two the next tiles are copied while a block works on these.");
  }

  void steps() {
    const Disabled on("");
    done(ImGui::Checkbox("Copy in", &e_.h2d), on, "Host to device, for each chunk.");
    next_to("Copy out");
    done(ImGui::Checkbox("Copy out", &e_.d2h), on, "Device to host, for each chunk.");
    next_to("Verify");
    const Disabled disabled(e_.d2h ? "" : "Nothing comes back to be checked: copy out is off.");
    done(ImGui::Checkbox("Verify", &e_.verify), disabled,
         "After a run compare the data that came back with what the CPU computes. Not in live mode.");
  }

  // On the same line where it fits.
  void next_to(const char* label) {
    ImGui::SameLine(0, ImGui::GetStyle().ItemSpacing.x * 1.6f);
    const float needed = ImGui::GetFrameHeight() + ImGui::GetStyle().ItemInnerSpacing.x + ImGui::CalcTextSize(label).x;
    if (ImGui::GetContentRegionAvail().x < needed) ImGui::NewLine();
  }

  const Panel& panel_;
  experiment::Experiment& e_;
  float label_width_;
  bool changed_ = false;
};

void choose_file(const Panel& panel) {
  const State& state = panel.state;
  const std::string shown = state.editing.own_program ? state.editing.own.name : state.editing.experiment_name;
  ImGui::SetNextItemWidth(-FLT_MIN);
  const bool open = ImGui::BeginCombo("##experiments", shown.c_str(), ImGuiComboFlags_HeightLarge);
  if (open) {
    for (const Listed& each : state.editing.shipped) {
      if (ImGui::Selectable(each.name.c_str(), each.name == shown)) panel.emit(command::OpenFile{each.path});
      if (!each.about.empty() && ImGui::IsItemHovered()) tooltip(each.about);
    }
    if (state.editing.shipped.empty())
      text("No experiments were found beside the program.", panel.look.theme.faint_text);
    ImGui::EndCombo();
  }
}

void measurement(const Panel& panel) {
  heading(panel.look, "Measurement");
  const Disabled on("");
  row("Runs", ImGui::CalcTextSize("Host memory").x + ImGui::GetStyle().ItemSpacing.x * 1.5f);
  int repeat = panel.state.settings.repeat;
  const std::string shown =
      repeat > 0 ? std::to_string(repeat) : fmt::format("{} by the device", runs_of_figures(panel.state.settings));
  if (slider(panel.look, "##repeat", repeat, 0, 31, shown)) panel.emit(command::SetRepeat{repeat});
  on.explain(
      "How often Run times the program; the timeline shows the run with the median makespan. At the left end: 5 times "
      "on a GPU, enough for a spread, and once on a model, which gives the same each time. Live mode and changes of a "
      "control run it once. With sampled: how often each operation is seen.");
}

}  // namespace

void experiment_panel(const Panel& panel, const Box& place) {
  const State& state = panel.state;
  begin_panel("Experiment", place, ImGuiWindowFlags_None);
  ImGui::BeginChild("controls", {0, 0});
  heading(panel.look, "Experiment");
  choose_file(panel);

  const std::string& about =
      state.editing.own_program ? state.editing.own.content.experiment.about : state.editing.experiment.about;
  if (!about.empty()) wrapped(about, panel.look.theme.faint_text);

  if (state.editing.own_program) {
    ImGui::Spacing();
    wrapped(
        "This is a stream program of its own: the controls of the pipeline do not apply. Its text is below the "
        "timeline; change it there and run it.");
    ImGui::Spacing();
    if (ImGui::Button("Back to the pipeline", {-FLT_MIN, 0})) panel.emit(command::BackToPipeline{});
  } else {
    if (state.editing.edited) {
      ImGui::Spacing();
      wrapped("The program below was edited, so it no longer follows these controls.", panel.look.theme.model);
      if (ImGui::Button("Reset to experiment##left", {-FLT_MIN, 0})) panel.emit(command::ResetProgram{});
    }
    experiment::Experiment experiment = state.editing.experiment;
    float label_width = 0;
    for (const char* label : {"Host memory", "Final sync", "Arithmetic", "Duration"})
      label_width = std::max(label_width, ImGui::CalcTextSize(label).x);
    ImGui::BeginDisabled(state.editing.edited);
    const bool changed = Controls(panel, experiment, label_width + ImGui::GetStyle().ItemSpacing.x * 1.5f).draw();
    ImGui::EndDisabled();
    if (changed) panel.emit(command::SetExperiment{experiment});
    if (!state.editing.experiment_error.empty()) {
      ImGui::Spacing();
      wrapped(state.editing.experiment_error, panel.look.theme.error);
    }
  }

  what_if_controls(panel);
  measurement(panel);
  ImGui::EndChild();
  ImGui::End();
}

}  // namespace streamscope::window
