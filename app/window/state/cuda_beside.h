// The program at hand as CUDA C++, beside it: what --emit-cuda writes, and the line that is looked at in either of
// them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "engine/base/result.h"
#include "engine/cuda_source/cuda_source.h"

namespace streamscope::window {

struct CudaWanted {
  std::uint64_t version = 0;  // of the program
  std::string program;
  std::string file;  // that its first lines speak of: "four-streams.cu"
};
// Of one version of the program.
struct CudaWritten {
  std::uint64_t version = 0;
  std::string why_not;  // it cannot be written; empty: it is
  cuda_source::CudaSource source;
};
// Takes as long as the program is large: not for the window's thread.
std::shared_ptr<const CudaWritten> write_cuda(const CudaWanted& wanted);
// All of the file, for whoever saves it.
Result<std::string> cuda_text(const std::string& program, const std::filesystem::path& file);

struct CudaBeside {
  std::shared_ptr<const CudaWritten> written;  // the newest that could be; null: none yet
  std::string why_not;                         // the program as it stands cannot be written
  std::uint64_t asked = 0;                     // for this version
  std::uint32_t looked_at = 0;                 // line of the program that the cursor is at, in one of the two; 0: none
};

namespace command {
struct CudaFound {
  std::shared_ptr<const CudaWritten> written;
};
struct LookAtLine {  // of the program
  std::uint32_t line = 0;
};
struct CopyCuda {};  // all of it, to the clipboard
}  // namespace command

using CudaCommand = std::variant<command::CudaFound, command::LookAtLine>;
void update(CudaBeside& cuda, const CudaCommand& command);

}  // namespace streamscope::window
