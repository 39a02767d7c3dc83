#include "app/cli/pictures.h"

#include <utility>

#include "app/cli/terminal.h"
#include "app/draw/picture_file.h"
#include "app/help/entry.h"
#include "engine/base/translate.h"
#include "engine/base/wide_letters.h"
#include "engine/trace/packed_spans.h"

namespace streamscope::cli {
namespace {

constexpr std::size_t kMostJudged = 1'000'000;  // operations

// "1.09× the bound; the D2H engine binds. The chunks are large: ..."
std::string why_text(const remedy::ExplainedRun& explained) {
  std::string text = help::with_full_stop(remedy::headline(*explained.judgement));
  if (!explained.verdict.entries.empty()) text = behind(text, explained.verdict.entries.front().text);
  return text;
}

// What the picture shows of the verdict.
Result<void> add_verdict(draw::FigureOptions& figure, const trace::Run& run, bool why,
                         std::shared_ptr<const remedy::ExplainedRun> explained) {
  const bool asked = figure.path || figure.rulers || why;
  if (explained == nullptr) {
    // The reasons of waiting are drawn unasked, so they must be there at once.
    if (!asked && trace::span_count(run.trace) > kMostJudged) return {};
    auto found = remedy::explain_run(run, {}, {}, why ? kFewSimulated : 0);
    if (!found && !asked) return {};
    explained = TRY(std::move(found));
  }
  if (why) figure.why = why_text(*explained);
  figure.judgement = {explained, explained->judgement.get()};
  return {};
}

}  // namespace

std::vector<Option> picture_options(RunOptions& to) {
  return {
      {"--png", &to.png, tr("Draw the timeline as PNG"), "F"},
      {"--svg", &to.svg, tr("Draw the timeline as SVG: vectors, with its text as text; - is standard output"), "F"},
      {"--pdf", &to.pdf, tr("Draw the timeline as PDF: one page of vectors, for print"), "F"},
      {"--size", &to.size, tr("The picture's size in pixels (1600x900)"), "WxH"},
      {"--scale", &to.scale, tr("Multiplies the picture's pixels, for print (1)"), "S"},
      {"--theme", &to.theme, tr("The picture's colours: dark, light, projector or print (light)"), "NAME"},
      {"--colour", &to.colour, tr("What the colours of the picture's bars tell apart: kind or stream (kind)"), "NAME"},
      {"--interval", &to.interval, tr("Draw only this part of the run, as on the picture's axis, such as 1.2ms..3ms"),
       "FROM..TO"},
      {"--tracks", &to.tracks,
       tr("Draw only these: host, streams, engines, a device's such as \"GPU 1\", names such as S0 or h2d, or globs "
          "such as \"S1*\", with commas between them; in runs of several devices, @ and the number of one may "
          "follow: h2d@1"),
       "NAMES"},
      {"--title", &to.heading, tr("The picture's title, instead of the experiment's name"), "T"},
      {"--caption", &to.caption, tr("Words below the picture's title and configuration"), "T"},
      {"--path{line}", &to.path,
       tr("Draw the critical path over the rows of the picture, and its shares in the legend; --path=pale: with all "
          "that is not on it pale"),
       "NAME"},
      {"--rulers", &to.rulers,
       tr("Draw into the picture what no schedule could beat: a line for each engine, for the order and for the host")},
      {"--why", &to.why, tr("Say below the picture's title how close the run comes to its bound, and why no closer")},
      {"--no-legend", &to.no_legend, tr("Leave the legend out of the picture")},
      {"--no-figures", &to.no_figures, tr("Leave the row of figures out of the picture")},
      {"--open", &to.open,
       tr("In the picture, the inside of the tiles or attention kernel of that line of the program, or of the "
          "first one; with the stages of multiprocessor SM, else of the first whose blocks recorded any; "
          "without --in-kernel one block in 100 records"),
       "LINE|first[:SM]"}};
}

bool draws_pictures(const RunOptions& options) {
  return !options.png.empty() || !options.svg.empty() || !options.pdf.empty();
}

int write_pictures(const trace::Run& run, const RunOptions& to, draw::FigureOptions figure,
                   std::shared_ptr<const remedy::ExplainedRun> explained) {
  int code = 0;
  const auto keep = [&](const Result<void>& done) {
    if (!done) code = report(done.error());
  };
  const auto possible = draw::check_figure(run, figure);
  if (!possible) return report({possible.error().kind, tr("the picture: error: {}", possible.error().message)});
  if (const std::string beyond = draw::beyond_the_end(run, figure); !beyond.empty()) {
    print_stderr_text(tr("the picture: warning: {}\n", beyond));
  }
  keep(add_verdict(figure, run, to.why, std::move(explained)));
  for (const auto& [format, path] : {std::pair{draw::PictureFormat::png, &to.png},
                                     {draw::PictureFormat::svg, &to.svg},
                                     {draw::PictureFormat::pdf, &to.pdf}}) {
    if (path->empty()) continue;
    if (const auto drawing = draw::write_picture(run, {format, figure, *path}); !drawing)
      code = report(drawing.error());
  }
  return code;
}

}  // namespace streamscope::cli
