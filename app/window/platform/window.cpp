#include "app/window/platform/window.h"

#include <glad/gl.h>
// GLFW after glad, which brings the GL declarations.
#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "app/draw/screen/rectangles.h"
#include "app/window/effects/files.h"
#include "app/window/effects/remembered_file.h"
#include "app/window/main_window.h"
#include "app/window/platform/imgui_compat.h"
#include "app/window/platform/input_queue.h"
#include "app/window/widgets/dialog.h"
#include "app/window/widgets/widgets.h"
#include "engine/base/stop_source.h"
#include "engine/base/translate.h"

namespace streamscope::window {
namespace {

std::string last_glfw_error;  // GLFW reports through a plain function

// After an event Dear ImGui needs a few frames until all has settled (popups, sizes that follow from contents).
constexpr int kFramesAfterEvent = 4;

// Runs that follow one another at once, as a sweep's, hold a frame back no longer than this.
constexpr Nanoseconds kLongestWait = 500'000'000;

struct Glfw {
  Glfw() {
    glfwSetErrorCallback([](int, const char* message) { last_glfw_error = message; });
    ready = glfwInit() == GLFW_TRUE;
  }
  ~Glfw() {
    if (ready) glfwTerminate();
  }
  Glfw(const Glfw&) = delete;
  Glfw& operator=(const Glfw&) = delete;
  bool ready = false;
};

struct DestroyWindow {
  void operator()(GLFWwindow* window) const { glfwDestroyWindow(window); }
};
using Window = std::unique_ptr<GLFWwindow, DestroyWindow>;

Window make_window() {
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_DEPTH_BITS, 0);
  glfwWindowHint(GLFW_STENCIL_BITS, 0);
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "streamscope");
  glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "streamscope");
  int x = 0, y = 0, width = 1280, height = 720;
  if (GLFWmonitor* monitor = glfwGetPrimaryMonitor()) glfwGetMonitorWorkarea(monitor, &x, &y, &width, &height);
  return Window(
      glfwCreateWindow(first_extent(width, 1920), first_extent(height, 1080), "Streamscope", nullptr, nullptr));
}

// The context of Dear ImGui with its two backends.
struct Gui {
  explicit Gui(GLFWwindow* window) {
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.LogFilename = nullptr;
    io.ConfigInputTextCursorBlink = false;  // a blinking cursor would wake the window again and again
    ImGui_ImplGlfw_InitForOpenGL(window, true);
    ImGui_ImplOpenGL3_Init("#version 330 core");
  }
  ~Gui() {
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
  }
  Gui(const Gui&) = delete;
  Gui& operator=(const Gui&) = delete;
};

// Whether an event came, also one that glfwPollEvents() took between two frames: frames must follow each.
bool touched = false;

// Files that were let go over the window.
std::vector<std::string> dropped;

// Where the mouse was last, and where as the left button went down.
struct Point {
  double x = 0, y = 0;
} mouse_at, pressed_at;

ImVec2 button_came(int button, int action) {
  touched = true;
  if (button == GLFW_MOUSE_BUTTON_LEFT && action == GLFW_PRESS) {
    pressed_at = mouse_at;
    note_drag(-1);
  }
  return {static_cast<float>(mouse_at.x), static_cast<float>(mouse_at.y)};
}

void find_mouse(GLFWwindow* window) {
  touched = true;
  glfwGetCursorPos(window, &mouse_at.x, &mouse_at.y);
}

// Before Dear ImGui's backend sets its callbacks, which call these in turn.
void watch(GLFWwindow* window) {
  glfwSetScrollCallback(window, [](GLFWwindow*, double, double) { touched = true; });
  glfwSetCursorPosCallback(window, [](GLFWwindow* of, double x, double y) {
    touched = true;
    mouse_at = {x, y};
    if (glfwGetMouseButton(of, GLFW_MOUSE_BUTTON_LEFT) == GLFW_PRESS)
      note_drag(std::hypot(x - pressed_at.x, y - pressed_at.y));
  });
  // Here no motion need follow.
  glfwSetCursorEnterCallback(window, [](GLFWwindow* of, int) { find_mouse(of); });
  glfwSetWindowPosCallback(window, [](GLFWwindow* of, int, int) { find_mouse(of); });
  glfwSetWindowFocusCallback(window, [](GLFWwindow*, int) { touched = true; });
  glfwSetFramebufferSizeCallback(window, [](GLFWwindow*, int, int) { touched = true; });
  glfwSetWindowContentScaleCallback(window, [](GLFWwindow*, float, float) { touched = true; });
  glfwSetDropCallback(window, [](GLFWwindow*, int count, const char** paths) {
    touched = true;
    dropped.assign(paths, paths + count);
  });
  glfwSetWindowRefreshCallback(window, [](GLFWwindow*) { touched = true; });
}

float scale_of(GLFWwindow* window) {
  float x = 1, y = 1;
  glfwGetWindowContentScale(window, &x, &y);
  // Where window coordinates are no pixels (Wayland, macOS), the framebuffer has the scale already.
  int window_width = 0, window_height = 0, width = 0, height = 0;
  glfwGetWindowSize(window, &window_width, &window_height);
  glfwGetFramebufferSize(window, &width, &height);
  const float ratio = window_width > 0 ? static_cast<float>(width) / static_cast<float>(window_width) : 1;
  return std::clamp(x / std::max(ratio, 0.1f), 0.5f, 4.0f);
}

// Whether it is on the screen now.
bool draw_frame(GLFWwindow* window, MainWindow& main_window, InputQueue& inputs, bool may_leave_out) {
  for (const KeyPress& press : inputs.feed(!main_window.holds_keys())) main_window.key(press);
  main_window.prepare_fonts(scale_of(window));
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  inputs.set_mouse();
  if (drop_down_open() || dialog_drawn() || main_window.walks()) let_enter_choose();
  if (main_window.steps_in()) step_into_panel();
  ImGui::NewFrame();
  main_window.draw();
  if (may_leave_out && main_window.outdated()) {
    ImGui::EndFrame();
    return false;
  }
  ImGui::Render();
  int width = 0, height = 0;
  glfwGetFramebufferSize(window, &width, &height);
  const ImVec4 gap = main_window.gap_colour();
  glViewport(0, 0, width, height);
  glClearColor(gap.x, gap.y, gap.z, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  glfwSwapBuffers(window);
  return true;
}

// Sleeps until an event comes, or until something is due: live mode's next run, the playhead's next frame. How many
// frames follow.
int sleep(const MainWindow& main_window, const InputQueue& inputs) {
  const Nanoseconds due = main_window.next_due();
  if (!known(due)) {
    glfwWaitEvents();
    return kFramesAfterEvent;
  }
  const Nanoseconds left = due - host_now();
  if (left > 0)
    glfwWaitEventsTimeout(static_cast<double>(left) * 1e-9);
  else
    glfwPollEvents();
  return main_window.playing() && !touched && !inputs.pending() ? 1 : kFramesAfterEvent;
}

void loop(GLFWwindow* window, MainWindow& main_window, InputQueue& inputs, const StopFlag& close,
          const Observer& observer) {
  std::string title;
  int frames = kFramesAfterEvent;
  bool shown = true;                // the last frame; never are two in a row left out
  Nanoseconds held_back = kAbsent;  // since when frames are, for runs that may be over soon
  while (!close.stop_requested()) {
    if (frames > 0) {
      // A short run comes back before a frame is drawn: better one frame with it than one without and one with it.
      if (const double wait = main_window.worth_waiting(); wait > 0)
        glfwWaitEventsTimeout(wait);
      else
        glfwPollEvents();
    } else {
      frames = sleep(main_window, inputs);
    }
    const bool input = std::exchange(touched, false) || inputs.pending();
    if (main_window.advance() || input) frames = kFramesAfterEvent;
    if (observer.changed) observer.changed(main_window);
    for (const std::string& file : std::exchange(dropped, {})) main_window.open(file);
    if (glfwWindowShouldClose(window) != GLFW_FALSE) {
      glfwSetWindowShouldClose(window, GLFW_FALSE);
      main_window.ask_close();
      frames = kFramesAfterEvent;
    }
    if (main_window.closing()) break;
    if ((!input || !shown) && main_window.worth_waiting() > 0) {
      if (!known(held_back)) held_back = host_now();
      if (host_now() - held_back < kLongestWait) continue;
    }
    held_back = kAbsent;
    shown = draw_frame(window, main_window, inputs, shown);
    if (observer.changed) observer.changed(main_window);
    if (!shown) continue;
    main_window.drawn();
    if (observer.drawn) observer.drawn(main_window);
    frames = inputs.pending() ? kFramesAfterEvent
                              : std::max(frames - 1, main_window.playing() && main_window.acted() ? 1 : 0);
    if (std::string now = main_window.title(); now != title) {
      title = std::move(now);
      glfwSetWindowTitle(window, title.c_str());
    }
  }
}

tl::unexpected<Error> refused(const std::string& why) {
  return fail(ErrorKind::no_device, tr("streamscope: {} `streamscope run --png` needs no display.", why));
}

struct LessonToOpen {
  std::filesystem::path folder;
  lesson::Language language;
  std::string device;
};

Result<void> open(const std::string& file, const std::string& engine_command, const std::optional<LessonToOpen>& lesson,
                  const StopFlag& close, const Observer& observer) {
  const bool first = first_start();
  const std::optional<Remembered> before = last_remembered();
  const bool trace = !file.empty() && input::looks_like_trace(file);
  OpenedFile opened = file.empty() || trace ? file_for(before) : TRY(open_file(file));
  const Glfw glfw;
  if (!glfw.ready) return refused(tr("no window can be opened: {}.", last_glfw_error));
  const std::stop_callback wake(StopSource::token(close), glfwPostEmptyEvent);
  // The engine starts beside the rest; nothing here waits for it.
  MainWindow main_window(std::move(opened), trace ? file : std::string(), before.value_or(Remembered()), engine_command,
                         glfwPostEmptyEvent);
  if (lesson) main_window.open_lesson(lesson->folder, lesson->language, lesson->device);
  const Window window = make_window();
  if (!window) return refused(tr("no window with OpenGL 3.3 can be opened: {}.", last_glfw_error));
  glfwMakeContextCurrent(window.get());
  glfwSwapInterval(1);
  if (!screen::load_gl(glfwGetProcAddress)) return refused(tr("the OpenGL driver does not offer version 3.3."));
  watch(window.get());
  const Gui gui(window.get());
  InputQueue inputs(window.get(), button_came);
  TRY(main_window.create());
  if (!trace && !lesson && first) main_window.show_hint();
  main_window.remember();
  loop(window.get(), main_window, inputs, close, observer);
  main_window.remember();
  main_window.destroy();
  return {};
}

}  // namespace

int first_extent(int screen, int filled) { return std::max({screen * 9 / 10, std::min(screen, filled), 480}); }

Result<void> open_window(const std::string& file, const std::string& engine_command, const StopFlag& close,
                         const Observer& observer) {
  return open(file, engine_command, std::nullopt, close, observer);
}

Result<void> open_lesson(const std::filesystem::path& folder, lesson::Language language, const std::string& device,
                         const StopFlag& close, const Observer& observer) {
  return open({}, {}, LessonToOpen{folder, language, device}, close, observer);
}

}  // namespace streamscope::window
