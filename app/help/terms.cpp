// The field's words, as this program uses them.
#include <utility>

#include "app/help/help.h"
#include "app/help/words.h"
#include "engine/base/translate.h"

namespace streamscope::help {
namespace {

struct Term {
  std::string_view words;  // ", " between them; the first is its title
  std::string_view sentence;
  std::string_view text = {};
  std::string_view calls = {};
  std::string_view see = {};
};

constexpr Term kTerms[] = {
    {tr_later("asynchronous call, async"),
     tr_later("A call that returns before what it asked for is done."),
     tr_later("The host goes on and gives the device more to do; it learns of the end by waiting or by asking."),
     {},
     "stream, sync, poll"},
    {tr_later("bandwidth, throughput"),
     tr_later("Bytes moved in a second; GB/s counts in 1000, as vendors do."),
     {},
     {},
     "h2d, copy engine"},
    {tr_later("bare run"),
     tr_later("A run without any instrument: only its wall time is known."),
     tr_later("Bare runs take turns with the others, so that the observer effect can be told."),
     {},
     "observer effect, bare, wall time"},
    {tr_later("blocking stream, nonblocking stream"),
     tr_later("A blocking stream and the legacy default stream wait for each other; a nonblocking stream takes no part "
              "in that."),
     {},
     "cudaStreamNonBlocking",
     "default, stream, nonblocking"},
    {tr_later("bound, ruler, lower bound"),
     tr_later("A time that no schedule of a run's operations can be shorter than."),
     tr_later("An engine's work without a pause, with the shortest ways to its first operation and from its last; the "
              "longest way through what must come after what; the calls and the work of a host thread. The greatest of "
              "them binds. In the window `U` draws them as rulers."),
     {},
     "critical path, verdict, makespan"},
    {tr_later("calibration"),
     tr_later("Measuring a profile of a GPU, so that the model behaves as that GPU does."),
     {},
     {},
     "calibrate, profile"},
    {tr_later("capture"),
     tr_later("Recording what is given to a stream into a graph, in place of running it."),
     {},
     "cudaStreamBeginCapture, cudaStreamEndCapture",
     "graph"},
    {tr_later("chunk"),
     tr_later("A part of the data that is copied in, worked on and copied out by itself."),
     tr_later("Smaller chunks overlap sooner and cost more calls; larger ones use the link better."),
     {},
     "streams, depth-first, overlap"},
    {tr_later("Chrome trace, Perfetto, chrome://tracing, trace events"),
     tr_later("A run as a file that Perfetto and chrome://tracing open: what `--trace` writes."),
     tr_later("`streamscope run four-streams --trace run.trace.json`, and open that file at ui.perfetto.dev or in "
              "chrome://tracing. Such files of other tools, PyTorch's profiler among them, are opened by `streamscope "
              "FILE`."),
     {},
     "--trace, trace"},
    {tr_later("compute engine, multiprocessor, SM"),
     tr_later("What carries kernels out: the streaming multiprocessors, taken together as one engine, which is busy "
              "while any kernel "
              "runs, however few of them it fills."),
     tr_later("Kernels of different streams run at the same time where their blocks fit."),
     {},
     "engine, occupancy, wave"},
    {tr_later("contradiction, consistent"),
     tr_later(
         "Two times of a run that cannot both be true, however far off each may be: work that starts before what it "
         "depends on has ended, or a call that returns before what it waited for. Each run is checked; its header "
         "counts them, and a note names the worst."),
     {},
     {},
     "uncertainty, source"},
    {tr_later("copy engine, DMA engine"),
     tr_later("Hardware that moves data between host and device beside the multiprocessors, one copy at a time in each "
              "direction."),
     {},
     {},
     "engine, h2d, copies.engines"},
    {tr_later("CUPTI"),
     tr_later("NVIDIA's library for profilers; its activity records tell the start and end of each operation."),
     {},
     {},
     "cupti, instrument"},
    {tr_later("critical path"),
     tr_later("What a run's time was made of: from its last end back, each time to what released the operation at hand "
              "last."),
     tr_later(
         "Its pieces (executions, hand-overs, calls and work of the host) touch, and sum to the makespan. Only what "
         "shortens it makes the run shorter. In the window `Y` draws it as a line."),
     {},
     "slack, bound, verdict, waiting"},
    {tr_later("default stream"),
     tr_later("The stream that CUDA uses where none is named: the legacy one, or each thread's own."),
     {},
     "cudaStreamLegacy, cudaStreamPerThread",
     "default, per-thread"},
    {tr_later("depth-first, breadth-first"),
     tr_later("Orders of issue. Depth-first: all steps of a chunk and then the next chunk; breadth-first: one step of "
              "all chunks "
              "and then the next step."),
     {},
     {},
     "order, chunk"},
    {tr_later("device"),
     tr_later("What runs a program: a GPU, or a model of one."),
     {},
     {},
     "--device, model, MEASURED"},
    {tr_later("double buffering, prefetching of tiles"),
     tr_later("Two places for data: one is filled while the other is worked on."),
     {},
     {},
     "stages, buffers, tiles"},
    {tr_later("engine"),
     tr_later("A piece of hardware that carries operations out one after the other or side by side: copies in, copies "
              "out, compute, the host's functions."),
     tr_later("The command `streamscope engine` is something else: the process that runs programs for the window."),
     {},
     "copy engine, compute engine, lane"},
    {tr_later("excerpt, crop, cut, part of a run"),
     tr_later("A picture of a part of a run: `--interval 1ms..3ms` cuts out its time, `--tracks` its rows."),
     tr_later("In the window zoom to what is wanted, then export: the picture has what is in view."),
     {},
     "--interval, --tracks, --png"},
    {tr_later("gate"),
     tr_later("A kernel that holds all streams until everything is queued, so that the host's pace does not show."),
     tr_later("What is then seen is how the GPU alone would arrange the work. It opens by itself after half a second."),
     {},
     "--gate, host"},
    {tr_later("ghost"),
     tr_later("The thin bar below a bar of the timeline: where the model expected the operation."),
     {},
     {},
     "prediction, --predict"},
    {tr_later("grid, block, thread block"),
     tr_later("A kernel's work is a grid of blocks of threads; a block runs on one multiprocessor."),
     {},
     {},
     "blocks, threads, wave"},
    {tr_later("hazard"),
     tr_later("Two accesses to the same bytes of which one writes, with no order between them."),
     tr_later("`streamscope check` warns of it; the data may come out differently from run to run."),
     {},
     "wait, check"},
    {tr_later("idle"),
     tr_later("The share of the makespan in which no copy and no kernel runs."),
     {},
     {},
     "makespan, overlap"},
    {tr_later("in-kernel, stages of a kernel"),
     tr_later("Looking inside a kernel: a share of its blocks writes down when each tile was asked for, waited for and "
              "worked on."),
     {},
     {},
     "--in-kernel, --open, tiles, attention"},
    {tr_later("instrument"),
     tr_later("How a run is watched: full, sampled, cupti, calls, or not at all (bare)."),
     {},
     {},
     "--instrument, observer effect"},
    {tr_later("key, shortcut, hotkey, keyboard"),
     tr_later("A name with a value in an experiment, or a key of the keyboard in the window."),
     tr_later("An experiment's are in docs/formats.md; `--set KEY=VALUE` sets one, `streamscope help KEY` explains it. "
              "Of the keyboard's, `?` in the window shows a list, which is in docs/window.md too; a profile's, which "
              "`--device model:h200,KEY=VALUE` changes, are in docs/formats.md."),
     {},
     "--set, --device, streams, chunk"},
    {tr_later("kernel"),
     tr_later("A function that runs on the device in many threads at once."),
     {},
     "cudaLaunchKernel",
     "spin, axpb, tiles, attention, reduce"},
    {tr_later("lane, track, row"),
     tr_later("A row of the timeline: a host thread, a stream, an engine, or a multiprocessor inside a kernel."),
     {},
     {},
     "--tracks, engine"},
    {tr_later("language, English, Chinese, 中文, Korean, 한국어"),
     tr_later("What the window and its lessons speak: it is chosen in the toolbar, beside the theme, or in the list of "
              "commands (`Ctrl Shift P`)."),
     tr_later("The window speaks it from its next start on, lessons at once. Where none was chosen it is the system's; "
              "`--language CODE` says another for one start, and for every command."),
     {},
     "lesson"},
    {tr_later("lesson, course, exercise, quiz"),
     tr_later("Steps that ask what a run will show, and let the run answer."),
     tr_later("`G` has them in the gallery; in the list of commands (`Ctrl Shift P`) a word of its title finds each. "
              "`streamscope lessons` lists them."),
     {},
     "verdict, prediction"},
    {tr_later("makespan"),
     tr_later("The time from the first start to the last end of all work on the device."),
     tr_later("The host's time before and behind it is not in it; that is the wall time's."),
     {},
     "wall time, overlap"},
    {tr_later("managed memory, unified memory"),
     tr_later("One allocation for host and device, whose pages move to the side that touches them."),
     {},
     "cudaMallocManaged",
     "prefetch, touch, buffer"},
    {tr_later("mapped memory, zero copy"),
     tr_later("Pinned host memory that kernels reach over the bus; nothing is copied."),
     {},
     "cudaHostAlloc",
     "buffer, pinned memory"},
    {tr_later("MEASURED"),
     tr_later("Label of a run on a real GPU: the times come from its and the host's clocks."),
     {},
     {},
     "MODEL, source"},
    {tr_later("MODEL, model"),
     tr_later("Label of a run that was simulated: a model computes when each operation would run, by CUDA's rules and "
              "a profile's numbers."),
     tr_later("No data is moved. Each run of a model gives the same times."),
     {},
     "MEASURED, profile, prediction"},
    {tr_later("observer effect"),
     tr_later("How much longer a run takes for being watched: wall time with the instrument over wall time without."),
     tr_later("1.000 is nothing. It is measured in pairs of runs, one after the other, and given with its quartiles."),
     {},
     "instrument, bare run"},
    {tr_later("occupancy"),
     tr_later("Threads of a kernel that a multiprocessor holds, over the most that it can hold."),
     {},
     {},
     "blocks, threads, smem"},
    {tr_later("operation, span"),
     tr_later("One thing that the host asks for: a copy, a kernel, a wait; its times are a span of the timeline."),
     {},
     {},
     "ready, start, waiting"},
    {tr_later("overlap"),
     tr_later("The share of the makespan in which two or more copies or kernels run at once."),
     {},
     {},
     "makespan, speed-up"},
    {tr_later("pageable memory"),
     tr_later(
         "Ordinary host memory: copies are staged through a pinned buffer of the driver, and the call holds the host."),
     {},
     "malloc",
     "pinned memory, pageable"},
    {tr_later("pinned memory, page-locked memory"),
     tr_later("Host memory that stays where it is, so that a copy engine can read and write it by itself."),
     {},
     "cudaHostAlloc, cudaMallocHost",
     "pageable memory, buffer"},
    {tr_later("persistence"),
     tr_later("Live mode's last 50 runs of one program, drawn as a faint cloud of where their bars ended."),
     tr_later("A sharp edge is a steady end; a wide smear is jitter. It is switched on below the controls."),
     {},
     "trigger, spread"},
    {tr_later("pipeline"),
     tr_later("Chunks that are copied in, worked on and copied out at the same time, each at another step."),
     {},
     {},
     "chunk, streams, overlap"},
    {tr_later("prediction"),
     tr_later("What a model expects of a run that was measured; where the two differ is listed with its likely cause."),
     {},
     {},
     "--predict, ghost, MODEL"},
    {tr_later("priority"),
     tr_later("What decides, among streams, whose kernels' waiting blocks go first: lower numbers are more urgent, and "
              "nothing that "
              "runs is interrupted."),
     {},
     "cudaStreamCreateWithPriority",
     "stream"},
    {tr_later("profile"),
     tr_later("The numbers of one GPU and host that a model computes with; a file in assets/devices, or your own."),
     {},
     {},
     "calibrate, --device, MODEL"},
    {tr_later("provenance"),
     tr_later("Where times come from: measured or modelled, device, driver or profile, clocks, instrument, date."),
     {},
     {},
     "MEASURED, MODEL, source"},
    {tr_later("ready"),
     tr_later("The instant at which all that an operation depends on is done: it could start."),
     {},
     {},
     "waiting, start, operation"},
    {tr_later("referee, second opinion"),
     tr_later("What CUPTI's records of a few other passes say of how long a measured run's operations took."),
     tr_later("The passes are made in a process of their own after the run; in the window once nothing was changed for "
              "2 s, and never in live mode. A bar that they contradict keeps its place, and its doubt is widened; the "
              "run's figures count such bars."),
     {},
     "--referee, contradiction, uncertainty, CUPTI"},
    {tr_later("serial"),
     tr_later(
         "The time that a run's operations take one after the other: they run in one stream too, in the order of "
         "issue, right after the run. Where they cannot, the sum of isolated durations stands for it, and says so."),
     {},
     {},
     "speed-up"},
    {tr_later("slack"),
     tr_later("By how much later an operation could have ended without the run ending later."),
     tr_later("The order in which the engines took their work is kept, and what the host waited for. What is on the "
              "critical path has none."),
     {},
     "critical path"},
    {tr_later("source"),
     tr_later("Where a time comes from: the host's clock, a CUDA event, a stamp of the kernel itself, CUPTI, a model, "
              "or inferred by CUDA's rules."),
     {},
     {},
     "uncertainty, provenance"},
    {tr_later("speed-up"),
     tr_later("The serial time over the makespan: 2 is twice as fast as one operation after the other."),
     {},
     {},
     "serial, overlap"},
    {tr_later("spread, noise"),
     tr_later("Half the distance between the quartiles of repeated runs; of fewer than five it is not told."),
     {},
     {},
     "--max-noise, --repeat"},
    {tr_later("stream program"),
     tr_later("The text that says, a line each, what the host asks the GPU to do, in that order."),
     {},
     {},
     "check, run"},
    {tr_later("remote engine, remote, ssh"),
     tr_later("The process that runs programs on another machine's GPU, for a window on this one."),
     tr_later("The window starts it by the command of --engine and talks to it over pipes; nothing listens on a port."),
     {},
     "--engine, engine"},
    {tr_later("trace"),
     tr_later("The record of a run: all operations with their times and where these come from."),
     tr_later("`streamscope FILE` opens one, `streamscope run FILE --png F` draws it: what --json and --trace wrote, "
              "Chrome's trace events, an SQLite export of Nsight Systems."),
     {},
     "--trace, --json, streamscope, run"},
    {tr_later("trigger, single shot"),
     tr_later("What live mode waits for: a makespan or a wait over a level, or a contradiction; then the picture is "
              "held."),
     tr_later(
         "It is set below the controls. A single shot (`N`) is live mode until the trigger holds a run, or one run "
         "where there is no trigger."),
     {},
     "persistence, makespan, contradiction"},
    {tr_later("uncertainty"),
     tr_later("How far a time may be off, plus or minus, against the host's clock."),
     tr_later("It holds what the clocks' tie leaves open and what was inferred rather than seen. Zoomed in, a bar's "
              "ends carry it as whiskers."),
     {},
     "source, clock"},
    {tr_later("theme, dark, light, projector, print"),
     tr_later("The colours of the window, and those of a picture."),
     tr_later("In the window it is chosen at the right end of the toolbar, or by Ctrl Shift P and the word theme; "
              "`--theme` chooses a picture's. The projector's is larger and has more contrast, and print gives each "
              "kind but kernels, which are plain, a pattern besides its colour."),
     {},
     "--theme"},
    {tr_later("verdict, bottleneck, why it took so long"),
     tr_later(
         "Why a run took so long: its causes, the dearest first, each with its cost and a change that would help."),
     tr_later(
         "A change is simulated by the model that fits the device, and what comes of that is scaled by the "
         "measurement. `streamscope explain FILE` says it, and the panel at the right of the window, where *Try it* "
         "makes the change and runs it."),
     {},
     "critical path, bound, hazard, waiting"},
    {tr_later("waiting, waiting when ready, why an operation waits, cause, reason"),
     tr_later("The time from ready to start: an operation could run and something else held it."),
     tr_later("The timeline draws it hatched, and dotted the time before that, in which it was issued and not ready. "
              "Select the operation, and the panel at the right says what it waited for; "
              "in JSON and CSV that is `waits_for` and `reason`."),
     {},
     "ready, reason, engine"},
    {tr_later("unit, milliseconds, microseconds, nanoseconds, seconds, bytes"),
     tr_later("What a number of time or of bytes is counted in, right behind it: `1.5ms`, `16MiB`."),
     tr_later("Times are written in ns, us, ms or s and need one; sizes in KiB, MiB, GiB, KB, MB or GB, and without a "
              "unit they are bytes. Files have whole nanoseconds and bytes: a key of them says so in its name, as "
              "wall_ns does."),
     {},
     "duration, size"},
    {tr_later("wall time, wall"),
     tr_later("Time on the host's clock from just before the first statement is issued to the return of the last "
              "synchronisation."),
     {},
     {},
     "makespan, bare run"},
    {tr_later("warm-up"),
     tr_later("A run before the timed ones, so that loading and first touches are not in them."),
     {},
     {},
     "--repeat"},
    {tr_later("wave"),
     tr_later("Blocks of a kernel that run at the same time; a grid larger than the device can hold takes several."),
     {},
     {},
     "grid, occupancy"},
    {tr_later("write-combined memory"),
     tr_later("Pinned memory that the CPU writes fast and reads very slowly."),
     {},
     "cudaHostAlloc",
     "pinned memory, buffer"},
};

}  // namespace

std::string title_of_term(std::string_view english) {
  for (const Term& term : kTerms)
    if (separated(term.words).front() == english) return separated(tr(term.words)).front();
  return std::string(english);
}

Entries terms() {
  Entries out;
  for (const Term& term : kTerms) {
    std::vector<std::string> words = separated(tr(term.words));
    // Where they are translated they are found in English, too.
    if (tr(term.words) != term.words) {
      for (std::string& each : separated(term.words)) words.push_back(std::move(each));
    }
    out.push_back({.kind = Kind::term,
                   .word = words.front(),
                   .also = {words.begin() + 1, words.end()},
                   .sentence = std::string(tr(term.sentence)),
                   .calls = separated(term.calls),
                   .text = term.text.empty() ? std::string() : std::string(tr(term.text)),
                   .see = separated(term.see)});
  }
  return out;
}

}  // namespace streamscope::help
