// The keys of an experiment, in the order of its file: what each is called in the window, what it means and which
// numbers it takes. Reading, writing and checking a file, and the rows of the window's panel, go over this.
//
// A key takes what its member's type says: a text (written last and line by line where its unit is "lines"), an array
// of texts, true or false, one of an enumeration's names, a size where its unit is "B", else a whole number. The kernel
// is a section; its keys are the options of all kernels (kernels/kernel.h). What is absent is not written.
#pragma once

#include <string_view>
#include <tuple>
#include <type_traits>

#include "engine/experiment/experiment.h"
#include "engine/program/limits.h"
#include "engine/schema/record.h"

template <>
struct streamscope::schema::Description<streamscope::experiment::Experiment> {
  using E = experiment::Experiment;
  using Keywords = experiment::Keywords;
  static constexpr auto members = std::tuple{
      member<&E::name>("name", "", "What the experiment is called: its title in lists"),
      member<&E::about>("about", "", "What the experiment shows. Lists have the first sentence"),
      member<&E::keywords, &Keywords::en>("keywords.en", "", "English words to find the experiment by", not_empty),
      member<&E::keywords, &Keywords::zh>("keywords.zh", "", "Chinese words to find the experiment by", not_empty),
      member<&E::keywords, &Keywords::ko>("keywords.ko", "", "Korean words to find the experiment by", not_empty),
      member<&E::program>("program", "lines",
                          "A stream program of its own, which the experiment runs in place of chunks through streams. "
                          "Of the other keys only name, about, keywords and verify may stand beside it",
                          not_empty),
      member<&E::bytes>("bytes", "B", "How many bytes go through the pipeline in all.").labelled("Total size"),
      member<&E::chunk>("chunk", "B",
                        "The data is cut into chunks of this size; each is copied in, worked on and copied out.")
          .labelled("Chunk"),
      member<&E::chunks>(
          "chunks", "",
          "How many chunks the data is cut into, instead of giving their size: chunk is then bytes / chunks", positive)
          .within(1, program::kMaximumOperations),
      // What is absent is as it is for one device, and was before there could be more.
      member<&E::devices>("devices", "",
                          "How many devices share the work: GPUs, or a model of several such as model:h200x2.",
                          schema::unless<1>)
          .within(1, program::kLastDevice + 1)
          .labelled("Devices"),
      member<&E::across>(
          "across", "",
          "How the data goes across several devices. split: chunks are dealt out to the devices in turn. pipeline: "
          "each chunk is worked on by one device after the other. halo: each device has a part of the data; in each "
          "step the chunks at its edges go to its neighbours. all-gather: each device has a part; in each step it "
          "goes to all the others, chunk by chunk, and each device works on the whole.",
          schema::unless<experiment::Across::split>)
          .labelled("Across devices"),
      member<&E::peer_access>(
          "peer_access", "",
          "Whether the devices reach each other's memory: copies between them then go straight from one to the other, "
          "else they are staged through the host.",
          schema::unless<true>)
          .labelled("Peer access"),
      member<&E::steps>("steps", "", "How often, with halo and all-gather, data is exchanged and worked on.",
                        schema::unless<4>)
          .within(1, program::kMaximumOperations)
          .labelled("Steps"),
      // The most are far more than there are hardware queues.
      member<&E::streams>("streams", "", "Chunks are dealt out to this many streams in turn.")
          .within(1, 1024)
          .labelled("Streams"),
      member<&E::stream_flags>("stream_flags", "",
                               "How the streams are made. Blocking streams wait for the legacy default stream and it "
                               "for them; nonblocking ones do not.")
          .labelled("Stream flags"),
      member<&E::order>("order", "",
                        "Order in which operations are issued. depth-first: copy in, kernel and copy out of a chunk, "
                        "then the next chunk. breadth-first: all copies in, then all kernels, then all copies out.")
          .labelled("Issue order"),
      member<&E::host>("host", "",
                       "Kind of host memory. pinned: the GPU reads it directly. pageable: copies are staged through a "
                       "pinned buffer and hold the host. write-combined: fast to write for the CPU and to copy in, "
                       "very slow to read back. mapped: kernels reach over the bus, nothing is copied. managed: one "
                       "allocation that moves; chunks are prefetched instead of copied.")
          .labelled("Host memory"),
      member<&E::mode>(
          "mode", "",
          "Which calls are made. async (asynchronous): cudaMemcpyAsync, one synchronisation at the end. sync: "
          "cudaMemcpy, and cudaDeviceSynchronize after each kernel, so that everything happens in turn.")
          .labelled("Mode"),
      member<&E::sync>(
          "sync", "",
          "What the host waits for at the end: the device, each stream or an event; poll: it asks again and again.")
          .labelled("Final sync"),
      member<&E::h2d>("h2d", "", "Whether each chunk is copied from the host to the device.").labelled("Copy in"),
      member<&E::d2h>("d2h", "", "Whether each chunk is copied from the device to the host.").labelled("Copy out"),
      member<&E::verify>(
          "verify", "",
          "Whether the data that came back is compared, after a run, with what the CPU computes. Not in live mode.")
          .labelled("Verify"),
      member<&E::kernel>("kernel", "", "A section: name and options of the kernel that works on each chunk")};
};

namespace streamscope::experiment {

// What a file with a stream program of its own may have.
constexpr bool may_stand_beside_program(std::string_view key) {
  return key == "name" || key == "about" || key == "verify" || key == "program" || key.starts_with("keywords.");
}

}  // namespace streamscope::experiment
