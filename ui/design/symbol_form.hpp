// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/scenario/symbol_fields.hpp"

namespace scalescope::ui {

class Document;
class Form;

/// The sizes that the networks leave open, a field each: "Sequence length [2048 tokens]". Hidden without any.
class SymbolForm final : public QWidget {
    Q_OBJECT
public:
    explicit SymbolForm(Document& document, QWidget* parent = nullptr);

private:
    Document& document_;
    SymbolFields symbols_;
    Form* form_ = nullptr;

    void show_scenario();
    void rebuild();
};

}  // namespace scalescope::ui
