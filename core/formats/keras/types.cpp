// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/name_list.hpp"
#include "core/formats/keras/use.hpp"

namespace scalescope::formats {

const KerasType* find_keras_type(std::string_view name) {
    for (const auto family :
         {keras_convolution_types(), keras_pooling_types(), keras_dense_types(), keras_recurrent_types(),
          keras_merge_types(), keras_normalization_types(), keras_activation_types(), keras_shape_types(),
          keras_attention_types(), keras_wrapper_types(), keras_operation_types()})
        for (const KerasType& type : family)
            if (is_among(name, type.names)) return &type;
    return nullptr;
}

}  // namespace scalescope::formats
