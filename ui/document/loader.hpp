// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include "ui/document/files.hpp"
#include "ui/live/background.hpp"

namespace scalescope::ui {

/// Runs one reader at a time beside the window. What a reader reads, and from where, is its own affair.
class Loader final : public Background {
    Q_OBJECT
public:
    using Background::Background;
    using Reader = std::function<Result<OpenedFile>(const Watch& watch)>;
    /// Called on this thread with what the reader returned, unless it was cancelled.
    using Done = std::function<void(Result<OpenedFile>)>;

    /// `name` is what the person who waits is told: the file's name.
    void load(const QString& name, Reader reader, Done done);
    bool loading() const { return running(); }
};

}  // namespace scalescope::ui
