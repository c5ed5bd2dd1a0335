// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/mpi/module.h"

namespace plumb::cli {

/// The file name of the module that speaks to MPI.
inline constexpr const char* kMpiModuleFile = "libplumbline_mpi.so";

/// What speaks to MPI, loaded when first asked for and kept. It is looked for where the environment variable
/// PLUMBLINE_MPI_MODULE says, or else where findModule() looks. Errors: Unavailable, with one sentence for
/// each: not part of this installation, not loadable (MPI is not installed), of another build.
[[nodiscard]] Result<const mpi::Module*> mpiModule();

}  // namespace plumb::cli
