// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/loader.hpp"

#include <utility>

namespace scalescope::ui {

void Loader::load(const QString& name, Reader reader, Done done) {
    run(name, [reader = std::move(reader), done = std::move(done)](const Watch& watch) -> Delivery {
        auto result = std::make_shared<Result<OpenedFile>>(reader(watch));
        return [result, done] { done(std::move(*result)); };
    });
}

}  // namespace scalescope::ui
