// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/input_file.hpp"

#include <fstream>

#include "core/base/atomic_file.hpp"
#include "core/formats/keras/import.hpp"
#include "core/formats/onnx/onnx_import.hpp"
#include "core/formats/zip_archive.hpp"

namespace scalescope::formats {

Result<std::string> read_input_file(const std::filesystem::path& path, const CancelToken& cancel) {
    // A pipe would lose what is looked at.
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) return read_file(path, limits::file_bytes, cancel);
    if (is_onnx_file(path)) return condense_onnx(path, {{}, cancel});
    std::ifstream file(path, std::ios::binary);
    std::string begin(4, '\0');
    if (!file.read(begin.data(), static_cast<std::streamsize>(begin.size())) || !is_zip_archive(begin))
        return read_file(path, limits::file_bytes, cancel);
    const auto size = std::filesystem::file_size(path, error);
    if (error) return read_file(path, limits::file_bytes, cancel);
    const ReadBytes read = [&file](std::uint64_t offset, std::size_t count) {
        std::string bytes(count, '\0');
        file.clear();
        file.seekg(static_cast<std::streamoff>(offset));
        file.read(bytes.data(), static_cast<std::streamsize>(count));
        bytes.resize(static_cast<std::size_t>(file.gcount()));
        return bytes;
    };
    return unpack_member(read, size, keras_archive_member, path.string());
}

}  // namespace scalescope::formats
