// The timeline as a picture: a pure function of the trace, the view and the options. No ImGui, no GL.
//
//   tracks(trace)  once for each trace: which tracks there are and their lanes, ready for any zoom (tracks.h)
//   layout(...)    once for each view: what to draw; cost follows pixels, not spans
//   hit(...)       what lies under a pixel (hit.h)
#pragma once

#include "app/timeline/layout_options.h"
#include "app/timeline/scene.h"
#include "app/timeline/theme.h"
#include "app/timeline/tracks.h"
#include "app/timeline/view.h"

namespace streamscope::timeline {

Scene layout(const trace::Trace& trace, const Tracks& tracks, const View& view, const Theme& theme,
             const LayoutOptions& options);

}  // namespace streamscope::timeline
