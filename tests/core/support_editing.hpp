// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtTest>
#include <string>
#include <vector>

#include "core/network/editing/edit.hpp"
#include "core/network/sketch.hpp"

/// Help for the tests that edit networks.
namespace support {

using scalescope::LayerId;
using scalescope::NetworkDraft;

inline QString text_of(const scalescope::Problems& problems) {
    QString all;
    for (const auto& p : problems) all += QString::fromStdString(scalescope::to_text(p)) + '\n';
    return all;
}

/// A draft that is edited call by call. What does not work fails the test and leaves the draft as it is.
class Desk {
public:
    NetworkDraft draft;
    std::vector<LayerId> selected;
    int calls = 0;

    bool operator()(scalescope::editing::Edit edit) {
        ++calls;
        if (!edit) {
            QTest::qFail(qPrintable(text_of(edit.error())), __FILE__, __LINE__);
            return false;
        }
        draft = std::move(edit->draft);
        selected = std::move(edit->selected);
        return true;
    }

    const scalescope::Layer* find(std::string_view name) const {
        for (const auto& l : draft.layers)
            if (l.name == name) return &l;
        return nullptr;
    }
    LayerId id(std::string_view name) const {
        const auto* l = find(name);
        return l ? l->id : LayerId{};
    }
    /// "conv1 pool1" for a layer that reads these two; "?" for an open input.
    QString inputs(std::string_view name) const {
        QStringList names;
        if (const auto* l = find(name))
            for (LayerId in : l->inputs) {
                QString source = "?";
                for (const auto& other : draft.layers)
                    if (other.id == in) source = QString::fromStdString(other.name);
                names << source;
            }
        return names.join(' ');
    }
    QString names() const {
        QStringList all;
        for (const auto& l : draft.layers) all << QString::fromStdString(l.name);
        return all.join(' ');
    }
    QString selection() const {
        QStringList all;
        for (LayerId id : selected)
            for (const auto& l : draft.layers)
                if (l.id == id) all << QString::fromStdString(l.name);
        return all.join(' ');
    }
    /// The shape of a layer's output; "?" if it is not known.
    QString shape(std::string_view name) const {
        const scalescope::Sketch sketch(draft);
        const auto at = sketch.position(id(name));
        if (!at || !sketch.facts[static_cast<std::size_t>(*at)]) return "?";
        return QString::fromStdString(scalescope::to_text(sketch.facts[static_cast<std::size_t>(*at)]->output));
    }
    QString faults() const {
        QString all;
        for (const auto& f : scalescope::Sketch(draft).faults)
            all += QString::fromStdString(scalescope::to_text(f.problem)) + '\n';
        return all;
    }
};

/// Everything but the order of the layers.
inline bool same_layer(const scalescope::Layer& a, const scalescope::Layer& b) {
    return a.id == b.id && a.name == b.name && a.kind == b.kind && a.attributes == b.attributes &&
           a.inputs == b.inputs && a.shares_weights_with == b.shares_weights_with;
}
inline bool same_draft(const NetworkDraft& a, const NetworkDraft& b) {
    return std::equal(a.layers.begin(), a.layers.end(), b.layers.begin(), b.layers.end(), same_layer);
}

}  // namespace support
