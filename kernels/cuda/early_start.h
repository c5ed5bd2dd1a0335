// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace plumb::cuda {

/// Whether the next kernel on `stream` may be launched with programmatic stream serialization. Outside of a
/// capture always. In a capture where one kernel alone is in front of it: that is the edge that documents
/// speak of, while they are silent about a kernel behind a join, or behind a copy.
inline cudaError_t mayStartEarly(cudaStream_t stream, bool& may) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    const cudaGraphNode_t* nodes = nullptr;
    const cudaGraphEdgeData* edges = nullptr;  // not to be told of them would be an error
    std::size_t count = 0;
    const cudaError_t asked =
        cudaStreamGetCaptureInfo(stream, &status, nullptr, nullptr, &nodes, &edges, &count);
    if (asked != cudaSuccess) return asked;
    may = status == cudaStreamCaptureStatusNone;
    if (status != cudaStreamCaptureStatusActive || count != 1) return cudaSuccess;
    cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
    if (const cudaError_t error = cudaGraphNodeGetType(nodes[0], &type); error != cudaSuccess) return error;
    may = type == cudaGraphNodeTypeKernel;
    return cudaSuccess;
}

}  // namespace plumb::cuda
