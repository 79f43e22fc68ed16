// SPDX-License-Identifier: GPL-3.0-or-later
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QtTest>
#include <csignal>
#include <memory>
#include <thread>
#include <vector>

#include "core/base/atomic_file.hpp"
#include "core/base/watch.hpp"

using namespace scalescope;
namespace fs = std::filesystem;

class TestBaseFiles : public QObject {
    Q_OBJECT

private slots:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        QVERIFY(folder_->isValid());
    }

    void written_text_is_read_back() {
        const std::string text("line\r\n\0\xff end", 12);
        QVERIFY(write_file(at("new.json"), text).has_value());
        QCOMPARE(*read_file(at("new.json")), text);
        QVERIFY(write_file(at("new.json"), "").has_value());
        QCOMPARE(*read_file(at("new.json")), std::string());
        QCOMPARE(files(), 1);
    }

    void a_new_file_obeys_the_umask() {
        const mode_t before = ::umask(027);
        const auto written = write_file(at("new.json"), "x");
        ::umask(before);
        QVERIFY(written.has_value());
        QCOMPARE(mode("new.json"), 0640u);
    }

    void permissions_are_kept() {
        QVERIFY(write_file(at("a.json"), "old").has_value());
        QCOMPARE(::chmod(at("a.json").c_str(), 0604), 0);
        QVERIFY(write_file(at("a.json"), "new").has_value());
        QCOMPARE(mode("a.json"), 0604u);
    }

    void a_failed_write_leaves_the_old_text() {
        QVERIFY(write_file(at("a.json"), "old").has_value());
        std::signal(SIGXFSZ, SIG_IGN);
        rlimit before{};
        QCOMPARE(::getrlimit(RLIMIT_FSIZE, &before), 0);
        rlimit small = before;
        small.rlim_cur = 1000;
        QCOMPARE(::setrlimit(RLIMIT_FSIZE, &small), 0);
        const auto written = write_file(at("a.json"), std::string(5000, 'x'));
        QCOMPARE(::setrlimit(RLIMIT_FSIZE, &before), 0);
        QVERIFY(!written.has_value());
        QVERIFY(!written.error().front().remedy.empty());
        QCOMPARE(QString::fromStdString(written.error().front().at.file), QString::fromStdString(at("a.json")));
        QCOMPARE(*read_file(at("a.json")), std::string("old"));
        QCOMPARE(files(), 1);
    }

    void links_are_followed_and_stay() {
        fs::create_directory(at("real"));
        QVERIFY(write_file(at("real/a.json"), "old").has_value());
        fs::create_symlink("real/a.json", at("one.json"));
        fs::create_symlink("one.json", at("two.json"));
        QVERIFY(write_file(at("two.json"), "new").has_value());
        QVERIFY(fs::is_symlink(at("two.json")));
        QVERIFY(fs::is_symlink(at("one.json")));
        QCOMPARE(*read_file(at("real/a.json")), std::string("new"));

        fs::create_symlink("real/later.json", at("dangling.json"));
        QVERIFY(write_file(at("dangling.json"), "made").has_value());
        QCOMPARE(*read_file(at("real/later.json")), std::string("made"));
    }

    void what_cannot_be_written_says_why() {
        fs::create_directory(at("folder"));
        fs::create_symlink("loop", at("loop"));
        const auto what = [](const Result<void>& r) { return QString::fromStdString(r.error().front().what); };
        QCOMPARE(what(write_file(at("folder"), "x")), "The file was not saved: a folder has this name.");
        QCOMPARE(what(write_file(at("none/a.json"), "x")), "The file was not saved: its folder does not exist.");
        QCOMPARE(what(write_file(at("loop"), "x")), "The file was not saved: the symbolic links lead in a circle.");
        QCOMPARE(what(write_file(fs::path(), "x")), "The file was not saved: it has no usable name.");
        QCOMPARE(what(write_file("/dev/null", "x")), "The file was not saved: this is a device.");
        QCOMPARE(what(write_file(at(std::string(300, 'n')), "x")), "The file was not saved: the name is too long.");
    }

    void the_longest_name_can_be_saved() {
        const std::string name(255, 'n');
        QVERIFY(write_file(at(name), "x").has_value());
        QCOMPARE(*read_file(at(name)), std::string("x"));
    }

    void a_bare_name_means_this_folder() {
        const fs::path before = fs::current_path();
        fs::current_path(at(""));
        const auto written = write_file("bare.json", "x");
        fs::current_path(before);
        QVERIFY(written.has_value());
        QCOMPARE(*read_file(at("bare.json")), std::string("x"));
    }

    void what_cannot_be_read_says_why() {
        const auto what = [](const Result<std::string>& r) { return QString::fromStdString(r.error().front().what); };
        QCOMPARE(what(read_file(at("none.json"))), "There is no such file.");
        QCOMPARE(what(read_file(at(""))), "This is a folder, not a file.");
        QCOMPARE(what(read_file("/dev/zero")), "This is a device, not a file.");
        QCOMPARE(what(read_file(fs::path(std::string("a\0b", 3)))), "There is no such file.");
        fs::create_symlink("loop", at("loop"));
        QCOMPARE(what(read_file(at("loop"))), "The symbolic links lead in a circle.");
    }

    void the_limit_is_exact() {
        QVERIFY(write_file(at("a"), "0123456789").has_value());
        QCOMPARE(*read_file(at("a"), 10), std::string("0123456789"));
        const auto read = read_file(at("a"), 9);
        QVERIFY(!read.has_value());
        QCOMPARE(QString::fromStdString(read.error().front().what), "The file is larger than 9 bytes.");
    }

    /// Room is taken for what was announced, and not for twice as much.
    void a_file_takes_no_more_than_its_size() {
        QVERIFY(write_file(at("file"), std::string(100'000, 'x')));
        const auto read = read_file(at("file"));
        QCOMPARE(read->size(), std::size_t{100'000});
        QVERIFY2(read->capacity() < 100'100, std::to_string(read->capacity()).c_str());
    }

    void an_announced_size_of_zero_is_not_believed() {
        // Files of /proc say 0 and have text; they are also small enough to show that the reader grows.
        QVERIFY(read_file("/proc/self/status")->size() > 100);
        QVERIFY(!read_file("/proc/self/status", 10).has_value());
    }

    void a_pipe_is_read_to_its_end() {
        QCOMPARE(::mkfifo(at("pipe").c_str(), 0600), 0);
        // Opened for reading too, so that neither side waits for the other.
        const int fd = ::open(at("pipe").c_str(), O_RDWR);
        QVERIFY(fd >= 0);
        std::thread writer([fd] {
            const std::string text(100'000, 'p');
            for (std::size_t sent = 0; sent < text.size();) {
                const ssize_t n = ::write(fd, text.data() + sent, text.size() - sent);
                if (n <= 0) break;
                sent += static_cast<std::size_t>(n);
            }
            ::close(fd);
        });
        const auto read = read_file(at("pipe"));
        writer.join();
        QCOMPARE(read->size(), std::size_t{100'000});
    }

    void a_pipe_without_a_writer_does_not_hang() {
        QCOMPARE(::mkfifo(at("pipe").c_str(), 0600), 0);
        QCOMPARE(*read_file(at("pipe")), std::string());
    }

    void a_silent_pipe_can_be_given_up() {
        QCOMPARE(::mkfifo(at("pipe").c_str(), 0600), 0);
        const int fd = ::open(at("pipe").c_str(), O_RDWR);  // a writer that says nothing
        QVERIFY(fd >= 0);
        CancelSource source;
        std::thread canceller([&] { source.cancel(); });
        const auto read = read_file(at("pipe"), limits::file_bytes, source.token());
        canceller.join();
        ::close(fd);
        QVERIFY(!read && QString::fromStdString(read.error()[0].what).contains("cancelled"));
    }

    void tokens_share_one_flag() {
        QVERIFY(!CancelToken().cancelled());
        CancelSource source;
        const CancelToken before = source.token();
        QVERIFY(!before.cancelled());
        source.cancel();
        QVERIFY(before.cancelled());
        QVERIFY(source.token().cancelled());
    }

    void parts_of_progress_nest() {
        std::vector<double> seen;
        const Progress all([&](double fraction, std::string_view) { seen.push_back(fraction); });
        const Progress second_half = all.part(0.5, 1.0);
        second_half(0.5);
        second_half.part(0.5, 1.0)(1.0);
        all(7.0);
        all(-1.0);
        Progress()(0.5, "nobody listens");
        QCOMPARE(seen, (std::vector<double>{0.75, 1.0, 1.0, 0.0}));
    }

private:
    std::string at(const std::string& name) const { return folder_->path().toStdString() + '/' + name; }
    unsigned mode(const std::string& name) const {
        struct stat info {};
        return ::stat(at(name).c_str(), &info) == 0 ? info.st_mode & 07777u : 0u;
    }
    int files() const {
        int n = 0;
        for ([[maybe_unused]] const auto& entry : fs::directory_iterator(at(""))) ++n;
        return n;
    }

    std::unique_ptr<QTemporaryDir> folder_;
};

QTEST_APPLESS_MAIN(TestBaseFiles)
#include "tst_base_files.moc"
