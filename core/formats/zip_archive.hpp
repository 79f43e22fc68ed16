// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/problem.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

/// One file out of a zip archive (PKWARE's APPNOTE 6.3: stored or deflated, without encryption), without reading the
/// others, which may be large.
namespace scalescope::formats {

/// Whether bytes begin like an archive.
bool is_zip_archive(std::string_view bytes);

/// Bytes of an archive: `count` of them from `offset` on, fewer if there are no more.
using ReadBytes = std::function<std::string(std::uint64_t offset, std::size_t count)>;

/// The member called `name`, unpacked and checked against its sum. `file` is for messages. Problems: no such member, an
/// archive that is damaged, encrypted, packed in another way, or a member beyond limits::file_bytes.
Result<std::string> unpack_member(const ReadBytes& read, std::uint64_t size, std::string_view name,
                                  const std::string& file);
Result<std::string> unpack_member(std::string_view archive, std::string_view name, const std::string& file);

}  // namespace scalescope::formats
