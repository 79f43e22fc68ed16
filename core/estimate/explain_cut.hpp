// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/estimate/explain_page.hpp"

/// Pages of hybrid's cut.
namespace scalescope::explaining {

/// Transfers at the cut for one slice; `forward`: into the back part.
std::vector<Term> cut_terms(const Context& c, bool forward);
/// Links i, o: transfers into the back part and out of it, where there are any.
void link_transfers(Page& page, bool in, bool out);
Page cut_page(const Context& c, const Item& item);

}  // namespace scalescope::explaining
