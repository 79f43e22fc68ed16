// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file_window.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace scalescope {

Result<FileWindow> FileWindow::open(const std::filesystem::path& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    struct stat info {};
    if (descriptor >= 0 && ::fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode))
        return FileWindow(descriptor, static_cast<std::uint64_t>(std::max<off_t>(info.st_size, 0)));
    if (descriptor >= 0) ::close(descriptor);
    return fail(make_error("The file could not be opened.", "Check its name, and that you may read it.",
                           {path.string(), 0, 0}));
}

FileWindow::FileWindow(FileWindow&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      size_(other.size_),
      begin_(other.begin_),
      piece_(std::move(other.piece_)) {}

FileWindow::~FileWindow() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

std::string_view FileWindow::at(std::uint64_t offset, std::size_t count) {
    constexpr std::size_t least = 16 * 1024;  // headers of neighbours come along
    if (offset >= size_) return {};
    if (offset < begin_ || offset + count > begin_ + piece_.size()) {
        piece_.resize(std::max(count, least));
        begin_ = offset;
        std::size_t have = 0;
        while (have < piece_.size()) {
            const ssize_t n =
                ::pread(descriptor_, piece_.data() + have, piece_.size() - have, static_cast<off_t>(offset + have));
            if (n < 0 && errno == EINTR) continue;
            if (n <= 0) break;
            have += static_cast<std::size_t>(n);
        }
        piece_.resize(have);
    }
    const std::size_t skip = static_cast<std::size_t>(offset - begin_);
    return std::string_view(piece_).substr(skip, count);
}

}  // namespace scalescope
