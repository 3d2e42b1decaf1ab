// Package engine runs compiled FGHC on the simulated machine.
//
// A step of the machine tries one goal: its code inspects the arguments and commits to a clause, or notes the unbound
// variables that it needs. The body of a clause builds terms, binds variables, wakes the goals that waited for them,
// and pushes its goals; the first goal may continue in place. Terms live in one arena of words (package term), which a
// copying collector cleans between two steps (package semispace). A step counts its work (Costs) and pays for it in
// virtual time.
//
// On a shared bus every PE reads every term. On other networks a term belongs to the PE that built it. A goal that
// moves to another PE takes only its argument words along; the terms that they refer to become imports, cells that name
// the owner. A goal that reads an import asks the owner and waits for the answer, as for any variable. A goal that
// binds an import tells the owner. Both are messages with a size in bytes (imports.go, mail.go).
//
// # Terms and suspension
//
// Terms are tagged words in a flat []uint64 arena with indices for pointers. Go's collector never scans them, and the
// engine collects its own garbage between reductions. A goal suspends on the variables that blocked it only when every
// clause has failed or blocked, and wakes when one of them is bound. A builtin that waits needs all its inputs and
// wakes when the last one is bound. The collector reaches a suspended goal only through its variables; the goals that
// it does not reach can never wake and are reported with the deadlock.
//
// # Imports
//
// When two variables of different PEs become one, the one of the higher PE refers to that of the lower, so no circle of
// references can close. An owner answers a fetch of a variable that has become another one with that other one, and the
// waiting goals are tried again. No PE holds an import of a term of its own. An alternative would be to stall the PE for the length of a round
// trip; it would hide the cost of distribution and the gain of hiding latency.
//
// # Integers
//
// Integers have 64 bits, and overflow is an error, except in files named *.kl1, where integers wrap as in KLIC. The
// builtin bigint(Expression, X) computes with any precision up to 4 million bits.
package engine
