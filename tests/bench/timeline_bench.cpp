// The timeline at 10^3 to 10^7 spans: what of the lanes shows, the shares of merged columns with it (emit), and whole
// frames as the window draws them: layout, upload and drawing through a frame of Dear ImGui at 1920x1080, off screen,
// waited for with glFinish. Beside it, in the same run, what drawing each span in sight with ImDrawList costs; and
// every emitted column against brute force.
//
//   bench_timeline [MOST_SPANS]        10000000 unless given; 1000000 takes some seconds
//
// emit is given in the thread's own processor time, so what other programs take of the machine is not in it. Frames are
// given in wall time and in the processor time of all threads together, for the software renderer has its
// own: on an idle machine wall time is the lesser of the two, on a busy one it is more about the others than about us.
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_impl_opengl3.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <random>
#include <span>

#include "app/timeline/density.h"
#include "app/timeline/layout.h"
#include "app/timeline/rows.h"
#include "app/window/platform/fonts.h"
#include "app/window/widgets/canvas.h"
#include "tests/bench/timeline_data.h"
#include "tests/support/screen_context.h"

namespace streamscope::bench {
namespace {

constexpr int kWidth = 1920, kHeight = 1080;
constexpr int kFrames = 15;
constexpr double kMostMs = 250;  // of one case
constexpr int kPlaces = 3000;    // looked at for one that shows as much
constexpr std::size_t kCounts[] = {1'000, 10'000, 100'000, 1'000'000, 10'000'000};
constexpr int kLanes[] = {8, 64};

enum class Zoom : std::uint8_t { whole, hundredth, deep };
constexpr std::array kZooms{Zoom::whole, Zoom::hundredth, Zoom::deep};
constexpr std::array kZoomNames{"whole", "1/100", "deep"};
enum class Motion : std::uint8_t { still, pan, zoom };
constexpr std::array kMotions{Motion::still, Motion::pan, Motion::zoom};

struct Times {
  std::vector<double> ms;
  void add(const Times& other) { ms.insert(ms.end(), other.ms.begin(), other.ms.end()); }
  double at(double share) {
    if (ms.empty()) return 0;
    std::sort(ms.begin(), ms.end());
    return ms[std::min(ms.size() - 1, static_cast<std::size_t>(share * static_cast<double>(ms.size())))];
  }
  double median() { return at(0.5); }
};

timeline::LayoutOptions options_of(int lanes) {
  timeline::LayoutOptions options;
  options.width = kWidth;
  options.height = kHeight;
  options.row_height = lanes > 20 ? 15 : 26;  // so that all lanes are in sight
  return options;
}

timeline::View view_of(const Data& data, Zoom zoom, int plot) {
  timeline::View view = timeline::fit(data.rows.begin, data.rows.end, plot);
  if (zoom == Zoom::whole) return view;
  // Deep: a span and its gap are twelve pixels on average, which makes some 9,000 bars in 64 lanes.
  const double lanes = static_cast<double>(data.rows.tracks.size());
  const double mean =
      static_cast<double>(data.rows.end - data.rows.begin) * timeline::kFine * lanes / static_cast<double>(data.spans);
  const std::int64_t scale = zoom == Zoom::deep ? static_cast<std::int64_t>(mean / 12) : view.scale / 100;
  view.scale = std::clamp(scale, timeline::kSmallestScale, view.scale);
  view.origin = (data.rows.begin + (data.rows.end - data.rows.begin) / 3) * timeline::kFine;
  return view;
}

timeline::View moved(const timeline::View& view, Motion motion, int step) {
  if (motion == Motion::pan) return timeline::panned(view, 7.3 * step);
  if (motion == Motion::zoom) return timeline::zoomed(view, std::pow(1.03, step), 600);
  return view;
}

// The columns of each lane by the definition of docs/window.md, span by span, against those of the runs; also whether
// the run's span is the longest of its own, and of merged runs the shares by kind. Gives the number of wrong columns.
std::size_t wrong_pixels(const Data& data, const timeline::View& view, int plot) {
  const auto floor_div = [](std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); };
  std::size_t wrong = 0;
  std::vector<timeline::PixelRun> runs;
  for (std::size_t l = 0; l < data.rows.tracks.size(); ++l) {
    const timeline::Lane& lane = data.lane(l);
    std::vector<char> want(static_cast<std::size_t>(plot), 0), got = want;
    const timeline::ClassSums& sums = lane.sums[0];
    std::vector<std::int64_t> busy(want.size() * sums.classes.size());
    timeline::Density shares;
    for (std::uint32_t i = 0; i < lane.size(); ++i) {
      const std::int64_t s = lane.start[i] * timeline::kFine - view.origin,
                         e = lane.end(i) * timeline::kFine - view.origin;
      if (e < 0 || s > view.scale * plot) continue;
      const std::int64_t x0 = floor_div(s, view.scale), x1 = std::max(-floor_div(-e, view.scale), x0 + 1);
      for (std::int64_t x = std::max<std::int64_t>(x0, 0); x < std::min<std::int64_t>(x1, plot); ++x) {
        want[static_cast<std::size_t>(x)] = 1;
        busy[static_cast<std::size_t>(x) * sums.classes.size() + sums.place[timeline::class_of(lane.classes[i], 0)]] +=
            std::min(e, (x + 1) * view.scale) - std::max(s, x * view.scale);
      }
    }
    runs.clear();
    timeline::emit(lane, view, 0, plot, runs);
    for (const timeline::PixelRun& run : runs) {
      for (int x = run.x0; x < run.x1; ++x) wrong += got[static_cast<std::size_t>(x)]++ != 0 ? 1 : 0;
      const auto length = [&](std::uint32_t i) { return lane.end(i) - lane.start[i]; };
      for (std::uint32_t i = run.first; i <= run.last; ++i)
        if (length(i) > length(run.longest)) wrong += static_cast<std::size_t>(run.x1 - run.x0);
      if (timeline::alone(run)) continue;
      timeline::density(lane, 0, view, run.x0, run.x1, shares);
      const auto from =
          busy.begin() + static_cast<std::ptrdiff_t>(run.x0) * static_cast<std::ptrdiff_t>(shares.classes);
      if (!std::equal(shares.busy.begin(), shares.busy.end(), from)) wrong += static_cast<std::size_t>(run.x1 - run.x0);
    }
    for (std::size_t x = 0; x < want.size(); ++x) wrong += want[x] != got[x] ? 1 : 0;
  }
  return wrong;
}

// A window of the size of the screen with nothing but the timeline in it.
class Screen {
 public:
  Screen() : context_(kWidth, kHeight) {
    if (!context_.why_not().empty()) return;
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().DisplaySize = {kWidth, kHeight};
    ImGui_ImplOpenGL3_Init("#version 330 core");
    fonts_ = window::build_fonts(1, {});
    canvas_.emplace();
    if (!canvas_->create()) std::exit(1);
  }
  ~Screen() {
    if (!canvas_) return;
    canvas_.reset();
    ImGui_ImplOpenGL3_Shutdown();
    ImGui::DestroyContext();
  }
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  const std::string& why_not() const { return context_.why_not(); }
  void set(timeline::Scene scene) { canvas_->set(std::move(scene)); }
  void frame() {
    within([&] { canvas_->draw(fonts_, {0, 0}); });
  }
  // One frame; `draw` draws into the window.
  template <class Draw>
  void within(Draw draw) const {
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({kWidth, kHeight});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::Begin("timeline", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground);
    draw();
    ImGui::End();
    ImGui::PopStyleVar();
    ImGui::Render();
    glViewport(0, 0, kWidth, kHeight);
    glDisable(GL_SCISSOR_TEST);
    glClearColor(0, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    glFinish();
  }

 private:
  testing::OffscreenContext context_;
  window::Fonts fonts_;
  std::optional<window::Canvas> canvas_;
};

// What drawing each span in sight takes, its colour given.
double each_span_ms(const Screen& screen, const Data& data, const timeline::View& view,
                    const timeline::LayoutOptions& options, int plot_x, int plot) {
  const double begin = seconds(CLOCK_MONOTONIC);
  screen.within([&] {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Nanoseconds from = timeline::time_at(view, 0), to = timeline::time_at(view, plot);
    for (std::size_t l = 0; l < data.rows.tracks.size(); ++l) {
      const timeline::Lane& lane = data.lane(l);
      const auto y = static_cast<float>(50 + static_cast<int>(l) * options.row_height);
      std::uint32_t i = lane.first_ending(from);
      for (; i < lane.size() && lane.start[i] <= to; ++i) {
        const timeline::Pixels at = timeline::pixels(view, lane.start[i], lane.end(i));
        const auto x0 = static_cast<float>(plot_x + std::max<std::int64_t>(at.x0, 0)),
                   x1 = static_cast<float>(plot_x + std::min<std::int64_t>(at.x1, plot));
        list.AddRectFilled({x0, y}, {x1, y + static_cast<float>(options.row_height - 4)}, 0xFF00A0FFU + (i & 7U) * 32);
      }
    }
  });
  return (seconds(CLOCK_MONOTONIC) - begin) * 1e3;
}

struct FrameTimes {
  Times wall, processor;
  void add(const FrameTimes& other) {
    wall.add(other.wall);
    processor.add(other.processor);
  }
};

struct Verdict {
  Times emit_medians, emit_all;  // at the most spans, in 64 lanes
  FrameTimes frames;
  Times ratios;  // of frames at the most spans to those at 10^4, at one scale; wall time, in turn
  std::size_t wrong = 0, views = 0, most_runs = 0;
  double bytes_a_span = 0;
  std::vector<std::string> tracks;
};

std::size_t emit_all(const Data& data, const timeline::View& view, int plot, std::vector<timeline::PixelRun>& runs) {
  runs.clear();
  timeline::Density shares;
  std::array<std::uint16_t, timeline::kClasses> heights{};
  for (std::size_t l = 0; l < data.rows.tracks.size(); ++l) {
    const timeline::Lane& lane = data.lane(l);
    std::size_t next = runs.size();
    timeline::emit(lane, view, 0, plot, runs);
    for (; next < runs.size(); ++next) {
      if (timeline::alone(runs[next])) continue;
      timeline::density(lane, 0, view, runs[next].x0, runs[next].x1, shares);
      for (std::size_t x = 0; x < shares.present.size(); ++x)
        timeline::share_out(std::span(shares.busy).subspan(x * shares.classes, shares.classes), shares.present[x],
                            view.scale, 11, std::span(heights).first(shares.classes));
    }
  }
  return runs.size();
}

void one_frame(Screen& screen, const Data& data, const timeline::View& view, const timeline::LayoutOptions& options,
               bool changed, FrameTimes& out) {
  const double wall = seconds(CLOCK_MONOTONIC), processor = seconds(CLOCK_PROCESS_CPUTIME_ID);
  if (changed)
    screen.set(timeline::layout(data.trace, data.rows, view, timeline::theme(timeline::ThemeName::dark), options));
  screen.frame();
  out.wall.ms.push_back((seconds(CLOCK_MONOTONIC) - wall) * 1e3);
  out.processor.ms.push_back((seconds(CLOCK_PROCESS_CPUTIME_ID) - processor) * 1e3);
}

void one_zoom(Screen& screen, const Data& data, Shape shape, Zoom zoom, std::size_t most, Verdict& verdict) {
  const auto lanes = static_cast<int>(data.rows.tracks.size());
  const timeline::LayoutOptions options = options_of(lanes);
  const timeline::Frame where = timeline::frame(data.rows, options);
  const int plot = where.plot_width;
  const timeline::View start = view_of(data, zoom, plot);
  std::string line = fmt::format("{:>8} {:>2} {:<13} {:<5}", data.spans, lanes, kShapeNames[static_cast<int>(shape)],
                                 kZoomNames[static_cast<int>(zoom)]);
  std::vector<timeline::PixelRun> runs;
  double frame_median = 0;
  for (const Motion motion : kMotions) {
    Times emits;
    FrameTimes warm_up, frames;
    std::size_t shown = 0;
    for (int step = 0; step < 2 * kFrames; ++step) {
      const timeline::View view = moved(start, motion, step);
      const double begin = seconds(CLOCK_THREAD_CPUTIME_ID);
      shown = std::max(shown, emit_all(data, view, plot, runs));
      emits.ms.push_back((seconds(CLOCK_THREAD_CPUTIME_ID) - begin) * 1e3);
    }
    one_frame(screen, data, start, options, true, warm_up);
    const double first = seconds(CLOCK_MONOTONIC);
    for (int step = 1; step <= kFrames && (seconds(CLOCK_MONOTONIC) - first) * 1e3 < kMostMs; ++step)
      one_frame(screen, data, moved(start, motion, step), options, motion != Motion::still, frames);
    if (motion != Motion::pan || data.spans < 1'000'000 || zoom != Zoom::whole) {
      verdict.wrong += wrong_pixels(data, moved(start, motion, kFrames), plot);
      ++verdict.views;
    }
    if (data.spans == most && lanes == 64) {
      verdict.emit_medians.ms.push_back(emits.median());
      verdict.emit_all.add(emits);
    }
    verdict.frames.add(frames);
    verdict.most_runs = std::max(verdict.most_runs, shown);
    if (motion == Motion::still) line += fmt::format(" {:>6}", shown);
    line += fmt::format(" | {:6.3f} {:6.3f} {:6.3f} {:6.2f} {:6.2f} {:6.2f}", emits.median(), emits.at(0.99),
                        emits.at(1), frames.wall.median(), frames.wall.at(0.99), frames.processor.median());
    if (motion == Motion::pan) frame_median = frames.wall.median();
  }
  if (data.spans <= 1'000'000) {
    const double each = each_span_ms(screen, data, start, options, where.plot_x, plot);
    line += fmt::format(" | {:8.2f} {:6.1f}", each, each / frame_median);
  }
  fmt::print("{}\n", line);
  std::fflush(stdout);
}

// How much a view shows: what a frame costs by.
struct Shown {
  std::size_t runs = 0, columns = 0;
};
Shown shown_of(const Data& data, const timeline::View& view, int plot, std::vector<timeline::PixelRun>& runs) {
  Shown out{emit_all(data, view, plot, runs), 0};
  for (const timeline::PixelRun& run : runs) out.columns += static_cast<std::size_t>(run.x1 - run.x0);
  return out;
}
double unlike(const Shown& a, const Shown& b) {
  const auto apart = [](std::size_t x, std::size_t y) {
    return std::abs(static_cast<double>(x) - static_cast<double>(y)) / static_cast<double>(std::max({x, y, {1}}));
  };
  return std::max(apart(a.runs, b.runs), apart(a.columns, b.columns));
}

// Both at the scale at which 10^4 spans fill the plot, the larger where it shows most nearly as much; frame by frame in
// turn, to and fro: the smaller would soon have left the screen.
void compare(Screen& screen, const Data& small, const Data& large, Shape shape, Verdict& verdict) {
  const timeline::LayoutOptions options = options_of(static_cast<int>(small.rows.tracks.size()));
  const int plot = timeline::frame(small.rows, options).plot_width;
  const timeline::View few = view_of(small, Zoom::whole, plot);
  std::vector<timeline::PixelRun> runs;
  const Shown shown_few = shown_of(small, few, plot, runs);
  timeline::View many = few;
  Shown shown_many;
  for (int place = 0; place < kPlaces; ++place) {
    timeline::View view = few;
    view.origin = (large.rows.begin + (large.rows.end - large.rows.begin) / kPlaces * place) * timeline::kFine;
    const Shown shown = shown_of(large, view, plot, runs);
    if (place > 0 && unlike(shown, shown_few) >= unlike(shown_many, shown_few)) continue;
    many = view;
    shown_many = shown;
  }
  FrameTimes small_ms, large_ms;
  for (int step = 0; step < 4 * kFrames; ++step) {
    one_frame(screen, small, moved(few, Motion::pan, step % 2), options, true, small_ms);
    one_frame(screen, large, moved(many, Motion::pan, step % 2), options, true, large_ms);
  }
  const double ratio = large_ms.wall.median() / small_ms.wall.median();
  verdict.ratios.ms.push_back(ratio);
  fmt::print(
      "  {:<13} {} lanes, frame at the scale at which 10^4 fill the plot: {} runs ({} columns) of {} spans {:.2f} ms "
      "({:.2f} processor), {} ({}) of {} {:.2f} ms ({:.2f}): {:.3f}, {:.3f}\n",
      kShapeNames[static_cast<int>(shape)], small.rows.tracks.size(), shown_few.runs, shown_few.columns, small.spans,
      small_ms.wall.median(), small_ms.processor.median(), shown_many.runs, shown_many.columns, large.spans,
      large_ms.wall.median(), large_ms.processor.median(), ratio,
      large_ms.processor.median() / small_ms.processor.median());
}

double bytes_a_span(const Data& data) {
  std::size_t bytes = 0;
  for (std::size_t l = 0; l < data.rows.tracks.size(); ++l) {
    const timeline::Lane& lane = data.lane(l);
    bytes += (lane.start.capacity() + lane.sample.capacity()) * 8 +
             (lane.length.capacity() + lane.span.capacity()) * 4 + lane.classes.capacity() +
             lane.long_spans.capacity() * sizeof(timeline::Lane::LongSpan);
    for (const timeline::ClassSums& sums : lane.sums) bytes += sums.before.capacity() * 8;
    for (const timeline::MaxPyramid* pyramid : {&lane.gaps, &lane.durations})
      for (const timeline::MaxPyramid::Level& level : pyramid->levels)
        bytes += level.most.capacity() * 8 + level.which.capacity() * 4;
  }
  return static_cast<double>(bytes) / static_cast<double>(data.spans);
}

int run(std::size_t most) {
  Screen screen;
  if (!screen.why_not().empty()) {
    fmt::print("no pictures can be drawn here: {}\n", screen.why_not());
    return 0;
  }
  fmt::print(
      "timeline, {}x{}, {}; times in ms: emit median, p99, most (processor time); frame median, p99 (wall), median "
      "(processor)\n",
      kWidth, kHeight, reinterpret_cast<const char*>(glGetString(GL_RENDERER)));
  fmt::print("{:>8} {:>2} {:<13} {:<5} {:>6} | {:<41} | {:<41} | {:<41} | each span with ImDrawList: ms, ratio\n",
             "spans", "", "gaps", "zoom", "runs", "still", "panning", "zooming");
  Verdict verdict;
  for (const int lanes : kLanes) {
    for (const Shape shape : kShapes) {
      std::optional<Data> small;
      for (const std::size_t count : kCounts) {
        if (count > most) break;
        Data data = make(count, lanes, shape);
        for (const Zoom zoom : kZooms) one_zoom(screen, data, shape, zoom, most, verdict);
        if (count >= 1'000'000)
          verdict.tracks.push_back(fmt::format("{:.0e} {} {}: {:.0f} ms", static_cast<double>(count), lanes,
                                               kShapeNames[static_cast<int>(shape)], data.tracks_ms));
        if (count == most) verdict.bytes_a_span = std::max(verdict.bytes_a_span, bytes_a_span(data));
        if (count == most && small) compare(screen, *small, data, shape, verdict);
        if (count == 10'000) small = std::move(data);
      }
    }
  }
  const auto judge = [](bool good, const std::string& text) { fmt::print("{} {}\n", good ? "ok  " : "MISS", text); };
  fmt::print("\nlanes made: ");
  for (const std::string& each : verdict.tracks) fmt::print("{}; ", each);
  fmt::print("\n");
  Verdict& v = verdict;
  judge(v.emit_medians.median() <= 4,
        fmt::format("emit, {} spans in 64 lanes, median of the cases' medians: {:.3f} ms (4)", most,
                    v.emit_medians.median()));
  judge(v.emit_medians.at(1) <= 10,
        fmt::format("emit, the same, the worst case's median: {:.3f} ms; single worst: {:.3f} ms (10)",
                    v.emit_medians.at(1), v.emit_all.at(1)));
  judge(v.frames.wall.at(0.99) <= 16,
        fmt::format("frame, p99 of {} with up to {} visible runs: {:.2f} ms (16), median {:.2f} ms; processor time p99 "
                    "{:.2f} ms, median {:.2f} ms",
                    v.frames.wall.ms.size(), v.most_runs, v.frames.wall.at(0.99), v.frames.wall.median(),
                    v.frames.processor.at(0.99), v.frames.processor.median()));
  judge(v.ratios.at(1) <= 1.2,
        fmt::format("frame at {} spans to that at 10000 at one scale: median {:.3f}, most {:.3f} (1.2)", most,
                    v.ratios.median(), v.ratios.at(1)));
  judge(v.wrong == 0, fmt::format("wrong pixels in {} views by brute force: {} (0)", v.views, v.wrong));
  judge(v.bytes_a_span <= 23, fmt::format("memory of the lanes: {:.2f} bytes a span (23)", v.bytes_a_span));
  return 0;
}

}  // namespace
}  // namespace streamscope::bench

int main(int count, char** words) {
  const long long most = count > 1 ? std::atoll(words[1]) : 10'000'000;
  return streamscope::bench::run(static_cast<std::size_t>(std::max(most, 1000LL)));
}
