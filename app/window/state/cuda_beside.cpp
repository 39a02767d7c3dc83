#include "app/window/state/cuda_beside.h"

#include "engine/program/read_program.h"

namespace streamscope::window {
namespace {

struct CudaUpdate {
  CudaBeside& cuda;

  void operator()(const command::CudaFound& c) {
    if (c.written->version != cuda.asked) return;  // of a text that has changed since
    cuda.why_not = c.written->why_not;
    if (c.written->why_not.empty()) cuda.written = c.written;
  }
  void operator()(const command::LookAtLine& c) { cuda.looked_at = c.line; }
};

Result<cuda_source::CudaSource> source_of(const std::string& program, const std::string& file) {
  const program::ReadProgram read = TRY(program::read_program(program, "program"));
  return cuda_source::write(program, read.program, file);
}

}  // namespace

void update(CudaBeside& cuda, const CudaCommand& command) { std::visit(CudaUpdate{cuda}, command); }

std::shared_ptr<const CudaWritten> write_cuda(const CudaWanted& wanted) {
  auto written = std::make_shared<CudaWritten>();
  written->version = wanted.version;
  if (auto source = source_of(wanted.program, wanted.file))
    written->source = std::move(*source);
  else
    written->why_not = source.error().message;
  return written;
}

Result<std::string> cuda_text(const std::string& program, const std::filesystem::path& file) {
  cuda_source::CudaSource source = TRY(source_of(program, file.string()));
  return std::move(source.text);
}

}  // namespace streamscope::window
