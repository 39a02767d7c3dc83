#include "engine/remote/connection.h"

#include <sys/eventfd.h>

#include <chrono>
#include <utility>

namespace streamscope::remote {
namespace {

std::size_t size_of(const Job& job) {
  if (!job.run) return sizeof(Job);
  const message::StartRun& run = *job.run;
  return sizeof(Job) + run.device.size() + run.program.size() + run.experiment.size() + run.predict.size();
}

}  // namespace

Connection::Connection(Descriptor out)
    : out_(std::move(out)), ended_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)), writer(out_.get(), ended_.get()) {}

bool Connection::ask(Job job) {
  const std::lock_guard lock(mutex_);
  if (code_) return true;
  if (waiting_ + size_of(job) > kMostWaiting) return false;
  waiting_ += size_of(job);
  if (job.run) stops_.insert_or_assign(job.run->id, job.stop);
  jobs_.push_back(std::move(job));
  changed_.notify_all();
  return true;
}

void Connection::stop(std::uint64_t run) {
  std::optional<StopSource> stop;
  {
    const std::lock_guard lock(mutex_);
    if (current_ && current_->run && (run == 0 || current_->run->id == run)) stop = current_->stop;
    if (const auto found = stops_.find(run); run != 0 && found != stops_.end()) stop = found->second;
  }
  if (stop) stop->request_stop();  // outside the lock: it calls whoever wants to know, who may call back
}

bool Connection::busy() {
  const std::lock_guard lock(mutex_);
  return current_.has_value() || !jobs_.empty();
}

void Connection::beat() {
  message::Passes passes;
  {
    const std::lock_guard lock(mutex_);
    if (!current_ || !current_->run) return;
    passes = passes_;
  }
  writer.offer(passes);
}

void Connection::end(int code) {
  std::optional<StopSource> stop;
  {
    const std::lock_guard lock(mutex_);
    if (!code_) code_ = code;
    jobs_.clear();
    stops_.clear();
    if (current_) stop = current_->stop;
    changed_.notify_all();
  }
  if (stop) stop->request_stop();
  eventfd_write(ended_.get(), 1);
}

std::optional<int> Connection::ended() {
  const std::lock_guard lock(mutex_);
  return code_;
}

std::optional<Job> Connection::next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return code_ || !jobs_.empty(); });
  if (code_) return std::nullopt;
  current_ = std::move(jobs_.front());
  jobs_.pop_front();
  waiting_ -= size_of(*current_);
  passes_ = {};
  if (current_->run) {
    passes_.id = current_->run->id;
    stops_.erase(current_->run->id);
  }
  return current_;
}

void Connection::progress(int done, int total) {
  message::Passes passes;
  {
    const std::lock_guard lock(mutex_);
    passes_.done = done;
    passes_.total = total;
    passes = passes_;
  }
  writer.offer(passes);
}

void Connection::finished() {
  const std::lock_guard lock(mutex_);
  current_.reset();
}

void Connection::gone() {
  const std::lock_guard lock(mutex_);
  gone_ = true;
  changed_.notify_all();
}

bool Connection::wait_until_gone(Nanoseconds limit) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, std::chrono::nanoseconds(limit), [&] { return gone_; });
}

}  // namespace streamscope::remote
