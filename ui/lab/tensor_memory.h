// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/tensor_state.h"

#include <QWidget>

namespace plumb::ui {

class TensorPicture;
class ToneLabel;

/// The picture of a tensor in its memory, with the address of the element that is pointed at worked out above
/// it.
class TensorMemory final : public QWidget {
    Q_OBJECT
public:
    explicit TensorMemory(Theme& theme, QWidget* parent = nullptr);

    /// Draws the tensor after `row` lines.
    void showTensor(const TensorState& state, int row);

private:
    void showAddress(const std::vector<std::int64_t>& indices, qint64 position);

    TensorPicture* m_picture = nullptr;
    ToneLabel *m_address = nullptr, *m_leftOut = nullptr;
    lab::TensorLayout m_layout;
    Dtype m_dtype = Dtype::Fp32;
};

}  // namespace plumb::ui
