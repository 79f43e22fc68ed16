// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/problem.hpp"

namespace scalescope {

/// Any place of a large file, read piece by piece: what is not asked for is never read, and a file that shrinks
/// meanwhile ends early instead of ending the program (as a mapped one would).
class FileWindow {
public:
    /// Regular files only: a pipe cannot be read from the middle.
    static Result<FileWindow> open(const std::filesystem::path& path);
    FileWindow(FileWindow&& other) noexcept;
    FileWindow& operator=(FileWindow&&) = delete;
    ~FileWindow();

    std::uint64_t size() const { return size_; }
    /// The `count` bytes from `offset`, fewer at the end of the file; valid until the next call.
    std::string_view at(std::uint64_t offset, std::size_t count);

private:
    FileWindow(int descriptor, std::uint64_t size) : descriptor_(descriptor), size_(size) {}

    int descriptor_;
    std::uint64_t size_, begin_ = 0;
    std::string piece_;
};

}  // namespace scalescope
