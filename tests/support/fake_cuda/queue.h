// Work given to streams, and when it is carried out: a discrete-event simulation on the fake's clock.
//
// Each piece of work starts when it is issued, what it comes after has ended and its engine is free (first come first
// served), and is carried out when the clock has come that far: advance() does what is due, wait() moves the clock.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "engine/base/time.h"

struct CUstream_st;
struct CUevent_st;
struct CUgraph_st;
struct CUgraphExec_st;

namespace streamscope::fake_cuda {

class Clock;

// That this thread has chosen with cudaSetDevice().
inline thread_local int current_device = 0;

// A kernel that watches a word which the host writes. Looked at whenever the host's clock is.
class HostWatch {
 public:
  virtual ~HostWatch() = default;
  virtual void begin(Nanoseconds start) = 0;
  // True once it has ended; by its time limit too.
  virtual bool over(Nanoseconds now) = 0;
  // When it ends if the host does nothing.
  virtual Nanoseconds limit() const = 0;
};

enum class CaptureMode : std::uint8_t { global, thread_local_, relaxed };  // as cudaStreamCaptureMode has them

enum class FakeEngine : std::uint8_t { none, h2d, d2h };

struct Work {
  FakeEngine engine = FakeEngine::none;
  bool kernel = false;
  int fails = 0;  // a kernel that fails on purpose once it has begun: the error that it leaves
  Nanoseconds duration = 0;
  std::function<Nanoseconds(Nanoseconds start)> begin;  // may be empty; else returns how long it takes
  std::function<void(Nanoseconds end)> finish;          // may be empty; what is to be seen once it has ended
  bool hears_of_faults = false;                         // it begins, behind an error of the context too
  const std::uint32_t* abandon = nullptr;               // ends early once this is not 0
  std::unique_ptr<HostWatch> watch;                     // ends by what the host does

  // Kept by the queue.
  int device = 0;
  std::vector<std::shared_ptr<Work>> after;
  Nanoseconds issued = 0, start = kAbsent, end = kAbsent;
  bool ended = false;
};
using WorkPtr = std::shared_ptr<Work>;

class Queue {
 public:
  explicit Queue(Clock& clock) : clock_(clock) {}
  ~Queue();

  CUstream_st* make_stream(bool nonblocking);
  bool destroy_stream(CUstream_st* stream);
  std::size_t streams() const { return streams_.size(); }
  CUevent_st* make_event(bool timing);
  bool destroy_event(CUevent_st* event);
  std::size_t events() const { return events_.size(); }

  // The stream behind a handle: null and the special handles too; null for one that does not live.
  CUstream_st* find(CUstream_st* handle);
  CUevent_st* find(CUevent_st* handle);

  WorkPtr put(CUstream_st* stream, Work work);
  // Or, where the stream is being captured, as a node of its graph, made anew for each launch; null then.
  WorkPtr put(CUstream_st* stream, std::function<Work()> make);
  void record(CUevent_st* event, CUstream_st* stream);
  void wait_event(CUstream_st* stream, CUevent_st* event);
  // Under capture, as nodes. False outside of one.
  bool record_external(CUevent_st* event, CUstream_st* stream);
  bool wait_external(CUstream_st* stream, CUevent_st* event);

  // --- Graphs (graphs.cpp). False for what CUDA refuses.
  CUgraph_st* find(CUgraph_st* handle);
  CUgraphExec_st* find(CUgraphExec_st* handle);
  bool begin_capture(CUstream_st* stream, CaptureMode mode);
  // Ends the capture whatever becomes of it; null where its streams have not all come back, or it had gone wrong.
  CUgraph_st* end_capture(CUstream_st* stream);
  // A potentially unsafe call of this thread: breaks the captures that it has begun, but relaxed ones, and of `others`
  // those in global mode. True if any.
  bool breaks_captures(bool others);
  CUgraphExec_st* instantiate(const CUgraph_st& graph);
  void launch(CUgraphExec_st* executable, CUstream_st* stream);
  bool destroy(CUgraph_st* graph) { return graphs_.erase(graph) == 1; }
  bool destroy(CUgraphExec_st* executable) { return executables_.erase(executable) == 1; }
  std::size_t graphs() const { return graphs_.size() + executables_.size(); }

  // What has to end before the stream, or the current device, is idle.
  std::vector<WorkPtr> pending(CUstream_st* stream) const;
  std::vector<WorkPtr> pending() const;
  // Of the work that begins, ends or is looked at.
  int running_on() const { return running_on_; }

  // Carries out what is due by now.
  void advance();
  // Moves the clock until all of it has ended. False where that would never be.
  bool wait(const std::vector<WorkPtr>& works);
  // Nothing more is carried out: the device has faulted.
  void drop_all();

  bool watches_host() const;
  std::size_t held_streams();
  std::size_t ended_by_limit = 0;
  std::function<bool(int fails)> faults;  // asked as a kernel begins; true: it faults. Work::fails

 private:
  Nanoseconds ready(const Work& work) const;
  Nanoseconds could_start(const Work& work) const;
  WorkPtr first_to_start() const;
  WorkPtr first_to_end() const;
  void start(const WorkPtr& work, Nanoseconds at);
  void end(const WorkPtr& work);
  Nanoseconds next_time() const;

  Clock& clock_;
  std::map<CUstream_st*, std::unique_ptr<CUstream_st>> streams_;
  std::map<CUevent_st*, std::unique_ptr<CUevent_st>> events_;
  std::map<CUgraph_st*, std::unique_ptr<CUgraph_st>> graphs_;
  std::map<CUgraphExec_st*, std::unique_ptr<CUgraphExec_st>> executables_;
  std::map<int, std::unique_ptr<CUstream_st>> legacy_;  // by device
  std::map<std::pair<std::thread::id, int>, std::unique_ptr<CUstream_st>> per_thread_;
  std::vector<WorkPtr> unfinished_;  // in the order of issue
  std::map<int, std::array<Nanoseconds, 3>> engine_free_;
  std::uint64_t captures_ = 0;
  int running_on_ = 0;
};

}  // namespace streamscope::fake_cuda

// Behind the handles that CUDA's headers declare.
struct CUgraph_st {
  struct Node {
    std::function<streamscope::fake_cuda::Work()> make;
    std::vector<std::size_t> after;  // nodes
    CUevent_st *records = nullptr, *waits = nullptr;
  };
  std::vector<Node> nodes;
  std::uint64_t id = 0;
  std::thread::id by;  // whose capture it is, while that is under way
  streamscope::fake_cuda::CaptureMode mode{};
  bool broken = false;
};
struct CUgraphExec_st {
  std::vector<CUgraph_st::Node> nodes;
  streamscope::fake_cuda::WorkPtr last;  // the end of the launch before
};
struct CUstream_st {
  bool nonblocking = false, legacy = false;
  int priority = 0, device = 0;
  streamscope::fake_cuda::WorkPtr last;
  // While it is captured: into which graph, and the nodes that whatever comes next is after.
  CUgraph_st* capturing = nullptr;
  std::vector<std::size_t> frontier;
};
struct CUevent_st {
  bool timing = true;
  int device = 0;
  streamscope::fake_cuda::WorkPtr record;  // null: never recorded
  CUgraph_st* captured = nullptr;          // recorded last under capture
  std::vector<std::size_t> frontier;
};
