// The SVG of a picture: well-formed whatever a name holds, and every shape of the picture in it.
#include "app/draw/svg.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "app/draw/figure.h"
#include "app/draw/paper.h"
#include "app/timeline/pattern.h"
#include "engine/base/utf8.h"
#include "tests/app/draw/picture_text.h"
#include "tests/support/timeline_run.h"

namespace streamscope::draw {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const DocumentInfo kImprint{"A title", "MODEL", "2025-01-02T03:04:05Z"};

std::size_t count(std::string_view text, std::string_view what) {
  std::size_t found = 0;
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + what.size())) ++found;
  return found;
}

bool only_entities(std::string_view text) {
  for (std::size_t at = text.find('&'); at != text.npos; at = text.find('&', at + 1)) {
    const std::array known{"&lt;", "&gt;", "&amp;", "&quot;"};
    if (std::none_of(known.begin(), known.end(), [&](const char* e) { return text.substr(at).starts_with(e); }))
      return false;
  }
  return true;
}

// `name="value"` and a space, again and again; each name once.
bool only_attributes(std::string_view text) {
  std::vector<std::string_view> names;
  while (!text.empty()) {
    const std::size_t equals = text.find("=\""), end = text.find('"', equals + 2);
    if (!text.starts_with(' ') || equals == text.npos || end == text.npos) return false;
    names.push_back(text.substr(1, equals - 1));
    if (names.back().find_first_of(" <>&\"'") != text.npos || names.back().empty()) return false;
    if (text.substr(equals + 2, end - equals - 2).find('<') != text.npos) return false;
    text.remove_prefix(end + 1);
  }
  std::sort(names.begin(), names.end());
  return std::adjacent_find(names.begin(), names.end()) == names.end();
}

// What is wrong with it as XML of one root, without comments and the like; empty: nothing.
std::string wrong_xml(std::string_view xml) {
  if (valid_utf8(xml) != xml) return "no UTF-8";
  for (const char c : xml)
    if (static_cast<unsigned char>(c) < 0x20 && c != '\n') return "a control character";
  if (!only_entities(xml)) return "an & that begins nothing";
  std::vector<std::string_view> open;
  for (std::size_t at = 0; at < xml.size();) {
    if (xml[at] == '>') return "a > outside of tags";
    if (xml[at] != '<') {
      if (open.empty() && xml[at] != '\n') return "text outside of the root";
      ++at;
      continue;
    }
    const std::size_t end = xml.find('>', at);
    if (end == xml.npos) return "a tag without an end";
    std::string_view tag = xml.substr(at + 1, end - at - 1);
    const bool closes = tag.starts_with('/'), alone = tag.ends_with('/');
    if (closes) tag.remove_prefix(1);
    if (alone) tag.remove_suffix(1);
    const std::string_view name = tag.substr(0, tag.find(' '));
    if (!only_attributes(tag.substr(name.size()))) return "attributes of " + std::string(tag);
    if (open.empty() && at > 0) return "a second root";
    if (closes) {
      if (open.back() != name) return "the end of " + std::string(name);
      open.pop_back();
    } else if (!alone) {
      open.push_back(name);
    }
    at = end + 1;
  }
  return open.empty() ? "" : "no end of " + std::string(open.back());
}

timeline::Text text(std::string what) {
  timeline::Text out;
  out.x = 5;
  out.y = 30;
  out.size = 14;
  out.text = std::move(what);
  return out;
}

timeline::Scene empty() {
  timeline::Scene scene;
  scene.width = 97;
  scene.height = 61;
  scene.background = {17, 34, 51};
  return scene;
}

TEST(Svg, OfAFigureHasEveryShapeOfThePicture) {
  for (const timeline::ThemeName theme : {timeline::ThemeName::light, timeline::ThemeName::print}) {
    FigureOptions options;
    options.theme = theme;
    const auto run = testing::pipeline_run({});
    const timeline::Scene scene = figure(run, options);
    const std::string drawn = svg(scene, 1, document_info(run));
    EXPECT_EQ(wrong_xml(drawn), "");
    const std::string body = drawn.substr(drawn.find("<g "));
    EXPECT_EQ(count(body, "<rect "), scene.rectangles.size() + 1) << "and the background";
    EXPECT_EQ(count(body, "<line "), scene.lines.size());
    EXPECT_EQ(count(body, "<text "), scene.texts.size());
    std::size_t paths = 0, patterns = static_cast<std::size_t>(
                               std::count_if(scene.rectangles.begin(), scene.rectangles.end(),
                                             [](const auto&r) { return r.fill != timeline::Fill::solid; }));
    for (const timeline::Stacks& stacks : scene.stacks)
      for (std::size_t i = 0; i < stacks.layers.size(); ++i)
        if (!timeline::pieces_of(stacks, i).empty()) {
          paths += stacks.layers[i].pattern == timeline::Fill::solid ? 1 : 2;
          patterns += stacks.layers[i].pattern == timeline::Fill::solid ? 0 : 1;
        }
    EXPECT_EQ(count(body, "<path "), paths);
    EXPECT_EQ(count(body, "fill=\"url(#"), patterns);
    EXPECT_EQ(drawn, svg(figure(run, options), 1, document_info(run))) << "the same run, the same bytes";
  }
}

TEST(Svg, APageOfColumnsThatAllDifferStaysSmall) {
  trace::Run run;
  std::uint32_t random = 1;
  const auto below = [&](std::uint32_t limit) { return (random = random * 1664525 + 1013904223) / 64 % limit; };
  for (std::uint32_t stream = 0; stream < 40; ++stream) {
    run.trace.streams.push_back({"S" + std::to_string(stream)});
    Nanoseconds time = 0;
    for (int i = 0; i < 5000; ++i) {
      trace::Span span;
      span.operation = static_cast<OperationIndex>(run.trace.spans.size());
      span.stream = stream;
      span.kind = std::array{OperationKind::h2d, OperationKind::kernel, OperationKind::d2h}[below(3)];
      span.start = span.ready = time += below(2000);
      span.end = time += below(2000);
      run.trace.spans.push_back(span);
    }
  }
  FigureOptions options;
  options.theme = timeline::ThemeName::print;
  const timeline::Scene page = figure(run, options);
  EXPECT_GT(page.stacks.size(), 20u);
  const std::string drawn = svg(page, 1, document_info(run));
  EXPECT_LT(drawn.size(), 5'000'000u);
  const std::filesystem::path path = ::testing::TempDir() + "columns-that-differ.pdf";
  ASSERT_TRUE(write_pdf(page, 1, document_info(run), path));
  EXPECT_LT(std::filesystem::file_size(path), 5'000'000u);
  std::filesystem::remove(path);
}

TEST(Svg, SaysItsSizeTitleAndProvenance) {
  const auto run = testing::pipeline_run({});
  const std::string drawn = svg(empty(), 1.5, document_info(run));
  EXPECT_THAT(drawn, StartsWith("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"145.5\" height=\"91.5\" "
                                "viewBox=\"0 0 97 61\">\n<title>"));
  EXPECT_THAT(drawn, AllOf(HasSubstr("<title>" + caption(run).title + "</title>"), HasSubstr("<desc>MEASURED  ·  ")));
  EXPECT_EQ(wrong_xml(drawn), "");
}

TEST(Svg, IsWellFormedWhateverANameHolds) {
  for (const std::string& name :
       {std::string("a<b> & \"c\" 'd' ]]> &amp; --"), std::string("bell\a, escape\x1b[31m, nul\0!, line\n, tab\t", 36),
        std::string("\xFF\xFE a\x80 \xC0\x80 \xED\xA0\x80 \xF4\x90\x80\x80 \xE2\x82"),
        std::string("\xEF\xBF\xBF \xEF\xBF\xBE"), std::string("</text><script>")}) {
    timeline::Scene scene = empty();
    scene.texts = {text(name)};
    const std::string drawn = svg(scene, 1, {name, name, name});
    EXPECT_EQ(wrong_xml(drawn), "") << drawn;
    EXPECT_THAT(drawn, AllOf(Not(HasSubstr("\xEF\xBF\xBF")), Not(HasSubstr("\xEF\xBF\xBE")))) << "no XML either";
    EXPECT_EQ(count(drawn, "<text "), 1u);
  }
  timeline::Scene scene = empty();
  scene.texts = {text("a<b & \"c\"  ·  µs")};
  EXPECT_THAT(svg(scene, 1, kImprint), HasSubstr(">a&lt;b &amp; &quot;c&quot;  ·  µs</text>"));
}

// The pixels of one period that the pattern's path covers: each M x y h n v 1 h -n z is a row's piece.
std::vector<std::string> rows_of(const std::string& drawn, std::size_t period) {
  std::vector<std::string> rows(period, std::string(period, '.'));
  const std::size_t begin = drawn.find(" d=\"") + 4;
  const std::string path = drawn.substr(begin, drawn.find('"', begin) - begin);
  for (std::size_t at = path.find('M'); at != path.npos; at = path.find('M', at + 1)) {
    int x = -1, y = -1, width = -1, back = -1;
    EXPECT_EQ(std::sscanf(path.c_str() + at, "M%d %dh%dv1h-%dz", &x, &y, &width, &back), 4);
    EXPECT_EQ(width, back);
    for (int i = x; i < x + width; ++i) rows.at(static_cast<std::size_t>(y)).at(static_cast<std::size_t>(i)) = '#';
  }
  return rows;
}

TEST(Svg, HasOnePatternForEachFillAndColour) {
  timeline::Scene scene = empty();
  scene.rectangles = {{11, 7, 50, 40, kRed, timeline::Fill::hatch},
                      {13, 8, 31, 20, kRed, timeline::Fill::hatch},
                      {1, 2, 3, 4, kGreen, timeline::Fill::hatch},
                      {1, 2, 3, 4, kGreen, timeline::Fill::dots},
                      {1, 2, 3, 4, kGreen, timeline::Fill::solid}};
  const std::string drawn = svg(scene, 1, kImprint);
  EXPECT_EQ(count(drawn, "<pattern "), 3u);
  EXPECT_THAT(drawn, HasSubstr("<pattern id=\"hatch-c80a14\" patternUnits=\"userSpaceOnUse\" width=\"6\" height=\"6\">"
                               "<path fill=\"#c80a14\" "));
  EXPECT_THAT(drawn, HasSubstr("<rect x=\"11\" y=\"7\" width=\"39\" height=\"33\" fill=\"url(#hatch-c80a14)\"/>"));
  EXPECT_THAT(drawn, HasSubstr("fill=\"url(#dots-009e73)\"/>"));
  EXPECT_EQ(count(drawn, " transform="), 0u) << "or the pattern would not run through the whole picture";
}

TEST(Svg, PatternsAreByThePicturesRule) {
  for (std::size_t i = 1; i < timeline::kFills; ++i) {
    const auto fill = static_cast<timeline::Fill>(i);
    timeline::Scene scene = empty();
    scene.rectangles = {{11, 7, 50, 40, kRed, fill}};
    const auto period = static_cast<std::size_t>(timeline::pattern(fill).period);
    const auto rows = rows_of(svg(scene, 1, kImprint), period);
    for (std::size_t y = 0; y < period; ++y) {
      for (std::size_t x = 0; x < period; ++x) {
        EXPECT_EQ(rows[y][x] == '#', timeline::drawn(fill, static_cast<int>(x), static_cast<int>(y)))
            << timeline::pattern(fill).name << " " << x << "," << y;
      }
    }
  }
}

TEST(Svg, PatternsAreAsLargeAsThePicturesGrain) {
  timeline::Scene scene = empty();
  scene.rectangles = {{11, 7, 50, 40, kRed, timeline::Fill::hatch}};
  EXPECT_EQ(count(svg(scene, 1, kImprint), "patternTransform"), 0u);
  scene.grain = 2;
  EXPECT_THAT(svg(scene, 1, kImprint), HasSubstr("width=\"6\" height=\"6\" patternTransform=\"scale(2)\">"));
}

TEST(Svg, CutsShapesToThePictureAsOnPaper) {
  timeline::Scene scene = empty();
  constexpr std::int32_t kFar = 2'000'000'000;
  scene.rectangles = {{-kFar, 10, kFar, 20, kRed, timeline::Fill::solid},
                      {200, 0, 300, 10, kRed, timeline::Fill::solid},
                      {9, 9, 9, 12, kRed, timeline::Fill::solid}};
  const std::string drawn = svg(scene, 1, kImprint);
  EXPECT_THAT(drawn, HasSubstr("<rect x=\"0\" y=\"10\" width=\"97\" height=\"10\" fill=\"#c80a14\"/>"));
  EXPECT_EQ(count(drawn, "<rect "), 2u);
}

TEST(Svg, ClipsTextOnlyWhereItsColumnsCutIt) {
  timeline::Scene scene = empty();
  timeline::Text fits = text("MM"), cut = text("MMMMMM"), also = cut, beside = cut;
  fits.clip_x0 = 2, fits.clip_x1 = 60;
  cut.clip_x0 = also.clip_x0 = 5, cut.clip_x1 = also.clip_x1 = 40;
  beside.clip_x0 = 50, beside.clip_x1 = 50;
  scene.texts = {fits, cut, also, beside, text("MMMMMMMMMMMMMMMMMMM, cut by the picture")};
  const std::string drawn = svg(scene, 1, kImprint);
  EXPECT_EQ(count(drawn, "<clipPath "), 1u);
  EXPECT_EQ(count(drawn, " clip-path=\"url(#columns-0)\""), 2u);
  EXPECT_THAT(drawn, HasSubstr("<clipPath id=\"columns-0\"><rect x=\"5\" width=\"35\" height=\"61\"/></clipPath>"));
  EXPECT_EQ(count(drawn, "<text "), 4u) << "one has no columns";
}

TEST(Svg, SetsTextAsItIsSetOnPaper) {
  timeline::Scene scene = empty();
  timeline::Text bold = text("bold"), mono = text("mono");
  bold.font = timeline::Font::bold, bold.anchor = timeline::Anchor::centre, bold.colour = {1, 2, 3, 51};
  mono.font = timeline::Font::mono, mono.anchor = timeline::Anchor::right, mono.x = 48.126F, mono.size = 10.5F;
  scene.texts = {text("plain"), bold, mono};
  const std::string drawn = svg(scene, 1, kImprint);
  EXPECT_THAT(drawn, HasSubstr("<g font-family=\"Roboto, sans-serif\" font-weight=\"500\" xml:space=\"preserve\">"));
  EXPECT_THAT(drawn, HasSubstr("<text x=\"5\" y=\"35\" font-size=\"14\" fill=\"#000000\">plain</text>"));
  EXPECT_THAT(drawn, HasSubstr("<text x=\"5\" y=\"35\" font-size=\"14\" fill=\"#010203\" fill-opacity=\"0.2\" "
                               "font-weight=\"700\" text-anchor=\"middle\">bold</text>"));
  EXPECT_THAT(drawn, HasSubstr("<text x=\"48.13\" y=\"34\" font-size=\"10.5\" fill=\"#000000\" "
                               "font-family=\"'JetBrains Mono', monospace\" text-anchor=\"end\">mono</text>"));
}

TEST(Svg, DrawsLines) {
  timeline::Scene scene = empty();
  scene.lines = {{10, 30.5F, 80, 30.5F, kRed, 1}, {0, 0, 9.25F, 1.0F / 3, kGreen, 1.5F}};
  const std::string drawn = svg(scene, 1, kImprint);
  EXPECT_THAT(drawn, HasSubstr("<line x1=\"10\" y1=\"30.5\" x2=\"80\" y2=\"30.5\" stroke=\"#c80a14\"/>"));
  EXPECT_THAT(drawn,
              HasSubstr("<line x1=\"0\" y1=\"0\" x2=\"9.25\" y2=\"0.33\" stroke=\"#009e73\" stroke-width=\"1.5\"/>"));
}

}  // namespace
}  // namespace streamscope::draw
