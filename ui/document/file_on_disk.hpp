// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <string_view>

class QWidget;

namespace scalescope::ui {

/// A document's file as it was last read or written here, so that a change by another program is noticed.
class FileOnDisk {
public:
    FileOnDisk() = default;
    /// `text`: all of the file.
    FileOnDisk(QString file, std::string_view text) : file_(std::move(file)), digest_(digest_of(text)) {}
    /// As a session kept it.
    FileOnDisk(QString file, QByteArray digest) : file_(std::move(file)), digest_(std::move(digest)) {}

    const QString& file() const { return file_; }
    /// Empty if it is not known what the file held.
    const QByteArray& digest() const { return digest_; }
    /// The file holds something else now. False if it is gone, or cannot be read: saving makes it anew, or says why
    /// not.
    bool changed() const;
    /// What it holds now is known.
    void look_again();
    bool operator==(const FileOnDisk&) const = default;

private:
    static QByteArray digest_of(std::string_view text);
    QByteArray digest_now() const;
    QString file_;
    QByteArray digest_;
};

enum class ChangedFile { reload, keep_mine, save_as, cancel };
/// Asks what to do about a file that another program changed, before it is written.
ChangedFile ask_about_changed_file(QWidget* parent, const QString& file);

}  // namespace scalescope::ui
