// Package share is the protocol of a shared session: several people look at the same traces, in windows and pages of their own. It knows no network, no
// threads and no pictures, so that tests run it in virtual time over connections that break.
//
// The state of a session is a board of registers. A register has a key, a value in JSON, the number of the revision that wrote it, and the person who
// did. A [Hub] holds the board and numbers the revisions; a [Member] holds the copy of one person. The last writer of each register wins, in the order
// of the arrival of changes at the hub. A member shows its own changes at once, and ignores those of others to the same registers until the hub has
// acknowledged its own, since these come later in the order of the hub. So all copies agree as soon as nothing is under way.
//
// The first part of a key says who may write the register:
//
//	stage/...       what presenters show: presenters and owners
//	person/ID       name, colour, role and presence of a person: the hub
//	person/ID/...   selection, cameras, pointer and hand of a person: this person; presenters may remove the hand
//	trace/ID        the traces of the session: the hub
//	note/...        notes: everybody; a note of somebody else: presenters and owners
//	answer/ALIAS/.. answers to the questions of a lesson: the person with this alias; presenters and owners read those of all, without their names
//
// A connection that is slower than the changes misses intermediate values and never the last ones: the hub sends the registers that have changed since
// the last message, not the changes. Apart from these, only messages to a single member are queued.
//
// docs/sharing.md describes the messages for programs in other languages.
package share
