// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <random>

#include "core/numerics/expression.hpp"

using namespace scalescope;
using namespace scalescope::numerics;

namespace {

using Values = std::map<std::string, double, std::less<>>;

Lookup in(Values values) {
    return [values = std::move(values)](std::string_view name) -> std::optional<double> {
        const auto found = values.find(name);
        return found == values.end() ? std::nullopt : std::optional(found->second);
    };
}

const Values hand_values = {{"a", 3.0}, {"b", 4.0}, {"t_1", 0.25}, {"zero", 0.0}, {"n", 8.0}};

/// A random expression as text full of parentheses, with its value worked out beside it by plain C++.
struct Grown {
    std::string text;
    double value = 0.0;
    bool good = true;  ///< false: somewhere a division by zero or the like
};

class Garden {
public:
    explicit Garden(std::uint64_t seed) : random_(seed) {}

    Grown grow(int depth) {
        if (depth == 0 || pick(5) == 0) return leaf();
        switch (pick(9)) {
            case 0: return binary(depth, "+", [](double a, double b) { return a + b; });
            case 1: return binary(depth, "-", [](double a, double b) { return a - b; });
            case 2: return binary(depth, "*", [](double a, double b) { return a * b; });
            case 3: return binary(depth, "/", [](double a, double b) { return a / b; });
            case 4: return binary(depth, "<", [](double a, double b) { return a < b ? 1.0 : 0.0; });
            case 5: return binary(depth, "==", [](double a, double b) { return a == b ? 1.0 : 0.0; });
            case 6: {
                Grown a = grow(depth - 1);
                return {"(-" + a.text + ")", -a.value, a.good};
            }
            case 7: {
                Grown a = grow(depth - 1);
                return {"floor(" + a.text + ")", std::floor(a.value), a.good};
            }
            default: {
                Grown a = grow(depth - 1);
                Grown b = grow(depth - 1);
                return {"max(" + a.text + ", " + b.text + ")", std::max(a.value, b.value), a.good && b.good};
            }
        }
    }

private:
    int pick(int below) { return static_cast<int>(random_() % static_cast<std::uint64_t>(below)); }

    Grown leaf() {
        if (pick(2) == 0) {
            const auto entry = std::next(hand_values.begin(), pick(static_cast<int>(hand_values.size())));
            return {entry->first, entry->second};
        }
        const double value = std::ldexp(static_cast<double>(pick(1 << 20)), pick(40) - 20);
        char buffer[32];
        const auto end = std::to_chars(buffer, buffer + 32, value).ptr;
        return {std::string(buffer, end), value};
    }

    template <class F>
    Grown binary(int depth, const char* sign, F f) {
        const Grown a = grow(depth - 1);
        const Grown b = grow(depth - 1);
        const double value = f(a.value, b.value);
        return {"(" + a.text + " " + sign + " " + b.text + ")", value, a.good && b.good && std::isfinite(value)};
    }

    std::mt19937_64 random_;
};

}  // namespace

class TestExpression : public QObject {
    Q_OBJECT

private slots:
    void hand_values_hold_data() { value_rows(); }
    void hand_values_hold() {
        QFETCH(QString, text);
        QFETCH(double, value);
        const auto expression = parse_expression(text.toStdString());
        QVERIFY2(expression.has_value(), expression ? "" : to_text(expression.error().front()).c_str());
        const auto result = evaluate(*expression, in(hand_values));
        QVERIFY2(result.has_value(), result ? "" : to_text(result.error().front()).c_str());
        QVERIFY(*result == value);
    }

    void text_round_trips_data() { value_rows(); }
    void text_round_trips() {
        QFETCH(QString, text);
        const auto expression = parse_expression(text.toStdString());
        QVERIFY(expression.has_value());
        const std::string written = to_text(*expression);
        const auto again = parse_expression(written);
        QVERIFY2(again.has_value(), written.c_str());
        QVERIFY2(*again == *expression, written.c_str());
    }

    void plain_text_has_no_spare_parentheses() {
        const auto written = [](std::string_view text) { return to_text(*parse_expression(text)); };
        QCOMPARE(written("((a)+(b*(t_1)))"), std::string("a + b * t_1"));
        QCOMPARE(written("a-(b-n)"), std::string("a - (b - n)"));
        QCOMPARE(written("(a/b)/n"), std::string("a / b / n"));
        QCOMPARE(written("(-a)^2"), std::string("(-a)^2"));
        QCOMPARE(written("-(a^2)"), std::string("-a^2"));
        QCOMPARE(written("(a<b)==(b<a)"), std::string("(a < b) == (b < a)"));
        QCOMPARE(written("a*(b*n)"), std::string("a * (b * n)"));
    }

    void grown_expressions_agree_with_plain_arithmetic() {
        Garden garden(20170424);
        int good = 0;
        for (int i = 0; i < 4000; ++i) {
            const Grown grown = garden.grow(6);
            if (grown.text.size() > 4096) continue;
            const auto expression = parse_expression(grown.text);
            QVERIFY2(expression.has_value(), grown.text.c_str());
            const auto value = evaluate(*expression, in(hand_values));
            if (grown.good) {
                QVERIFY2(value.has_value(), grown.text.c_str());
                QVERIFY2(*value == grown.value, grown.text.c_str());
                ++good;
            } else {
                QVERIFY2(!value.has_value(), grown.text.c_str());
            }
            const auto again = parse_expression(to_text(*expression));
            QVERIFY2(again.has_value() && *again == *expression, grown.text.c_str());
            QVERIFY(!to_rich_text(*expression).empty());
        }
        QVERIFY2(good > 1000, "the generator must make expressions that have a value");
    }

    void bad_text_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("line");
        QTest::addColumn<int>("column");
        QTest::addColumn<QString>("what");
        QTest::newRow("empty") << "" << 1 << 1 << "The expression is empty.";
        QTest::newRow("ends early") << "a +" << 1 << 4 << "The expression ends too early.";
        QTest::newRow("second line") << "a +\n * b" << 2 << 2 << "A value is missing before '*'.";
        QTest::newRow("open") << "(a + b" << 1 << 1 << "This parenthesis is not closed.";
        QTest::newRow("closed twice") << "(a))" << 1 << 4 << "This parenthesis closes nothing.";
        QTest::newRow("two values") << "a b" << 1 << 3 << "'b' is not expected here.";
        QTest::newRow("implied product") << "2x" << 1 << 1 << "A number ends in something that does not belong to it.";
        QTest::newRow("two points") << "1.2.3" << 1 << 1 << "A number ends in something that does not belong to it.";
        QTest::newRow("point") << "." << 1 << 1 << "'.' alone is no number.";
        QTest::newRow("huge number") << "1e999" << 1 << 1 << "This number is too large or too small.";
        QTest::newRow("chained") << "1 < a < 3" << 1 << 7 << "Comparisons do not chain.";
        QTest::newRow("chained inside") << "(1 < a < 3)" << 1 << 8 << "Comparisons do not chain.";
        QTest::newRow("assignment") << "a = b" << 1 << 3 << "'=' has no meaning here.";
        QTest::newRow("no such function") << "2 + sum(a)" << 1 << 5 << "There is no function 'sum'.";
        QTest::newRow("function as name") << "max + 1" << 1 << 1 << "'max' is a function.";
        QTest::newRow("too many arguments") << "ceil(a, b)" << 1 << 1 << "ceil takes one value.";
        QTest::newRow("no argument") << "max()" << 1 << 5 << "A value is missing before ')'.";
        QTest::newRow("word as value") << "a + and" << 1 << 5 << "A value is missing before 'and'.";
        QTest::newRow("not ASCII") << QStringLiteral("a × b") << 1 << 3 << "A character has no meaning here.";
        QTest::newRow("deep") << QString(1000, QChar('(')) << 1 << 65 << "The expression is nested too deeply.";
        QTest::newRow("many signs") << QString(1000, QChar('-')) + "1" << 1 << 65
                                    << "The expression is nested too deeply.";
        QTest::newRow("long") << "1" + QString("+1").repeated(2048) << 1 << 1
                              << "The expression is longer than 4096 characters.";
    }

    void bad_text() {
        QFETCH(QString, text);
        QFETCH(int, line);
        QFETCH(int, column);
        QFETCH(QString, what);
        const auto expression = parse_expression(text.toStdString());
        QVERIFY(!expression.has_value());
        const Problem& problem = expression.error().front();
        QCOMPARE(QString::fromStdString(problem.what), what);
        QCOMPARE(problem.at.line, line);
        QCOMPARE(problem.at.column, column);
        QVERIFY(!problem.remedy.empty());
    }

    void bad_values_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("column");
        QTest::addColumn<QString>("what");
        QTest::newRow("division by zero") << "1 + a / zero" << 7 << "Division by zero.";
        QTest::newRow("negative root") << "(-a) ^ 0.5" << 6 << "A negative number has no fractional power.";
        QTest::newRow("power of zero") << "zero ^ -1" << 6 << "Zero has no negative power.";
        QTest::newRow("logarithm") << "log2(zero)" << 1 << "Only a number above zero has a logarithm.";
        QTest::newRow("overflow") << "1e300 * 1e300" << 7 << "The result is too large for a number.";
        QTest::newRow("missing") << "a + missing" << 5 << "'missing' has no value.";
        QTest::newRow("infinite") << "a + infinite" << 5 << "'infinite' is not a finite number.";
        QTest::newRow("not a number") << "undefined < 1" << 1 << "'undefined' is not a finite number.";
        QTest::newRow("and needs its left") << "1 / zero > 2 and 0" << 3 << "Division by zero.";
    }

    void bad_values() {
        QFETCH(QString, text);
        QFETCH(int, column);
        QFETCH(QString, what);
        const auto expression = parse_expression(text.toStdString());
        QVERIFY(expression.has_value());
        Values values = hand_values;
        values["infinite"] = std::numeric_limits<double>::infinity();
        values["undefined"] = std::numeric_limits<double>::quiet_NaN();
        const auto value = evaluate(*expression, in(values));
        QVERIFY(!value.has_value());
        QCOMPARE(QString::fromStdString(value.error().front().what), what);
        QCOMPARE(value.error().front().at.column, column);
    }

    void rich_text_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("rich");
        QTest::newRow("subscript") << "t_1 + t_forward"
                                   << "<i>t</i><sub>1</sub> + <i>t</i><sub>forward</sub>";
        QTest::newRow("two subscripts") << "B_per_node"
                                        << "<i>B</i><sub>per node</sub>";
        QTest::newRow("product") << "2 * (n - 1) / n" << QStringLiteral("2 · (<i>n</i> − 1) / <i>n</i>");
        QTest::newRow("ceil") << "ceil(M / 128)" << QStringLiteral("⌈<i>M</i> / 128⌉");
        QTest::newRow("floor") << "floor(x)" << QStringLiteral("⌊<i>x</i>⌋");
        QTest::newRow("power") << "k ^ 2 * -c" << QStringLiteral("<i>k</i><sup>2</sup> · −<i>c</i>");
        QTest::newRow("power of a sum") << "(a + b) ^ (c + 1)"
                                        << "(<i>a</i> + <i>b</i>)<sup><i>c</i> + 1</sup>";
        QTest::newRow("powers of ten") << "x / 1e9" << QStringLiteral("<i>x</i> / 10<sup>9</sup>");
        QTest::newRow("small") << "x / 2.5e-7" << QStringLiteral("<i>x</i> / (2.5·10<sup>−7</sup>)");
        QTest::newRow("Greek") << "alpha + beta_net * m"
                               << QStringLiteral("<i>α</i> + <i>β</i><sub>net</sub> · <i>m</i>");
        QTest::newRow("max") << "max(a, b)"
                             << "max(<i>a</i>, <i>b</i>)";
        QTest::newRow("logarithm") << "log2(g)"
                                   << "log<sub>2</sub>(<i>g</i>)";
        QTest::newRow("comparison") << "a < b and b >= c or a == c"
                                    << QStringLiteral(
                                           "<i>a</i> &lt; <i>b</i> and <i>b</i> ≥ <i>c</i> or <i>a</i> = <i>c</i>");
    }

    void rich_text() {
        QFETCH(QString, text);
        QFETCH(QString, rich);
        QCOMPARE(QString::fromStdString(to_rich_text(*parse_expression(text.toStdString()))), rich);
    }

    void variables_once_in_order() {
        const auto expression = parse_expression("b * t_1 + max(b, a) * t_1");
        QCOMPARE(variables(*expression), (std::vector<std::string>{"b", "t_1", "a"}));
    }

    void names_go_on_behind_a_dot() {
        QCOMPARE(variables(*parse_expression("cluster.workers * layer.conv_1.time2")),
                 (std::vector<std::string>{"cluster.workers", "layer.conv_1.time2"}));
        QCOMPARE(to_rich_text(*parse_expression("a.b_c")), std::string("<i>a.b_c</i>"));
        for (const char* text : {"a.", "a.1", ".a", "a..b", "a. b"}) QVERIFY2(!parse_expression(text), text);
    }

    void operands_of_the_outermost_operator() {
        const auto shown = [](const char* text) {
            std::string all;
            for (const Expression& e : operands(*parse_expression(text))) all += '[' + to_text(e) + ']';
            return all;
        };
        QCOMPARE(shown("a + b < 2 * n"), std::string("[a + b][2 * n]"));
        QCOMPARE(shown("a < b and b < n and n < 9"), std::string("[a < b and b < n][n < 9]"));
        QCOMPARE(shown("max(a, b * 2, -n)"), std::string("[a][b * 2][-n]"));
        QCOMPARE(shown("-(a + b)"), std::string("[a + b]"));
        QCOMPARE(shown("a"), std::string());
        QCOMPARE(shown("7"), std::string());
    }

    void no_lookup_is_no_crash() {
        QVERIFY(!evaluate(*parse_expression("a"), {}).has_value());
        QCOMPARE(*evaluate(*parse_expression("1 + 1"), {}), 2.0);
    }

private:
    void value_rows() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<double>("value");
        QTest::newRow("number") << "12.5" << 12.5;
        QTest::newRow("exponent") << "1.5e3" << 1500.0;
        QTest::newRow("leading point") << ".5" << 0.5;
        QTest::newRow("precedence") << "1 + 2 * 3" << 7.0;
        QTest::newRow("parentheses") << "(1 + 2) * 3" << 9.0;
        QTest::newRow("minus leans left") << "10 - 4 - 3" << 3.0;
        QTest::newRow("division leans left") << "24 / 4 / 3" << 2.0;
        QTest::newRow("power leans right") << "2 ^ 3 ^ 2" << 512.0;
        QTest::newRow("power before sign") << "-2 ^ 2" << -4.0;
        QTest::newRow("negative power") << "2 ^ -1" << 0.5;
        QTest::newRow("sign after times") << "2 * -3" << -6.0;
        QTest::newRow("double sign") << "--3" << 3.0;
        QTest::newRow("names") << "a * b + t_1" << 12.25;
        QTest::newRow("max") << "max(a, b, 2)" << 4.0;
        QTest::newRow("min of one") << "min(a)" << 3.0;
        QTest::newRow("ceil") << "ceil(a / b)" << 1.0;
        QTest::newRow("floor") << "floor(-a / b)" << -1.0;
        QTest::newRow("log2") << "log2(n)" << 3.0;
        QTest::newRow("exp") << "exp(0)" << 1.0;
        QTest::newRow("exp of 1") << "exp(1)" << 2.718281828459045;
        QTest::newRow("less") << "a < b" << 1.0;
        QTest::newRow("less equal") << "a <= 3" << 1.0;
        QTest::newRow("greater") << "a > b" << 0.0;
        QTest::newRow("greater equal") << "b >= 4" << 1.0;
        QTest::newRow("equal") << "a == b - 1" << 1.0;
        QTest::newRow("and") << "a < b and b < a" << 0.0;
        QTest::newRow("or") << "a < b or b < a" << 1.0;
        QTest::newRow("and before or") << "1 or 0 and 0" << 1.0;
        QTest::newRow("comparison as factor") << "(a < b) * 7" << 7.0;
        QTest::newRow("ring all-reduce") << "2 * (n - 1) / n * 1e6 / 1e9" << 2.0 * 7.0 / 8.0 * 1e6 / 1e9;
        QTest::newRow("and guards") << "zero > 0 and 1 / zero > 2" << 0.0;
        QTest::newRow("or guards") << "zero == 0 or 1 / zero > 2" << 1.0;
        QTest::newRow("two lines") << "a +\n  b" << 7.0;
    }

    /// a and b are nothing, u and v are factors of one.
    void what_changes_nothing_is_left_out() {
        const auto neutral = [](std::string_view name) -> std::optional<int> {
            if (name == "a" || name == "b") return 0;
            return name == "u" || name == "v" ? std::optional(1) : std::nullopt;
        };
        const std::pair<const char*, const char*> rows[] = {{"x + a*y - b", "x"},
                                                            {"a - x", "-x"},
                                                            {"u*(x + a)/v", "x"},
                                                            {"u*x*v/(u*y)", "x / y"},
                                                            {"max(0, x - a) + max(a, y, b)", "max(0, x) + y"},
                                                            {"min(a, x) + ceil(b/x) + a^2", "0"},
                                                            {"x*(1 - a)", "x"},
                                                            {"u*v", "1"},
                                                            {"(u - 1)*x", "(u - 1) * x"},
                                                            {"a/x + b", "0"}};
        for (const auto& [text, left] : rows)
            QCOMPARE(to_text(without_neutral(*parse_expression(text), neutral)), std::string(left));
    }
};

QTEST_APPLESS_MAIN(TestExpression)
#include "tst_numerics_expression.moc"
