#include "tests/support/window_driver.h"

#include <cairo.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>
#include <utility>

extern char** environ;

namespace streamscope::tests {
namespace {

using Clock = std::chrono::steady_clock;

// All that happens between fork and exec is prepared before: only calls that are safe there.
pid_t start(const std::vector<std::string>& command, const std::vector<std::string>& environment,
            const std::filesystem::path& folder, int descriptor, int as) {
  std::vector<std::string> variables = environment;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string name = std::string(*each).substr(0, std::string(*each).find('=') + 1);
    const auto ours = std::any_of(environment.begin(), environment.end(),
                                  [&](const std::string& own) { return own.rfind(name, 0) == 0; });
    if (!ours) variables.emplace_back(*each);
  }
  std::vector<char*> arguments, values;
  for (const std::string& each : command) arguments.push_back(const_cast<char*>(each.c_str()));
  for (const std::string& each : variables) values.push_back(const_cast<char*>(each.c_str()));
  arguments.push_back(nullptr);
  values.push_back(nullptr);
  const pid_t child = fork();
  if (child != 0) return child;
  if (!folder.empty() && chdir(folder.c_str()) != 0) _exit(127);
  if (descriptor >= 0 && descriptor != as) dup2(descriptor, as);
  if (descriptor == as) fcntl(as, F_SETFD, 0);
  execvpe(arguments[0], arguments.data(), values.data());
  _exit(127);
}

std::optional<int> code_of(int status) {
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  if (WIFSIGNALED(status)) return 128 + WTERMSIG(status);
  return std::nullopt;
}

bool found(const std::string& program) {
  std::istringstream folders(std::getenv("PATH") == nullptr ? "" : std::getenv("PATH"));
  for (std::string folder; std::getline(folders, folder, ':');)
    if (access((folder + "/" + program).c_str(), X_OK) == 0) return true;
  return false;
}

// What stands on a widget is not said.
bool says(const std::string& line, const std::string& words) {
  return line.rfind("widget ", 0) != 0 && line.find(words) != std::string::npos;
}

}  // namespace

bool poll_until(const std::function<bool()>& condition, std::chrono::seconds limit) {
  const auto end = Clock::now() + limit;
  while (!condition()) {
    if (Clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return true;
}

Process::Process(const std::vector<std::string>& command, const Options& options)
    : id_(start(command, options.environment, options.folder, options.descriptor, options.as)) {}

Process::~Process() {
  if (id_ <= 0 || exit_code()) return;
  kill(id_, SIGTERM);
  if (!poll_until([this] { return exit_code().has_value(); }, std::chrono::seconds(10))) kill(id_, SIGKILL);
  poll_until([this] { return exit_code().has_value(); }, std::chrono::seconds(10));
}

std::optional<int> Process::exit_code() {
  if (code_ || id_ <= 0) return code_;
  int status = 0;
  if (waitpid(id_, &status, WNOHANG) == id_) code_ = code_of(status);
  return code_;
}

std::optional<std::string> output_of(const std::vector<std::string>& command,
                                     const std::vector<std::string>& environment) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return std::nullopt;
  const pid_t child = start(command, environment, {}, ends[1], 1);
  close(ends[1]);
  std::string words;
  char buffer[4096];
  const auto end = Clock::now() + kPatience;
  for (;;) {
    pollfd ready{ends[0], POLLIN, 0};
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    if (left <= 0 || poll(&ready, 1, static_cast<int>(left)) <= 0) {
      kill(child, SIGKILL);
      break;
    }
    const ssize_t count = read(ends[0], buffer, sizeof buffer);
    if (count <= 0) break;
    words.append(buffer, static_cast<std::size_t>(count));
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (code_of(status) != 0) return std::nullopt;
  return words;
}

std::size_t Pixels::count(std::uint32_t colour) const {
  return static_cast<std::size_t>(std::count(rgb.begin(), rgb.end(), colour));
}

std::size_t Pixels::count(std::uint32_t colour, const Area& within) const {
  std::size_t sum = 0;
  for (int y = std::max(0, within.y); y < std::min(height, within.y + within.height); ++y)
    for (int x = std::max(0, within.x); x < std::min(width, within.x + within.width); ++x)
      sum += rgb[static_cast<std::size_t>(y * width + x)] == colour ? 1 : 0;
  return sum;
}

std::optional<std::pair<int, int>> Pixels::find(std::uint32_t colour, const Area& within) const {
  for (int y = std::max(0, within.y); y < std::min(height, within.y + within.height); ++y)
    for (int x = std::max(0, within.x); x < std::min(width, within.x + within.width); ++x)
      if (rgb[static_cast<std::size_t>(y * width + x)] == colour) return std::pair(x, y);
  return std::nullopt;
}

std::optional<Pixels> read_png(const std::filesystem::path& path) {
  const std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)> surface(
      cairo_image_surface_create_from_png(path.c_str()), cairo_surface_destroy);
  if (cairo_surface_status(surface.get()) != CAIRO_STATUS_SUCCESS) return std::nullopt;
  const cairo_format_t format = cairo_image_surface_get_format(surface.get());
  if (format != CAIRO_FORMAT_ARGB32 && format != CAIRO_FORMAT_RGB24) return std::nullopt;
  Pixels pixels{cairo_image_surface_get_width(surface.get()), cairo_image_surface_get_height(surface.get()), {}};
  const unsigned char* data = cairo_image_surface_get_data(surface.get());
  const int stride = cairo_image_surface_get_stride(surface.get());
  for (int y = 0; y < pixels.height; ++y)
    for (int x = 0; x < pixels.width; ++x) {
      std::uint32_t value = 0;
      std::memcpy(&value, data + static_cast<std::ptrdiff_t>(y) * stride + x * 4, 4);
      pixels.rgb.push_back(value & 0xFFFFFF);
    }
  return pixels;
}

std::string WindowDriver::missing() {
  for (const char* program : {"Xvfb", "xdotool", "import"})
    if (!found(program)) return std::string(program) + " is not installed";
  return {};
}

WindowDriver::WindowDriver(const std::vector<std::string>& arguments, bool first_start) {
  std::string pattern = (std::filesystem::temp_directory_path() / "streamscope-window-XXXXXX").string();
  if (const char* made = mkdtemp(pattern.data())) folder_ = made;
  const std::filesystem::path settings = folder_ / ".config";
  std::filesystem::create_directories(settings / "streamscope");
  if (!first_start) std::ofstream(settings / "streamscope" / "window").flush();

  // The X server writes the number of the display it found free.
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return;
  constexpr int kDisplay = 3;
  Process::Options server;
  server.descriptor = ends[1];
  server.as = kDisplay;
  display_ = std::make_unique<Process>(
      std::vector<std::string>{"Xvfb", "-r", "-displayfd", std::to_string(kDisplay), "-screen", "0", "1280x800x24",
                               "-nolisten", "tcp", "+extension", "GLX"},
      server);
  close(ends[1]);
  std::string number;
  char letter = 0;
  const auto end = Clock::now() + kPatience;
  while (letter != '\n' && Clock::now() < end) {
    pollfd ready{ends[0], POLLIN, 0};
    if (poll(&ready, 1, 1000) <= 0) continue;
    if (read(ends[0], &letter, 1) != 1) break;
    if (letter != '\n') number += letter;
  }
  close(ends[0]);

  // Mesa unloads its driver at the end, and the leak checker blames what it cannot name any more.
  environment_ = {"DISPLAY=:" + number, "LIBGL_ALWAYS_SOFTWARE=1", "ASAN_OPTIONS=detect_leaks=0",
                  "CUDA_VISIBLE_DEVICES=",  // the model, also where there is a GPU
                  "XDG_CONFIG_HOME=" + settings.string()};
  start_window(arguments);
}

void WindowDriver::start_window(const std::vector<std::string>& arguments) {
  int lines[2];
  if (pipe2(lines, O_CLOEXEC) != 0) return;
  pipe_ = lines[0];
  std::vector<std::string> command{STREAMSCOPE_TEST_PROGRAMS "/streamscope_observed"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  process_ = std::make_unique<Process>(command, Process::Options{environment_, folder_, lines[1], 2});
  close(lines[1]);
  reader_ = std::thread([this] { read_lines(); });
}

void WindowDriver::end_window() {
  process_.reset();
  // The pipe closes when the window and the engine that inherits it are gone.
  if (reader_.joinable()) reader_.join();
  if (pipe_ >= 0) close(std::exchange(pipe_, -1));
}

bool WindowDriver::reopen(const std::vector<std::string>& arguments) {
  const bool closed = press("ctrl+q") && poll_until([&] { return process_->exit_code().has_value(); });
  start_anew(arguments);
  return closed;
}

void WindowDriver::start_anew(const std::vector<std::string>& arguments) {
  end_window();
  lines_.clear();
  waited_ = 0;
  closed_ = false;
  start_window(arguments);
}

WindowDriver::~WindowDriver() {
  end_window();
  display_.reset();
  std::error_code ignored;
  if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
}

void WindowDriver::read_lines() {
  std::string pending;
  char buffer[4096];
  for (;;) {
    const ssize_t count = read(pipe_, buffer, sizeof buffer);
    if (count <= 0) break;
    pending.append(buffer, static_cast<std::size_t>(count));
    const std::lock_guard lock(mutex_);
    for (std::size_t end; (end = pending.find('\n')) != std::string::npos; pending.erase(0, end + 1))
      lines_.push_back(pending.substr(0, end));
    written_.notify_all();
  }
  const std::lock_guard lock(mutex_);
  closed_ = true;
  written_.notify_all();
}

std::optional<std::string> WindowDriver::wait_for(const std::string& words, std::chrono::seconds limit) {
  std::unique_lock lock(mutex_);
  const auto end = Clock::now() + limit;
  std::size_t next = waited_;
  for (;;) {
    for (; next < lines_.size(); ++next)
      if (says(lines_[next], words)) {
        waited_ = next + 1;
        return lines_[next];
      }
    if (closed_ || written_.wait_until(lock, end) == std::cv_status::timeout) return std::nullopt;
  }
}

bool WindowDriver::has_said(const std::string& words) {
  const std::lock_guard lock(mutex_);
  return std::any_of(lines_.begin() + static_cast<std::ptrdiff_t>(waited_), lines_.end(),
                     [&](const std::string& line) { return says(line, words); });
}

void WindowDriver::forget() {
  const std::lock_guard lock(mutex_);
  waited_ = lines_.size();
}

std::string WindowDriver::all_lines() {
  const std::lock_guard lock(mutex_);
  std::string all;
  for (const std::string& line : lines_) all += line + "\n";
  return all;
}

std::optional<Area> WindowDriver::place(const std::string& widget) {
  // "widget 12 34 80 24 Toolbar/Run": where the newest line says that it is; nothing where none does.
  const auto last = [&]() -> std::optional<Area> {
    const std::lock_guard lock(mutex_);
    for (auto line = lines_.rbegin(); line != lines_.rend(); ++line) {
      Area area;
      int name = 0;
      if (std::sscanf(line->c_str(), "widget %d %d %d %d %n", &area.x, &area.y, &area.width, &area.height, &name) ==
              4 &&
          fnmatch(widget.c_str(), line->c_str() + name, 0) == 0)
        return area;
    }
    return std::nullopt;
  };
  // The window writes a place when it has settled; some looks more, for what follows from its own answer.
  constexpr int kLooks = 3;
  std::optional<Area> before;
  int same = 0;
  if (!poll_until([&] {
        const std::optional<Area> now = last();
        same = now && now == before ? same + 1 : 0;
        before = now;
        return same >= kLooks;
      }))
    return std::nullopt;
  return before;
}

bool WindowDriver::xdotool(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "xdotool");
  return output_of(arguments, environment_).has_value();
}

bool WindowDriver::move(int x, int y) { return xdotool({"mousemove", std::to_string(x), std::to_string(y)}); }

bool WindowDriver::point(int x, int y) {
  const std::string there = "pointer " + std::to_string(x) + " " + std::to_string(y);
  return move(x, y) && poll_until([&] {
           const std::lock_guard lock(mutex_);
           const auto last = std::find_if(lines_.rbegin(), lines_.rend(),
                                          [](const std::string& line) { return line.rfind("pointer ", 0) == 0; });
           return last != lines_.rend() && *last == there;
         });
}

bool WindowDriver::click(const std::string& widget) {
  const auto area = place(widget);
  if (!area) return false;
  if (!point(area->x + area->width / 2, area->y + area->height / 2)) return false;
  const auto clicks = [&] {
    const std::lock_guard lock(mutex_);
    return std::count(lines_.begin(), lines_.end(), "released");
  };
  const auto before = clicks();
  return xdotool({"click", "1"}) && poll_until([&] { return clicks() != before; });
}

bool WindowDriver::drag(int x0, int y0, int x1, int y1, int button) {
  const std::string which = std::to_string(button);
  bool done = point(x0, y0) && xdotool({"mousedown", which});
  constexpr int kSteps = 8;
  for (int i = 1; i <= kSteps; ++i) done = done && move(x0 + (x1 - x0) * i / kSteps, y0 + (y1 - y0) * i / kSteps);
  return xdotool({"mouseup", which}) && done;
}

bool WindowDriver::click_here() { return xdotool({"click", "1"}); }

bool WindowDriver::wheel(int steps) {
  return xdotool({"click", "--repeat", std::to_string(std::abs(steps)), steps > 0 ? "5" : "4"});
}
bool WindowDriver::hold(const std::string& key, bool down) { return xdotool({down ? "keydown" : "keyup", key}); }

bool WindowDriver::press(const std::string& keys) { return xdotool({"key", keys}); }
bool WindowDriver::type(const std::string& text) { return xdotool({"type", "--delay", "8", text}); }

std::optional<Pixels> WindowDriver::screenshot() {
  const std::filesystem::path path = folder_ / "screen.png";
  // 24 bits for each pixel, so that cairo reads it, whatever the picture holds.
  if (!output_of({"import", "-window", "root", "-depth", "8", "-define", "png:color-type=2", path.string()},
                 environment_))
    return std::nullopt;
  return read_png(path);
}

std::string WindowDriver::title() {
  const auto window = output_of({"xdotool", "search", "--onlyvisible", "--name", "Streamscope"}, environment_);
  if (!window) return {};
  const std::string id = window->substr(0, window->find('\n'));
  return output_of({"xdotool", "getwindowname", id}, environment_).value_or("");
}

}  // namespace streamscope::tests
