// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/atomic_file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <system_error>

namespace scalescope {
namespace {

namespace fs = std::filesystem;

/// Closes a descriptor, and removes the file it was made for unless that was kept.
class Descriptor {
public:
    explicit Descriptor(int fd) : fd_(fd) {}
    ~Descriptor() {
        if (fd_ >= 0) ::close(fd_);
        if (!unlink_.empty()) ::unlink(unlink_.c_str());
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    int get() const { return fd_; }
    void remove_at_end(fs::path path) { unlink_ = std::move(path); }
    void keep() { unlink_.clear(); }
    bool close() {
        const int fd = fd_;
        fd_ = -1;
        return ::close(fd) == 0;
    }

private:
    int fd_;
    fs::path unlink_;
};

Problem problem(const fs::path& path, std::string what, std::string remedy) {
    return make_error(std::move(what), std::move(remedy), {path.string()});
}

Problem read_problem(const fs::path& path, int error) {
    switch (error) {
        case ENOENT:
        case ENOTDIR: return problem(path, "There is no such file.", "Check the name and the folder.");
        case EACCES:
        case EPERM: return problem(path, "The file may not be read.", "Give yourself permission to read it.");
        case EISDIR: return problem(path, "This is a folder, not a file.", "Name a file inside it.");
        case ELOOP: return problem(path, "The symbolic links lead in a circle.", "Name the file itself.");
        case ENAMETOOLONG: return problem(path, "The name is too long.", "Use a shorter name.");
        default:
            return problem(path, "The file could not be read (" + std::generic_category().message(error) + ").",
                           "Check the disk, and try again.");
    }
}

Problem write_problem(const fs::path& path, int error) {
    const std::string start = "The file was not saved: ";
    switch (error) {
        case ENOSPC:
        case EDQUOT: return problem(path, start + "the disk is full.", "Free some space, or save to another disk.");
        case EFBIG: return problem(path, start + "it is larger than allowed there.", "Save to another disk.");
        case EROFS: return problem(path, start + "the disk is read-only.", "Save to another folder.");
        case EACCES:
        case EPERM: return problem(path, start + "its folder may not be written to.", "Save to another folder.");
        case ENOENT:
        case ENOTDIR: return problem(path, start + "its folder does not exist.", "Make the folder, or choose another.");
        case ELOOP: return problem(path, start + "the symbolic links lead in a circle.", "Save under another name.");
        case ENAMETOOLONG: return problem(path, start + "the name is too long.", "Use a shorter name.");
        default:
            return problem(path, start + std::generic_category().message(error) + ".",
                           "Check the disk, or save to another folder.");
    }
}

bool has_zero_byte(const fs::path& path) { return path.native().find('\0') != std::string::npos; }

/// The file that `path` leads to, which need not exist; its error is an errno.
tl::expected<fs::path, int> follow_links(fs::path path) {
    constexpr int most = 40;  // as many as the kernel follows
    for (int i = 0; i < most; ++i) {
        std::error_code error;
        if (!fs::is_symlink(fs::symlink_status(path, error))) return path;
        const fs::path target = fs::read_symlink(path, error);
        if (error) return tl::unexpected(error.value());
        path = target.is_absolute() ? target : path.parent_path() / target;
    }
    return tl::unexpected(ELOOP);
}

/// A name in the folder of `target` that no other writer uses; not built on its name, which may have the longest
/// length allowed already.
fs::path temporary_beside(const fs::path& target) {
    static std::atomic<unsigned> counter{0};
    const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
    return target.parent_path() / (".scalescope-" + std::to_string(::getpid()) + '-' + std::to_string(now) + '-' +
                                   std::to_string(counter.fetch_add(1)) + ".tmp");
}

bool write_all(int fd, std::string_view text) {
    while (!text.empty()) {
        const ssize_t n = ::write(fd, text.data(), std::min<std::size_t>(text.size(), 1u << 30));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        text.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
}

void sync_folder(const fs::path& file) {
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    const Descriptor fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    // The new text is on the disk already; a file system that cannot sync a folder only delays the change of name.
    if (fd.get() >= 0) ::fsync(fd.get());
}

}  // namespace

Result<std::string> read_file(const fs::path& path, std::size_t limit, const CancelToken& cancel) {
    if (has_zero_byte(path)) return fail(read_problem(path, ENOENT));
    // Non-blocking: a pipe that nobody writes to is empty, and one that is silent can be given up.
    const Descriptor fd(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    struct stat info {};
    if (fd.get() < 0 || ::fstat(fd.get(), &info) != 0) return fail(read_problem(path, errno));
    if (S_ISDIR(info.st_mode)) return fail(read_problem(path, EISDIR));
    if (!S_ISREG(info.st_mode) && !S_ISFIFO(info.st_mode))
        return fail(problem(path, "This is a device, not a file.", "Name a file, or a pipe."));

    const auto too_large = [&] {
        return fail(problem(path, "The file is larger than " + std::to_string(limit) + " bytes.",
                            "Files this large are not read; use a smaller one."));
    };
    const auto announced = static_cast<std::size_t>(std::max<off_t>(info.st_size, 0));
    if (announced > limit) return too_large();
    std::string text;
    // One byte more than announced, so that the last read sees the end; a pipe announces nothing and grows.
    std::size_t room = announced + 1;
    for (;;) {
        const std::size_t have = text.size();
        if (cancel.cancelled()) return fail(problem(path, "Reading was cancelled.", "Open it again to read it."));
        text.resize(have + room);
        const ssize_t n = ::read(fd.get(), text.data() + have, room);
        const int error = errno;
        text.resize(have + static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
        if (n == 0) return text;
        if (n < 0 && error == EAGAIN) {  // its writer is silent
            pollfd wait{fd.get(), POLLIN, 0};
            ::poll(&wait, 1, 50);
            continue;
        }
        if (n < 0 && error != EINTR) return fail(read_problem(path, error));
        if (text.size() > limit) return too_large();
        // What was announced takes no more room than it needs: growing would hold it twice.
        room = text.size() <= announced
                   ? announced + 1 - text.size()
                   : std::min<std::size_t>(std::max<std::size_t>(text.size(), 4096), limit - text.size() + 1);
    }
}

Result<void> write_file(const fs::path& path, std::string_view text) {
    if (path.empty() || has_zero_byte(path))
        return fail(problem(path, "The file was not saved: it has no usable name.", "Give it a name."));
    const auto target = follow_links(path);
    if (!target) return fail(write_problem(path, target.error()));

    struct stat old {};
    const bool replaces = ::stat(target->c_str(), &old) == 0;
    if (!replaces && errno != ENOENT) return fail(write_problem(path, errno));
    if (replaces && S_ISDIR(old.st_mode))
        return fail(problem(path, "The file was not saved: a folder has this name.", "Save under another name."));
    if (replaces && !S_ISREG(old.st_mode))
        return fail(problem(path, "The file was not saved: this is a device.", "Save under another name."));
    if (replaces && ::access(target->c_str(), W_OK) != 0)
        return fail(problem(path, "The file was not saved: it is read-only.", "Save under another name."));

    const fs::path temporary = temporary_beside(*target);
    const mode_t mode = replaces ? mode_t{0600} : mode_t{0666};  // a new file gets what the umask leaves
    Descriptor fd(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
    if (fd.get() < 0) return fail(write_problem(path, errno));
    fd.remove_at_end(temporary);

    if (replaces) {
        // Only root may give a file away; whoever edits another's file becomes its owner, as with most editors.
        [[maybe_unused]] const int kept_owner = ::fchown(fd.get(), old.st_uid, old.st_gid);
        if (::fchmod(fd.get(), old.st_mode & 07777) != 0) return fail(write_problem(path, errno));
    }
    if (!write_all(fd.get(), text) || ::fsync(fd.get()) != 0) return fail(write_problem(path, errno));
    if (!fd.close()) return fail(write_problem(path, errno));
    if (::rename(temporary.c_str(), target->c_str()) != 0) return fail(write_problem(path, errno));
    fd.keep();
    sync_folder(*target);
    return {};
}

}  // namespace scalescope
