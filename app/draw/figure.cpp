#include "app/draw/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/draw/caption.h"
#include "app/draw/choose_tracks.h"
#include "app/draw/excerpt.h"
#include "app/draw/legend_lines.h"
#include "app/draw/page.h"
#include "app/timeline/layout.h"
#include "app/timeline/legend.h"
#include "app/timeline/provenance.h"
#include "app/timeline/rows.h"
#include "app/timeline/span_text.h"
#include "app/timeline/text_width.h"
#include "app/timeline/ticks.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"

namespace streamscope::draw {
namespace {

void append(timeline::Scene& to, const timeline::Scene& from, int dx, int dy) {
  for (timeline::Stacks stacks : from.stacks) {
    stacks.x0 += dx, stacks.y0 += dy, stacks.y1 += dy, stacks.top += dy, stacks.bottom += dy;
    stacks.before += to.rectangles.size();
    to.stacks.push_back(std::move(stacks));
  }
  for (timeline::Rectangle r : from.rectangles) {
    r.x0 += dx, r.x1 += dx, r.y0 += dy, r.y1 += dy;
    to.rectangles.push_back(r);
  }
  const auto fx = static_cast<float>(dx), fy = static_cast<float>(dy);
  for (timeline::Line line : from.lines) {
    line.x0 += fx, line.x1 += fx, line.y0 += fy, line.y1 += fy;
    to.lines.push_back(line);
  }
  for (timeline::Text text : from.texts) {
    text.x += fx, text.y += fy;
    text.clip_x0 += dx;
    text.clip_x1 = std::min(text.clip_x1, from.width) + dx;
    to.texts.push_back(std::move(text));
  }
}

// Notes take room from the timeline: a few of them are shown, and how many more there are.
std::vector<std::string> notes_shown(const std::vector<std::string>& all) {
  constexpr std::size_t kMost = 4;
  if (all.size() <= kMost) return all;
  std::vector<std::string> out(all.begin(), all.begin() + kMost - 1);
  out.push_back(tr("and {} more notes, in the run's JSON", all.size() - out.size()));
  return out;
}

// What of the run's time is in sight, where it is not all of it.
std::optional<trace::Interval> visible_interval(const trace::Interval& all, const timeline::View& view, int width) {
  const trace::Interval out{std::max(timeline::time_at(view, 0), all.start),
                            std::min(timeline::time_at(view, width), all.end)};
  if (out.start <= all.start && out.end >= all.end) return std::nullopt;
  return trace::Interval{out.start, std::max(out.start, out.end)};
}

// The interval at the plot's edges, without a margin.
timeline::View view_of(const trace::Interval& interval, int width) {
  timeline::View out;
  const std::int64_t columns = std::max(width, 1);
  const std::int64_t length = std::clamp(interval.end, -timeline::kFurthest, timeline::kFurthest) -
                              std::max(interval.start, -timeline::kFurthest);
  out.scale =
      std::clamp((length * timeline::kFine + columns - 1) / columns, timeline::kSmallestScale, timeline::kLargestScale);
  out.origin = std::clamp(interval.start, -timeline::kFurthest, timeline::kFurthest) * timeline::kFine;
  return out;
}

std::optional<trace::Interval> clamped(const std::optional<trace::Interval>& wanted, const trace::Interval& all) {
  if (!wanted) return std::nullopt;
  const trace::Interval out{std::max(wanted->start, all.start), std::min(wanted->end, all.end)};
  return out.start < out.end ? std::optional(out) : std::nullopt;
}

std::string interval_text(const trace::Interval& shown, const trace::Interval& all) {
  const Nanoseconds step = timeline::round_step(std::max<Nanoseconds>((shown.end - shown.start) / 200, 1));
  const auto label = [&](Nanoseconds time) { return timeline::tick_label(time, step, shown.end); };
  return tr("{} to {}, of a run of {}", label(shown.start), label(shown.end), display_duration(all.end - all.start));
}

// What is left out on purpose is said where it is looked for: over the timeline.
std::string excerpt_text(const std::optional<trace::Interval>& shown, const trace::Interval& all, std::size_t of_tracks,
                         std::size_t chosen_tracks, bool figures) {
  std::string out;
  if (shown) out = interval_text(*shown, all);
  if (chosen_tracks < of_tracks) timeline::add_part(out, tr("{} of {} tracks", chosen_tracks, of_tracks));
  if (!out.empty() && figures) timeline::add_part(out, tr("the figures above are of the whole run"));
  return out;
}

// What stands around the timeline. On a small page the least of it goes, one after the other, until there is room.
struct Annotations {
  bool title = true, figures = true;
  std::vector<std::string> caption, why, notes;
  Legend legend;
  std::string excerpt_text;
  int figures_height = 0;

  int above(const Page& page) const {
    return page.px(22) + (title ? page.px(62) : 0) + static_cast<int>(caption.size() + why.size()) * page.px(20) +
           (figures ? figures_height : 0) + (excerpt_text.empty() ? 0 : page.px(24));
  }
  int below(const Page& page) const {
    return page.px(10) + legend.height + static_cast<int>(notes.size()) * page.px(20) + page.px(34);
  }
};

void make_room(Annotations& annotations, const Page& page, int some_rows, int one_row) {
  const auto fits = [&](int rows) {
    return annotations.above(page) + rows + annotations.below(page) <= page.scene.height;
  };
  if (!fits(some_rows)) annotations.notes.clear();
  if (!fits(some_rows)) annotations.figures = false;
  if (!fits(one_row)) annotations.caption.clear();
  if (!fits(one_row)) annotations.why.clear();
  if (!fits(one_row)) annotations.legend = {};
  if (!fits(one_row)) annotations.excerpt_text.clear();
  if (!fits(one_row)) annotations.title = false;
}

// Of the axis, the headings of all groups and a few rows: less is no timeline that figures should stand over.
int height_of(const Page& page, const timeline::Tracks& tracks, std::size_t rows) {
  return page.px(28) + static_cast<int>(timeline::group_count(tracks)) * page.px(28) +
         static_cast<int>(std::min(tracks.tracks.size(), rows)) * page.px(14);
}

void draw_excerpt_text(Page& page, const std::string& words) {
  if (words.empty()) return;
  put_whole(page, page.margin, page.y + 8 * page.scale, 13 * page.scale, timeline::Font::bold, page.theme.text, words,
            page.width());
  page.y += page.px(24);
}

void draw_lines(Page& page, const std::vector<std::string>& lines, float size, timeline::Colour ink, float middle) {
  for (const std::string& line : lines) {
    put(page, page.margin, page.y + middle * page.scale, size * page.scale, timeline::Font::regular, ink, line,
        page.width());
    page.y += page.px(20);
  }
}

bool has_ghosts(const trace::Run& run, const FigureOptions& options) {
  return options.ghosts && !options.second && run.prediction.has_value() && trace::span_count(run.trace) > 0;
}

// Of the one run or of both, and the time from the first to the last of it.
struct DrawnTracks {
  timeline::Tracks first, second;
  trace::Interval time{0, 0};
  std::size_t count() const { return first.tracks.size() + second.tracks.size(); }
};
DrawnTracks drawn_tracks(const trace::Run& run, const FigureOptions& options) {
  DrawnTracks out;
  out.first =
      has_ghosts(run, options) ? timeline::tracks(run.trace, run.prediction->trace) : timeline::tracks(run.trace);
  out.time = {out.first.begin, out.first.end};
  if (!options.second) return out;
  out.second = timeline::tracks(options.second->run->trace);
  out.time = timeline::extent(out.first, compared_run(*options.second, out.second));
  return out;
}

// What stands around the timeline in words, of the one run or of both.
struct FigureText {
  Caption caption;
  std::vector<KeyFigure> figures;
  std::vector<std::string> notes;
};
FigureText figure_text(const trace::Run& run, const FigureOptions& options) {
  const auto& second = options.second;
  FigureText out;
  out.caption = second ? caption_of_both(*second) : caption(run);
  if (!options.title.empty()) out.caption.title = options.title;
  if (options.key_figures) out.figures = second ? key_figures_of_both(run, *second) : key_figures(run);
  out.notes = second ? notes_of_both(run, *second) : trace::texts(run.notes);
  return out;
}

// `left_out`: words for what there is no room for. `planned_only`: nothing is drawn.
timeline::Scene draw_figure(const trace::Run& run, const FigureOptions& options, std::string& left_out,
                            bool planned_only) {
  Page page = new_page(options.width, options.height, options.text, options.theme);
  const timeline::Theme& colours = page.theme;
  const float scale = page.scale;
  const int width = page.width();

  const bool ghosts = has_ghosts(run, options);
  const std::string ghost = ghosts ? run.prediction->trace.provenance.profile : std::string();
  const SecondRun* const second = options.second ? &*options.second : nullptr;
  DrawnTracks all = drawn_tracks(run, options);
  if (options.judgement != nullptr) timeline::add_waits(all.first, run.trace, &options.judgement->history);
  const std::size_t of_tracks = all.count();
  for (timeline::Tracks* each : {&all.first, &all.second}) choose_tracks(*each, options.tracks);
  const std::size_t chosen_tracks = all.count();
  if (second == nullptr) timeline::add_inside(all.first, run.trace, options.opening);

  timeline::LayoutOptions timeline;
  timeline.width = width;
  timeline.scale = scale;
  timeline.colour_by = options.colour_by;
  timeline.badge = false;
  timeline.on_paper = true;
  timeline.ghost = ghost;
  if (options.judgement != nullptr &&
      (options.path || options.pale_off_path || options.rulers || !options.why.empty())) {
    timeline.verdict =
        std::make_shared<timeline::VerdictMarks>(timeline::verdict_marks(run.trace, all.first, *options.judgement));
    timeline.path = options.path;
    timeline.pale_off_path = options.pale_off_path;
    timeline.rulers = options.rulers;
    timeline.queues = !options.why.empty();
  }
  if (second != nullptr) timeline.compared = compared_run(*second, all.second);
  const int plot = timeline::frame(all.first, timeline).plot_width;
  timeline::View view = options.view.value_or(timeline::fit(all.time.start, all.time.end, plot));
  if (const auto interval = clamped(options.interval, all.time))
    view = view_of(*interval, plot);
  else if (all.first.inside.operation != kNoOperation && !options.view)
    view = timeline::view_of_inside(run.trace, options.opening, view, plot);
  const std::optional<trace::Interval> shown = visible_interval(all.time, view, plot);

  const FigureText words = figure_text(run, options);
  std::vector<timeline::LegendEntry> meanings;
  if (options.legend) {
    meanings = timeline::legend(all.first, colours, options.colour_by, shown);
    if (second != nullptr)
      meanings = legend_of_both(std::move(meanings), *second, all.second, colours, options.colour_by, shown);
    for (timeline::LegendEntry& each : meanings)
      if (!each.note.empty()) each.label = fmt::format("{} ({})", each.label, each.note);
    if (ghosts) meanings.push_back(timeline::ghost_entry(ghost, colours));
    if (options.path && options.judgement != nullptr)
      meanings.push_back(timeline::path_entry(options.judgement->path, colours));
    if (timeline.queues && timeline.verdict != nullptr && !timeline.verdict->queues.empty())
      meanings.push_back(timeline::queue_entry(timeline.verdict->queues, colours));
  }
  Annotations annotations;
  annotations.figures = !words.figures.empty();
  annotations.figures_height = height_of_key_figures(page, words.figures);
  annotations.caption =
      timeline::wrapped(options.caption, timeline::Font::regular, 14 * scale, static_cast<float>(width), 3);
  annotations.why = timeline::wrapped(options.why, timeline::Font::regular, 14 * scale, static_cast<float>(width), 2);
  annotations.notes = notes_shown(words.notes);
  annotations.legend = place_legend(page, meanings);
  annotations.excerpt_text = excerpt_text(shown, all.time, of_tracks, chosen_tracks, annotations.figures);
  const int least = page.px(28 + 22 + 6 + 14);  // the axis, a heading, a row
  // Figures that take more than one row of cards are not to cost a track.
  constexpr std::size_t kSome = 6;
  const bool tall = annotations.figures_height > 2 * page.px(68);
  make_room(annotations, page, height_of(page, all.first, tall ? all.first.tracks.size() : kSome), least);
  if (!words.figures.empty() && !annotations.figures) {
    left_out = tr("the figures have no room");
    if (!annotations.excerpt_text.empty())
      annotations.excerpt_text = excerpt_text(shown, all.time, of_tracks, chosen_tracks, false);
  }

  if (annotations.title) draw_title(page, words.caption);
  draw_lines(page, annotations.caption, 14, colours.text, 0);
  draw_lines(page, annotations.why, 14, colours.strong_text, 0);
  if (annotations.figures) draw_key_figures(page, words.figures);
  draw_excerpt_text(page, annotations.excerpt_text);
  const int below = annotations.below(page), room = page.scene.height - page.y - below;
  if (room >= least) {
    const Excerpt part =
        excerpt(std::move(all.first), std::move(all.second), timeline, {room, page.px(20), page.px(14), page.px(72)});
    timeline::add_part(left_out, part.left_out);
    if (planned_only) return std::move(page.scene);
    if (second != nullptr) timeline.compared.tracks = &part.second;
    timeline.row_height = part.row_height;
    timeline.height = part.height;
    append(page.scene, timeline::layout(run.trace, part.tracks, view, colours, timeline), page.margin, page.y);
    page.y += timeline.height;
    fill(page, page.margin, page.y, page.right(), page.y + 1, colours.grid);
    if (!part.left_out.empty()) {
      put(page, page.margin, page.y + 12 * scale, 13 * scale, timeline::Font::bold, colours.text, part.left_out, width);
      page.y += page.px(20);
    }
  }
  page.y += page.px(10);
  draw_legend(page, annotations.legend);
  draw_lines(page, annotations.notes, 12, colours.faint_text, 10);
  if (second != nullptr)
    timeline::draw_badges(page.scene, run.trace.provenance, timeline.compared, colours, foot_of(page), 12 * scale);
  else
    timeline::draw_badge(page.scene, run.trace.provenance, colours, foot_of(page), 12 * scale, ghost);
  return std::move(page.scene);
}

}  // namespace

timeline::Scene figure(const trace::Run& run, const FigureOptions& options) {
  std::string left_out;
  return draw_figure(run, options, left_out, false);
}

std::string left_out(const trace::Run& run, const FigureOptions& options) {
  std::string out;
  (void)draw_figure(run, options, out, true);
  return out;
}

Result<void> check_figure(const trace::Run& run, const FigureOptions& options) {
  if (!options.interval && options.tracks.empty()) return {};
  const DrawnTracks all = drawn_tracks(run, options);
  if (const auto& wanted = options.interval; wanted && !clamped(wanted, all.time)) {
    const auto [begin, end] = all.time;
    const Nanoseconds step = timeline::round_step(std::max<Nanoseconds>((end - begin) / 1000, 1));
    return fail(ErrorKind::bad_input, tr("the interval from {} to {} has nothing of the run, which goes from {} to {}",
                                         exact_duration(wanted->start), exact_duration(wanted->end),
                                         timeline::tick_label(begin, step, end), timeline::tick_label(end, step, end)));
  }
  return check_tracks({&all.first, &all.second}, options.tracks);
}

std::string beyond_the_end(const trace::Run& run, const FigureOptions& options) {
  if (!options.interval) return {};
  const auto [begin, end] = drawn_tracks(run, options).time;
  if (options.interval->end <= end) return {};
  const Nanoseconds step = timeline::round_step(std::max<Nanoseconds>((end - begin) / 1000, 1));
  return tr("the interval goes to {}, but the run ends at {}, and so does the picture",
            exact_duration(options.interval->end), timeline::tick_label(end, step, end));
}

}  // namespace streamscope::draw
