// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/file_on_disk.hpp"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>

#include "core/base/atomic_file.hpp"

namespace scalescope::ui {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(ChangedFile)
};

}  // namespace

QByteArray FileOnDisk::digest_of(std::string_view text) {
    return QCryptographicHash::hash(QByteArray::fromRawData(text.data(), static_cast<qsizetype>(text.size())),
                                    QCryptographicHash::Sha256);
}

QByteArray FileOnDisk::digest_now() const {
    if (file_.isEmpty() || !QFileInfo(file_).isFile()) return {};
    const auto text = read_file(file_.toStdString());
    return text ? digest_of(*text) : QByteArray();
}

bool FileOnDisk::changed() const {
    if (digest_.isEmpty()) return false;
    const QByteArray now = digest_now();
    return !now.isEmpty() && now != digest_;
}

void FileOnDisk::look_again() { digest_ = digest_now(); }

ChangedFile ask_about_changed_file(QWidget* parent, const QString& file) {
    QMessageBox box(
        QMessageBox::Warning, Words::tr("The file was changed"),
        Words::tr("%1 was changed by another program since it was read here. Saving would overwrite that change.")
            .arg(QFileInfo(file).fileName()),
        QMessageBox::Cancel, parent);
    const QPushButton* reload = box.addButton(Words::tr("&Reload"), QMessageBox::DestructiveRole);
    const QPushButton* keep = box.addButton(Words::tr("&Overwrite"), QMessageBox::AcceptRole);
    QPushButton* save_as = box.addButton(Words::tr("Save &as…"), QMessageBox::ActionRole);
    box.setDefaultButton(save_as);
    box.exec();
    return box.clickedButton() == reload    ? ChangedFile::reload
           : box.clickedButton() == keep    ? ChangedFile::keep_mine
           : box.clickedButton() == save_as ? ChangedFile::save_as
                                            : ChangedFile::cancel;
}

}  // namespace scalescope::ui
