#include "engine/device/device.h"

#include <array>

#include "engine/base/translate.h"

namespace streamscope::device {
namespace {

constexpr std::array<InstrumentInfo, kNames<Instrument>.size()> kInstruments{{
    {.brief = tr_later("every operation's times in each run"),
     .meaning = tr_later(
         "one run in which stamps in the kernels and as few events as possible give every operation's times. It costs "
         "little at chunks of many MiB and more the smaller they are; the observer effect says how much.")},
    {.brief = tr_later("wall times only"),
     .meaning = tr_later("nothing is observed but the wall time."),
     .spans = false},
    {.brief = tr_later("the times of another share of the operations in each run, merged"),
     .meaning =
         tr_later("many runs, in each of which only one in N operations carries an event, merged to one timeline. It "
                  "needs no core to watch the events, and costs N times as many runs and the spread between them."),
     .of_models = false},
    {.brief = tr_later("every operation's times from CUPTI's activity records"),
     .meaning =
         tr_later("NVIDIA's own activity records give every start and end, copies' too. It costs about a tenth of the "
                  "wall time, and needs CUPTI on the engine's machine and the permission to use it."),
     .of_models = false},
    {.brief = tr_later("the host's calls and how long each took, with nothing added on the GPU"),
     .meaning = tr_later(
         "the host's calls, their number and how long each took. Nothing is put on the GPU and nothing is seen "
         "of it, so this costs least of all that shows anything: it says whether the host's calls are what "
         "takes the time.")},
}};

}  // namespace

std::string_view name(Instrument instrument) { return name_of(instrument); }
const InstrumentInfo& about(Instrument instrument) { return kInstruments[static_cast<std::size_t>(instrument)]; }

std::vector<Instrument> all_instruments() {
  std::vector<Instrument> all;
  for (std::size_t i = 0; i < kInstruments.size(); ++i) all.push_back(static_cast<Instrument>(i));
  return all;
}

}  // namespace streamscope::device
