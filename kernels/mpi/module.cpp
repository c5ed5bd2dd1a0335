// SPDX-License-Identifier: Apache-2.0
#include "kernels/mpi/module.h"

#include "kernels/mpi/mpi_world.h"

extern "C" __attribute__((visibility("default"))) const plumb::mpi::Module* plumblineMpiModule();

const plumb::mpi::Module* plumblineMpiModule() {
    using namespace plumb::mpi;
    static const Module module{kModuleMagic, kModuleBuild, startWorld};
    return &module;
}
