// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/kind_family.hpp"

#include <QtGlobal>
#include <algorithm>

namespace scalescope::ui {

const std::vector<KindFamily>& kind_families() {
    static const std::vector<KindFamily> all{
        {QT_TRANSLATE_NOOP("palette", "Data"), "kind-data", {"input", "parameter", "constant", "embedding"}},
        {QT_TRANSLATE_NOOP("palette", "Convolution"), "kind-convolution", {"convolution", "transposed_convolution"}},
        {QT_TRANSLATE_NOOP("palette", "Pooling"),
         "kind-pooling",
         {"pooling", "global_pooling", "adaptive_pooling", "reduce"}},
        {QT_TRANSLATE_NOOP("palette", "Dense"), "kind-dense", {"dense", "matmul", "einsum", "mixture_of_experts"}},
        {QT_TRANSLATE_NOOP("palette", "Attention"), "kind-attention", {"attention", "rotary"}},
        {QT_TRANSLATE_NOOP("palette", "Normalization"),
         "kind-norm",
         {"batch_norm", "layer_norm", "rms_norm", "group_norm", "instance_norm", "lrn", "l2_normalize", "scale"}},
        {QT_TRANSLATE_NOOP("palette", "Activation"),
         "kind-activation",
         {"activation", "softmax", "log_softmax", "dropout", "glu"}},
        {QT_TRANSLATE_NOOP("palette", "Recurrent"), "kind-recurrent", {"rnn", "lstm", "gru", "conv_lstm"}},
        {QT_TRANSLATE_NOOP("palette", "Element by element"),
         "kind-elementwise",
         {"add", "elementwise", "cumulative_sum", "identity"}},
        {QT_TRANSLATE_NOOP("palette", "Shape"),
         "kind-shape",
         {"concat", "flatten", "reshape", "transpose", "slice", "gather", "scatter", "pad", "expand", "upsample",
          "resize", "space_to_depth", "depth_to_space", "argmax", "top_k", "sort"}},
        {QT_TRANSLATE_NOOP("palette", "Loss"), "kind-loss", {"cross_entropy", "loss"}},
        {QT_TRANSLATE_NOOP("palette", "Unknown"), "kind-unknown", {"unknown"}}};
    return all;
}

QString family_icon(const Kind& kind) {
    for (const KindFamily& family : kind_families())
        if (std::find(family.kinds.begin(), family.kinds.end(), kind.name) != family.kinds.end())
            return QLatin1String(family.icon);
    return QStringLiteral("kind-shape");
}

}  // namespace scalescope::ui
