// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <deque>

#include "ui/gallery/gallery_pictures.hpp"
#include "ui/live/background.hpp"

class QLabel;
class QListView;

namespace scalescope::ui {

class SearchField;
class SegmentedControl;

/// Networks, scenarios and devices with a picture each: searched, filtered, opened. Pictures are made beside the
/// window, those in sight first.
class GalleryDialog final : public QDialog {
    Q_OBJECT
public:
    enum class Kind { scenario, network, device };
    /// `library` must outlive the dialog.
    explicit GalleryDialog(const formats::Library& library, QWidget* parent = nullptr);
    ~GalleryDialog() override;

    SearchField* search() const { return search_; }
    SegmentedControl* kinds() const { return kinds_; }
    QListView* list() const { return list_; }
    /// Waits until every picture in sight is there. For tests and pictures.
    void finish_pictures();

signals:
    void chosen(GalleryDialog::Kind kind, const QString& id);

private:
    class Model;
    class Delegate;
    void find();
    void tell();
    void want(std::size_t entry);
    void make_next();
    void choose(const QModelIndex& index);

    const formats::Library& library_;
    Model* model_;
    SearchField* search_;
    SegmentedControl* kinds_;
    QListView* list_;
    QLabel* about_;
    std::deque<std::size_t> wanted_;
    Background maker_;  ///< last: its thread reads the library
};

}  // namespace scalescope::ui
