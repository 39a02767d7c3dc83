// Drives the real window as a person does: a display of its own (Xvfb, drawn by Mesa), the mouse and the keyboard
// (xdotool), screenshots (ImageMagick). It is the program of observed_window/, which writes on stderr where the
// window's widgets are and what came of it. Every wait has an end; none is a fixed sleep.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace streamscope::tests {

// The machine may be busy with other things: long enough for that, and over at once where all is well.
inline constexpr std::chrono::seconds kPatience{40};

bool poll_until(const std::function<bool()>& condition, std::chrono::seconds limit = kPatience);

// A child process, ended when this goes.
class Process {
 public:
  struct Options {
    std::vector<std::string> environment;  // "NAME=value", besides ours
    std::filesystem::path folder;          // to work in; empty: here
    int descriptor = -1;                   // becomes the child's standard error, or `as`
    int as = 2;
  };
  Process(const std::vector<std::string>& command, const Options& options);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  pid_t id() const { return id_; }
  std::optional<int> exit_code();  // nothing while it runs; 128 and the signal's number where it was killed
 private:
  pid_t id_ = -1;
  std::optional<int> code_;
};

// Runs a command to its end; what it wrote, or nothing where it failed.
std::optional<std::string> output_of(const std::vector<std::string>& command,
                                     const std::vector<std::string>& environment = {});

struct Area {
  int x = 0, y = 0, width = 0, height = 0;
  friend bool operator==(const Area&, const Area&) = default;
};

struct Pixels {
  int width = 0, height = 0;
  std::vector<std::uint32_t> rgb;  // 0xRRGGBB
  std::size_t count(std::uint32_t colour) const;
  std::size_t count(std::uint32_t colour, const Area& within) const;
  std::optional<std::pair<int, int>> find(std::uint32_t colour, const Area& within) const;
};
std::optional<Pixels> read_png(const std::filesystem::path& path);

class WindowDriver {
 public:
  // Why the window cannot be driven on this machine; empty: it can.
  static std::string missing();

  // first_start: as for a person who opens it for the first time, with the hint where to begin.
  explicit WindowDriver(const std::vector<std::string>& arguments = {}, bool first_start = false);
  ~WindowDriver();
  // Ends it, as a person who closes it does, and starts it anew with the settings that it left.
  bool reopen(const std::vector<std::string>& arguments = {});
  void start_anew(const std::vector<std::string>& arguments = {});  // where it has ended already

  // The next line after what was waited for before that contains the words; nothing where none comes in time.
  std::optional<std::string> wait_for(const std::string& words, std::chrono::seconds limit = kPatience);
  // Now, without waiting: whether such a line was written after what was waited for before.
  bool has_said(const std::string& words);
  void forget();  // what was said so far is not waited for any more
  std::string all_lines();

  // Of a widget by what stands on it (observed_window/widget_places.h): "Toolbar/Run"; '*' stands for anything. As it
  // is now; waits until there is one.
  std::optional<Area> place(const std::string& widget);
  bool click(const std::string& widget);  // and waits until the window has drawn what came of it
  bool drag(int x0, int y0, int x1, int y1, int button = 1);
  bool move(int x, int y);
  bool point(int x, int y);                      // and waits until the window has drawn it there
  bool click_here();                             // at the mouse, whatever the window does meanwhile
  bool wheel(int steps);                         // towards the person where positive, at the mouse
  bool hold(const std::string& key, bool down);  // "ctrl", "shift": until it is let go
  bool press(const std::string& keys);           // "space", "ctrl+Return"
  bool type(const std::string& text);
  std::optional<Pixels> screenshot();
  std::string title();

  const std::filesystem::path& folder() const { return folder_; }  // the window's working folder
  Process& process() { return *process_; }

 private:
  bool xdotool(std::vector<std::string> arguments);
  void read_lines();
  void start_window(const std::vector<std::string>& arguments);
  void end_window();

  std::filesystem::path folder_;
  std::vector<std::string> environment_;
  std::unique_ptr<Process> display_, process_;
  int pipe_ = -1;
  std::mutex mutex_;
  std::condition_variable written_;
  std::vector<std::string> lines_;
  std::size_t waited_ = 0;
  bool closed_ = false;
  std::thread reader_;
};

}  // namespace streamscope::tests
