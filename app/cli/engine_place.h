// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/system_error.h"

#include <optional>
#include <string>

namespace plumb::cli {

/// The private folder of an engine that outlives its windows: its socket, its lock and what it says when it
/// fails. One engine at a time has it.
class EnginePlace {
public:
    /// `folder`: empty for that of this user on this host, a home may be shared by several. The folder is
    /// made where it is not there. Errors: Io, also where others may look into it, and BadInput where its
    /// name is too long for a socket.
    [[nodiscard]] static Result<EnginePlace> open(std::string folder);

    [[nodiscard]] const std::string& folder() const { return m_folder; }
    [[nodiscard]] std::string socket() const { return m_folder + "/socket"; }
    [[nodiscard]] std::string lock() const { return m_folder + "/lock"; }
    /// Holds the id of the process that has the lock.
    [[nodiscard]] std::string process() const { return m_folder + "/process"; }
    [[nodiscard]] std::string log() const { return m_folder + "/log"; }

    /// Empty where no engine listens. Errors: Io.
    [[nodiscard]] Result<std::optional<Descriptor>> connect() const;
    /// Listens there, in the place of an engine that is gone. Pre: the lock is held. Errors: Io.
    [[nodiscard]] Result<Descriptor> listen() const;

private:
    explicit EnginePlace(std::string folder) : m_folder(std::move(folder)) {}
    std::string m_folder;
};

}  // namespace plumb::cli
