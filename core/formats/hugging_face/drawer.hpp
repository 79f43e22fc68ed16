// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <unordered_set>
#include <vector>

#include "core/formats/hugging_face/config.hpp"
#include "core/formats/hugging_face/families.hpp"
#include "core/network/network.hpp"

namespace scalescope::formats::hugging_face {

/// Reports errors in a line of a block that can be found without a configuration: its callee, inputs and attributes.
void check_statement(const Lineage& line, const Statement& statement, Problems& problems);

/// Executes the blocks of a family with the figures of a configuration.
class Drawer final : public Scope {
public:
    Drawer(const Families& families, NetworkDraft& draft, ProblemList& problems)
        : families_(families), draft_(draft), problems_(problems) {}

    /// Adds the layers of the whole network. Adds any errors to the problems.
    void draw(const Family& family, Config& config, const std::string& architecture);

    Value value_of(const std::string& name, const SourcePosition& at) override;
    bool has(const std::string& name) override;
    Value fault(const SourcePosition& at, std::string what, std::string remedy) override;

private:
    /// A family and the object that contains its figures.
    struct Instance {
        Lineage line;
        Config& config;
        std::map<const Figure*, Value> stated = {};  ///< figures looked up so far; `none` if left out
    };
    /// Names and values of a block, or of one repetition of a line. Names that are not here are looked up in `outer`,
    /// then among the figures.
    struct Frame {
        Frame* outer = nullptr;
        std::map<std::string, Value, std::less<>> names, figures;  ///< figures: those already evaluated
    };
    struct Drawn {
        std::size_t first = 0, count = 0;
    };

    LayerId enter(Instance& instance, const std::string& architecture, const std::vector<Value>& inputs);
    void declare_symbols();
    /// Reports the errors or the warnings of the family. Marks the layers from index `first` on that rest on an
    /// assumption.
    void note_problems(bool errors, std::size_t first);
    void mark_assumed(const Note& note, const std::string& what, std::size_t first);
    Value figure(const std::string& name, const Figure& figure);
    Value of_words(const Figure& figure, const std::string& name, Value value);

    Value run(const Block& block, const std::vector<Value>& inputs, Frame& frame);
    void run(const Statement& statement);
    Value call(const Statement& statement, const std::string& name);
    Value call_block(const Statement& statement, const Block& block, const std::string& name);
    Value call_part(const Statement& statement, const std::string& name);
    Value add_layer(const Statement& statement, const std::string& name);
    AttributeValue attribute(const AttributeInfo& info, const Expression& given);
    std::vector<Value> inputs_of(const Statement& statement);
    std::string joined(const std::string& name) const;
    void share(const std::string& weights, Drawn drawn);
    /// Counts a step, so that no file can keep the program busy for long. False after too many steps or a fault.
    bool step(const SourcePosition& at);

    const Families& families_;
    NetworkDraft& draft_;
    ProblemList& problems_;
    Instance* instance_ = nullptr;
    Frame* frame_ = nullptr;
    std::string prefix_;               ///< "h0/attention/"
    std::vector<std::string> active_;  ///< figures that are being evaluated
    std::map<std::string, Drawn> shared_;
    std::unordered_set<std::string> names_;  ///< of layers
    int depth_ = 0;
    std::size_t steps_ = 0;
    bool stopped_ = false;
};

}  // namespace scalescope::formats::hugging_face
