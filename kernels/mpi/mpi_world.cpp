// SPDX-License-Identifier: Apache-2.0
#include "kernels/mpi/mpi_world.h"

#include "kernels/mpi/mpi_messages.h"
#include "kernels/mpi/mpi_session.h"

#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace plumb::mpi {
namespace {

/// A text of each rank.
struct Texts {
    std::string mine, all;
    int length = 0;
    std::vector<int> lengths, begins;
    [[nodiscard]] std::string of(std::size_t rank) const {
        return all.substr(static_cast<std::size_t>(begins[rank]), static_cast<std::size_t>(lengths[rank]));
    }
};

class MpiWorld final : public World {
public:
    explicit MpiWorld(std::shared_ptr<MpiSession> session) : m_session(std::move(session)) {}

    int rank() const override { return m_session->rank(); }
    int size() const override { return m_session->size(); }

    Result<std::vector<std::string>> gather(std::string mine) override {
        if (const auto why = m_session->aborted()) return *why;
        const auto texts = std::make_shared<Texts>();
        texts->mine = std::move(mine);
        texts->length = static_cast<int>(texts->mine.size());
        texts->lengths.resize(static_cast<std::size_t>(size()));
        MPI_Request request = MPI_REQUEST_NULL;
        PLUMB_CHECK(checked(MPI_Iallgather(&texts->length, 1, MPI_INT, texts->lengths.data(), 1, MPI_INT,
                                           m_session->texts(), &request)));
        PLUMB_CHECK(m_session->wait(request, texts));
        texts->begins.resize(texts->lengths.size());
        std::exclusive_scan(texts->lengths.begin(), texts->lengths.end(), texts->begins.begin(), 0);
        const int whole = texts->begins.back() + texts->lengths.back();
        texts->all.resize(static_cast<std::size_t>(whole));
        PLUMB_CHECK(checked(MPI_Iallgatherv(texts->mine.data(), texts->length, MPI_BYTE, texts->all.data(),
                                            texts->lengths.data(), texts->begins.data(), MPI_BYTE,
                                            m_session->texts(), &request)));
        PLUMB_CHECK(m_session->wait(request, texts));
        std::vector<std::string> all;
        all.reserve(texts->lengths.size());
        for (std::size_t rank = 0; rank < texts->lengths.size(); ++rank) all.push_back(texts->of(rank));
        return all;
    }

    Result<std::unique_ptr<Messages>> group(std::span<const int> ranks) override {
        MPI_Group everybody = MPI_GROUP_NULL, members = MPI_GROUP_NULL;
        PLUMB_CHECK(checked(MPI_Comm_group(MPI_COMM_WORLD, &everybody)));
        PLUMB_CHECK(
            checked(MPI_Group_incl(everybody, static_cast<int>(ranks.size()), ranks.data(), &members)));
        MPI_Comm group = MPI_COMM_NULL;
        const int made = MPI_Comm_create_group(MPI_COMM_WORLD, members, 0, &group);
        MPI_Group_free(&members);
        MPI_Group_free(&everybody);
        PLUMB_CHECK(checked(made));
        PLUMB_CHECK(checked(MPI_Comm_set_errhandler(group, MPI_ERRORS_RETURN)));
        return std::unique_ptr<Messages>(std::make_unique<MpiMessages>(m_session, group));
    }

    void abort(const Error& why) override { m_session->abort(why); }

private:
    const std::shared_ptr<MpiSession> m_session;
};

}  // namespace

Result<std::unique_ptr<World>> startWorld(std::chrono::seconds patience) {
    PLUMB_TRY(std::shared_ptr<MpiSession> session, MpiSession::start(patience));
    return std::unique_ptr<World>(std::make_unique<MpiWorld>(std::move(session)));
}

}  // namespace plumb::mpi
