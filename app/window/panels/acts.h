// What keys and the palette do that takes more than one command: it follows from the state. Their table is actions.h.
#pragma once

#include "app/window/panels/panel.h"

namespace streamscope::window {

class TimelinePanel;

namespace act {

using Act = void(const Panel& panel, TimelinePanel& timeline);

Act mark, set_range;           // the interval measured, else that of the selected operation
Act pin_selection, unpin_all;  // its track; all
Act path_otherwise;            // the critical path as a line; then all else pale; then neither
Act rulers_otherwise;          // shown or not
Act all_waits_otherwise;       // their arrows
Act try_first, light_first;    // the change that would help most; what the first cause speaks of
Act cuda_otherwise;            // beside the program, or no more
Act colour_otherwise;          // by kind or by stream
Act present_otherwise;         // to a room, or no more
Act lesson_next;               // step; presented, what a question asks about is revealed first: a clicker has one key
Act lesson_before;             // the step before
Act lesson_reveal;             // the run that the question is about
Act clear;                     // closes or clears one thing, the topmost that there is
Act compare_with_before;       // the run in view with the one made before it
Act swap_runs;                 // the two that are compared
Act arrange_otherwise;         // stacked or overlaid
Act name_run;                  // the one in view

}  // namespace act
}  // namespace streamscope::window
