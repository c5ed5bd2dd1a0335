// SPDX-License-Identifier: Apache-2.0
#include "app/cli/mpi_module.h"

#include "app/cli/library_file.h"
#include "app/cli/module_file.h"

#include <fmt/format.h>

#include <dlfcn.h>
#include <string>
#include <string_view>
#include <utility>

namespace plumb::cli {

namespace {

Result<const mpi::Module*> loadMpiModule(const std::string& path) {
    const auto unavailable = [](std::string message, const char* hint) {
        return Error{ErrorCode::Unavailable, std::move(message), std::string(hint)};
    };
    if (path.empty())
        return unavailable(
            fmt::format("this installation cannot speak to MPI ({:s} is not there)", kMpiModuleFile),
            "install the package plumbline-mpi, or use --launch threads");
    if (const std::string reason = whyNotLoadable(path); !reason.empty())
        return unavailable(fmt::format("what speaks to MPI cannot be loaded ({:s}: {})", path, reason),
                           "install it again, or use --launch threads");
    // Never unloaded: MPI is started once in a process. What MPI loads itself looks for its symbols.
    void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        const char* const told = dlerror();
        return unavailable(
            fmt::format("what speaks to MPI cannot be loaded ({:s})", told != nullptr ? told : path),
            "install the MPI that this program was built with, or use --launch threads");
    }
    const auto entry = reinterpret_cast<mpi::EntryPoint>(dlsym(library, mpi::kEntryName));
    const mpi::Module* const module = entry != nullptr ? entry() : nullptr;
    if (module == nullptr || module->magic != mpi::kModuleMagic ||
        std::string_view(module->build) != mpi::kModuleBuild)
        return unavailable(fmt::format("the file is not what this program speaks to MPI with ({:s})", path),
                           "install both from one package, or use --launch threads");
    return module;
}

}  // namespace

Result<const mpi::Module*> mpiModule() {
    static const Result<const mpi::Module*> module =
        loadMpiModule(findModule(kMpiModuleFile, "PLUMBLINE_MPI_MODULE").path);
    return module;
}

}  // namespace plumb::cli
