#include "app/window/widgets/canvas.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace streamscope::window {

Result<void> Canvas::create() {
  renderer_ = TRY(screen::RectangleRenderer::create());
  return {};
}

void Canvas::set(timeline::Scene scene) {
  scene_ = std::move(scene);
  std::vector<timeline::Rectangle>& all = scene_.rectangles;
  if (scene_.background.a > 0) {  // else it is drawn over another one
    all.insert(all.begin(), {0, 0, scene_.width, scene_.height, scene_.background});
    for (timeline::Stacks& stacks : scene_.stacks) ++stacks.before;
  }
  renderer_.upload(scene_);
}

void Canvas::draw_rectangles(const ImDrawList*, const ImDrawCmd* command) {
  const auto& canvas = *static_cast<const Canvas*>(command->UserCallbackData);
  canvas.renderer_.draw(canvas.placement_);
}

void Canvas::draw(const Fonts& fonts, ImVec2 at) {
  // The picture is in pixels of the framebuffer, Dear ImGui in those of the window; on most systems they are the same.
  const ImGuiIO& io = ImGui::GetIO();
  const float ratio = io.DisplayFramebufferScale.x > 0 ? io.DisplayFramebufferScale.x : 1;
  const float width = static_cast<float>(scene_.width) / ratio, height = static_cast<float>(scene_.height) / ratio;
  ImDrawList& list = *ImGui::GetWindowDrawList();

  placement_.framebuffer_width = static_cast<int>(std::lround(io.DisplaySize.x * ratio));
  placement_.framebuffer_height = static_cast<int>(std::lround(io.DisplaySize.y * ratio));
  placement_.x = static_cast<int>(std::lround(at.x * ratio));
  placement_.y = static_cast<int>(std::lround(at.y * ratio));
  placement_.clip_x0 = placement_.x;
  placement_.clip_y0 = placement_.y;
  placement_.clip_x1 = placement_.x + scene_.width;
  placement_.clip_y1 = placement_.y + scene_.height;
  list.AddCallback(&Canvas::draw_rectangles, this);

  ImGui::PushClipRect(at, {at.x + width, at.y + height}, true);
  for (const timeline::Line& line : scene_.lines)  // Dear ImGui adds half a pixel to both ends of a line by itself
    list.AddLine({at.x + line.x0 / ratio - 0.5f, at.y + line.y0 / ratio - 0.5f},
                 {at.x + line.x1 / ratio - 0.5f, at.y + line.y1 / ratio - 0.5f}, packed(line.colour),
                 line.width / ratio);
  for (const timeline::Text& each : scene_.texts) {
    const auto [font, size] = pick(fonts, each.font, each.size / ratio);
    float x = at.x + each.x / ratio;
    if (each.anchor != timeline::Anchor::left) {
      const float text_width = font->CalcTextSizeA(size, FLT_MAX, 0, each.text.c_str()).x;
      x -= each.anchor == timeline::Anchor::right ? text_width : text_width / 2;
    }
    const ImVec4 clip{at.x + static_cast<float>(each.clip_x0) / ratio, at.y,
                      std::min(at.x + static_cast<float>(each.clip_x1) / ratio, at.x + width), at.y + height};
    list.AddText(font, size, {std::round(x), std::round(at.y + each.y / ratio - size / 2)}, packed(each.colour),
                 each.text.c_str(), nullptr, 0, &clip);
  }
  ImGui::PopClipRect();
}

}  // namespace streamscope::window
