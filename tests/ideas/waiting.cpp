// How the host learns that something is done: it waits, it asks, or it is called.
#include "tests/ideas/idea.h"

namespace streamscope::ideas {
namespace {

Verdict returned(S s, const conformance::Which& which, CallResult result) {
  return all({that(s.span(which).result == result, which.label + " returned " + std::string(name(result))),
              s.fact(which, "Returned", name(result)), s.drawn_at(which, name(result))});
}

}  // namespace

std::vector<Idea> waiting() {
  return {
      {{"0.13", "0.20", "1.49", "3.27"},
       "the host waits for one event, and what the stream has behind it goes on",
       R"(
stream A nonblocking
A: spin 1ms    # kernel 1
A: record a    # event
A: spin 2ms    # kernel 2
host: sync a   # sync
host: work 1us # goes on
)",
       [](O o, S s) {
         return all({o.held_until_end("sync", "kernel 1"), o.returns_before_end("sync", "kernel 2"),
                     o.ends_before_end("goes on", "kernel 2"), s.drawn_at("sync", "cudaEventSynchronize"),
                     s.explained("sync", "the host waited")});
       }},

      {{"0.17"},
       "the host knows nothing of an end until it waits for it",
       R"(
stream A nonblocking
A: spin 100us     # done early
host: work 500us  # unaware
A: spin 100us     # given late
host: sync A      # sync
)",
       [](O o, S s) {
         return all({o.ends_before_end("done early", "unaware"), o.starts_before_end("unaware", "done early"),
                     o.issued_after("given late", "unaware"), o.held_until_end("sync", "given late"),
                     s.fact("done early", "End", "us")});
       }},

      {{"0.18", "3.15"},
       "cudaDeviceSynchronize waits for all streams, cudaStreamSynchronize for one",
       R"(
stream A nonblocking
stream B nonblocking
A: spin 1ms        # short
B: spin 3ms        # long
host: sync A       # one
host: sync device  # all
)",
       [](O o, S s) {
         return all({o.held_until_end("one", "short"), o.returns_before_end("one", "long"),
                     o.held_until_end("all", "long"), s.drawn_at("one", "cudaStreamSynchronize"),
                     s.drawn_at("all", "cudaDeviceSynchronize")});
       }},

      {{"0.19", "1.31", "3.24", "3.39", "3.9"},
       "cudaStreamSynchronize holds the host until that stream is done, and no longer",
       R"(
stream A nonblocking
stream B nonblocking
A: spin 1ms       # its
B: spin 3ms       # other
host: sync A      # sync
host: work 10us   # then
)",
       [](O o, S s) {
         return all({o.held_until_end("sync", "its"), o.returns_before_end("sync", "other"),
                     o.issued_after("then", "its"), s.explained("sync", "the host waited"),
                     s.in_cuda("sync", "cudaStreamSynchronize(")});
       }},

      {{"0.21", "1.30", "3.25"},
       "cudaStreamQuery answers at once: not ready, or success",
       R"(
stream A nonblocking
A: spin 200us     # work
host: query A     # too early
host: work 500us  # other work
host: query A     # late enough
)",
       [](O o, S s) {
         return all({o.returns_before_end("too early", "work"), o.overlap("other work", "work"),
                     o.held_until_end("late enough", "work"), returned(s, "too early", CallResult::not_ready),
                     returned(s, "late enough", CallResult::success), s.in_cuda("too early", "cudaStreamQuery(")});
       }},

      {{"0.22", "1.48", "3.32"},
       "cudaEventQuery tells how far a stream has come",
       R"(
stream A nonblocking
A: spin 200us     # part
A: record half
A: spin 2ms       # rest
host: query half  # too early
host: work 500us
host: query half  # half way
host: query A     # not all
)",
       [](O o, S s) {
         return all({o.returns_before_end("too early", "part"), o.held_until_end("half way", "part"),
                     o.returns_before_end("not all", "rest"), returned(s, "too early", CallResult::not_ready),
                     returned(s, "half way", CallResult::success), returned(s, "not all", CallResult::not_ready)});
       }},

      {{"3.10"},
       "polling: the host asks again and again and works between",
       R"(
stream A nonblocking
A: spin 500us                       # work
host: poll A every=50us work=40us   # poll
)",
       [](O o, S s) {
         const auto& answers = s.run().trace.answers.polls;
         return all({o.held_until_end("poll", "work"), o.asked("poll", 5, 20), s.fact("poll", "Polls", "1"),
                     that(answers.size() >= 5 && known(answers.front().worked_until) &&
                              answers.front().worked_until - answers.front().at >= 40'000,
                          "each answer and the work behind it is known")});
       }},

      {{"3.11"},
       "a callback: the driver calls a function of the host in stream order",
       R"(
stream A nonblocking
A: spin 300us    # before
A: hostfn 100us  # function
A: spin 300us    # behind
host: work 1us   # goes on
)",
       [](O o, S s) {
         return all({o.in_turn({"before", "function", "behind"}), o.ends_before_end("goes on", "before"),
                     s.drawn_at("function", "host function"), s.drawn_at("function", "cudaLaunchHostFunc"),
                     s.in_cuda("function", "cudaLaunchHostFunc(")});
       }},

      {{"3.33"},
       "cudaStreamAddCallback, which tells the function the stream's status",
       R"(
stream A nonblocking
A: spin 300us      # before
A: callback 100us  # function
A: spin 300us      # behind
)",
       [](O o, S s) {
         return all({o.in_turn({"before", "function", "behind"}), s.drawn_at("function", "cudaStreamAddCallback"),
                     s.fact("function", "Status", "cudaSuccess"), s.in_cuda("function", "cudaStreamAddCallback("),
                     s.in_cuda("cudaError_t status")});
       }},
  };
}

}  // namespace streamscope::ideas
