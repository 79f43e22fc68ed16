// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/settings_dialog.hpp"

#include <QAbstractTableModel>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QSortFilterProxyModel>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

#include "core/scenario/fields.hpp"
#include "ui/design/names.hpp"
#include "ui/document/document.hpp"
#include "ui/help/help_guide.hpp"
#include "ui/language/told.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/overlay_scroll.hpp"
#include "ui/widgets/search_field.hpp"

namespace scalescope::ui {
namespace {

/// Networks, their layers, devices and links are chosen and drawn elsewhere.
bool belongs_here(const Field& f) {
    if (f.derived || f.path.starts_with("cluster.device.") || f.path.starts_with("cluster.inside.") ||
        f.path.starts_with("cluster.between."))
        return false;
    return f.type == FieldType::integer || f.type == FieldType::number || f.type == FieldType::boolean ||
           f.type == FieldType::choice;
}

/// The values that can be chosen; none where any number can be written.
QStringList values_of(const Field& f) {
    if (f.type == FieldType::boolean) return {QStringLiteral("false"), QStringLiteral("true")};
    QStringList values;
    for (const std::string_view choice : f.choices) values << told(choice);
    return values;
}

QString shown(const Field& f, const QString& value) {
    if (f.type == FieldType::boolean)
        return value == QLatin1String("true") ? SettingsDialog::tr("yes") : SettingsDialog::tr("no");
    if (f.type == FieldType::choice) return title_of_choice(f, value.toStdString());
    return QString(value).replace(QLatin1Char('_'), QLatin1Char(' '));
}

/// Choices open as a list, all else is typed.
class ValueDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    static constexpr int values_role = Qt::UserRole + 1, names_role = Qt::UserRole + 2;

    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option, const QModelIndex& at) const override {
        const QStringList values = at.data(values_role).toStringList();
        if (values.isEmpty()) return QStyledItemDelegate::createEditor(parent, option, at);
        auto* list = new QComboBox(parent);
        const QStringList names = at.data(names_role).toStringList();
        for (qsizetype i = 0; i < values.size(); ++i) list->addItem(names[i], values[i]);
        connect(list, &QComboBox::activated, this, [this, list] {
            auto* self = const_cast<ValueDelegate*>(this);
            emit self->commitData(list);
            emit self->closeEditor(list);
        });
        return list;
    }
    void setEditorData(QWidget* editor, const QModelIndex& at) const override {
        if (auto* list = qobject_cast<QComboBox*>(editor))
            list->setCurrentIndex(list->findData(at.data(Qt::EditRole)));
        else
            QStyledItemDelegate::setEditorData(editor, at);
    }
    void setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& at) const override {
        if (auto* list = qobject_cast<QComboBox*>(editor))
            model->setData(at, list->currentData());
        else
            QStyledItemDelegate::setModelData(editor, model, at);
    }
};

}  // namespace

class SettingsDialog::Model final : public QAbstractTableModel {
public:
    enum Column { name_column, value_column, unit_column, usual_column, path_column, column_count };

    Model(Document& document, const Catalogue& catalogue, QObject* parent)
        : QAbstractTableModel(parent), document_(document), catalogue_(catalogue) {
        for (const Field& f : all_fields())
            if (belongs_here(f)) fields_.push_back(&f);
        connect(&document, &Document::changed, this,
                [this] { emit dataChanged(index(0, value_column), index(rowCount() - 1, value_column)); });
    }

    const Field& field(int row) const { return *fields_[static_cast<std::size_t>(row)]; }
    /// Why the last value could not be; empty if it could.
    QString problem;

    int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(fields_.size());
    }
    int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : column_count; }
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override {
        if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
        const QStringList names{SettingsDialog::tr("Setting"), SettingsDialog::tr("Value"), SettingsDialog::tr("Unit"),
                                SettingsDialog::tr("Usual"), SettingsDialog::tr("On the command line")};
        return names[section];
    }
    Qt::ItemFlags flags(const QModelIndex& at) const override {
        return QAbstractTableModel::flags(at) | (at.column() == value_column ? Qt::ItemIsEditable : Qt::NoItemFlags);
    }
    QVariant data(const QModelIndex& at, int role) const override {
        const Field& f = field(at.row());
        const QString now = told(field_text(f, document_.scenario())), usual = told(field_text(f, usual_));
        if (role == Qt::FontRole && at.column() <= value_column)
            return now == usual ? type::table() : type::table_strong();
        if (role == Qt::ToolTipRole) return told(f.text);
        if (role == help_role) return QStringLiteral("fields-") + told(f.path.substr(0, f.path.find('.')));
        if (at.column() == value_column) {
            if (role == Qt::EditRole) return now;
            if (role == ValueDelegate::values_role) return values_of(f);
            if (role == ValueDelegate::names_role) {
                QStringList names;
                for (const QString& v : values_of(f)) names << shown(f, v);
                return names;
            }
        }
        if (role != Qt::DisplayRole) return {};
        switch (at.column()) {
            case name_column: return told(f.label);
            case value_column: return now.isEmpty() ? QStringLiteral("–") : shown(f, now);
            case unit_column: return told_word(f.unit);
            case usual_column: return usual.isEmpty() ? QStringLiteral("–") : shown(f, usual);
            case path_column: return told(f.path);
            default: return {};
        }
    }
    bool setData(const QModelIndex& at, const QVariant& value, int role) override {
        if (role != Qt::EditRole || at.column() != value_column) return false;
        Scenario next = document_.scenario();
        const auto done = set_field(next, field(at.row()), value.toString().trimmed().toStdString(), catalogue_);
        problem = done ? QString() : told(to_text(done.error().front()));
        if (done) document_.edit(std::move(next));
        emit dataChanged(at, at);
        return done.has_value();
    }

private:
    Document& document_;
    const Catalogue& catalogue_;
    const Scenario usual_;
    std::vector<const Field*> fields_;
};

SettingsDialog::SettingsDialog(Document& document, const Catalogue& catalogue, QWidget* parent) : QDialog(parent) {
    setObjectName(QStringLiteral("settingsDialog"));
    setWindowTitle(tr("All settings"));
    set_help(*this, QStringLiteral("window-settings"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(space::gap, space::gap, space::gap, space::gap);
    column->setSpacing(space::gap);
    search_ = new SearchField(tr("Search settings"));
    search_->setObjectName(QStringLiteral("settingsSearch"));
    model_ = new Model(document, catalogue, this);
    found_ = new QSortFilterProxyModel(this);
    found_->setSourceModel(model_);
    found_->setFilterKeyColumn(-1);
    found_->setFilterCaseSensitivity(Qt::CaseInsensitive);
    table_ = new QTableView;
    table_->setObjectName(QStringLiteral("settingsTable"));
    table_->setAccessibleName(tr("Settings of the scenario"));
    table_->setModel(found_);
    table_->setItemDelegate(new ValueDelegate(table_));
    table_->setFont(type::table());
    table_->setFrameShape(QFrame::NoFrame);
    table_->setShowGrid(false);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed |
                            QAbstractItemView::AnyKeyPressed | QAbstractItemView::SelectedClicked);
    table_->verticalHeader()->hide();
    table_->verticalHeader()->setDefaultSectionSize(26);
    table_->horizontalHeader()->setFont(type::table());
    table_->horizontalHeader()->setHighlightSections(false);
    table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table_->horizontalHeader()->setStretchLastSection(true);
    table_->setTabKeyNavigation(false);
    use_overlay_scroll_bar(*table_, 2);
    table_->setColumnWidth(Model::name_column, 210);
    table_->setColumnWidth(Model::value_column, 130);
    table_->setColumnWidth(Model::unit_column, 70);
    table_->setColumnWidth(Model::usual_column, 100);
    about_ = make_label({}, type::caption(), Ink::secondary);
    about_->setObjectName(QStringLiteral("settingsAbout"));
    about_->setWordWrap(true);
    about_->setMinimumHeight(2 * about_->fontMetrics().lineSpacing());
    about_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    column->addWidget(search_);
    column->addWidget(table_, 1);
    column->addWidget(about_);
    connect(search_, &QLineEdit::textChanged, found_, &QSortFilterProxyModel::setFilterFixedString);
    connect(search_, &SearchField::escaped, this, &QDialog::reject);
    connect(search_, &SearchField::moved, this, [this] { table_->setFocus(); });
    connect(table_->selectionModel(), &QItemSelectionModel::currentChanged, this, [this] {
        model_->problem.clear();
        tell();
    });
    connect(model_, &QAbstractItemModel::dataChanged, this, &SettingsDialog::tell);
    resize(680, 560);
    search_->setFocus();
    tell();
}

bool SettingsDialog::show_field(const QString& path) {
    for (int row = 0; row < model_->rowCount(); ++row) {
        if (told(model_->field(row).path) != path) continue;
        search_->clear();
        const QModelIndex at = found_->mapFromSource(model_->index(row, Model::value_column));
        table_->setCurrentIndex(at);
        table_->scrollTo(at, QAbstractItemView::PositionAtCenter);
        table_->setFocus();
        return true;
    }
    return false;
}

/// What the setting is, or why the value could not be.
void SettingsDialog::tell() {
    const QModelIndex at = found_->mapToSource(table_->currentIndex());
    const bool wrong = !model_->problem.isEmpty();
    set_ink(*about_, wrong ? Ink::error : Ink::secondary);
    about_->setText(wrong          ? model_->problem
                    : at.isValid() ? told(model_->field(at.row()).text)
                                   : tr("Double-click a value to change it. Bold values differ from the default."));
}

}  // namespace scalescope::ui
