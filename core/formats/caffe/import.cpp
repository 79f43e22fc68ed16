// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/caffe/import.hpp"

#include "core/formats/caffe/converter.hpp"

namespace scalescope::formats {

bool is_caffe_network(std::string_view text) { return looks_like_prototxt(text); }

Result<NetworkDraft> import_caffe_network(std::string_view text, std::string file, Problems* warnings,
                                          const Watch& watch) {
    constexpr double parsing = 0.7;  // of the time
    const auto document = parse_prototxt(text, file, {watch.progress.part(0, parsing), watch.cancel});
    if (!document) return tl::unexpected(document.error());
    ProblemList problems;
    const auto net = read_caffe_net(*document, problems);
    if (!net) return fail(problems.take());
    auto draft = CaffeConverter(*net, problems, {watch.progress.part(parsing, 1), watch.cancel}).convert(file);
    return finished_import(std::move(draft), problems, warnings);
}

}  // namespace scalescope::formats
