// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <string>
#include <vector>

namespace scalescope {
class SymbolFields;
}

namespace scalescope::ui {

class Document;
class Form;
class NumberField;

/// The sizes that the networks leave open, a field each: "Sequence length [2048 tokens]". Hidden without any.
class SymbolForm final : public QWidget {
    Q_OBJECT
public:
    explicit SymbolForm(Document& document, QWidget* parent = nullptr);

private:
    Document& document_;
    Form* form_ = nullptr;
    std::vector<std::string> paths_;  ///< whose fields there are
    std::vector<NumberField*> fields_;

    void show_scenario();
    void rebuild(const SymbolFields& symbols);
};

}  // namespace scalescope::ui
