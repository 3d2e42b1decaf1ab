// Package tracer holds the one trace that every substrate writes and every view reads: events, the streams that record them, the typed
// dictionaries that give their codes a meaning, and the text form of a whole trace. Trace files are in tracer/store.
//
// # Events
//
// The fields of an event by its kind:
//
//	kind               PE               Task     Ref                         Peer                   Code              Value
//	Init, Exit         the PE                                                                       host or process   exit status
//	Fork               of the parent    new      parent                      where it is placed     function          bytes of the arguments
//	Start              where it runs    task     joiner if inline, parent 0  came from; -2 inline   function          attempt, from 1
//	End                where it ran     task     as for Start                                       function          0 ok, 1 failed, 2 cancelled
//	JoinBegin, JoinEnd of the joiner    joiner   joined                      where that one ended   line of the call
//	Reduce             of the commit    goal     parent goal                 PE of the parent       clause            cost in ns
//	Suspend, Fail      of the try       goal     parent goal                                        procedure         cost of the try in ns
//	Resume             of the binder    resumed  binder                      where it is queued     procedure
//	Move               new holder       task     message or 0                old holder             reason            bytes
//	Send, Recv         sender, receiver task/0   message                     the other PE           line or class     bytes
//	Busy, Idle, Overhead  the PE        task/0                                                      reason
//	Wait               that it left     thread   calling context                                    reason
//	Wake               of the waker     woken    waker, 0 unknown                                   reason, if not the waker alone
//	Sample             the PE           running  calling context             labels, or -1          metric            amount
//	Counter            the PE           object/0                                                    metric            value
//	Mark               the PE           task     free                        free                   name              free
//
// Some events are implied. A Reduce implies the creation of its goal at the Reduce of its parent, so goals have no
// Fork. Start and End with Peer -2 imply a JoinBegin and a JoinEnd at the same instants. Builtins in a body that wait
// (":=") suspend, resume and end but never reduce; they do not count as reductions. A trace holds no ids of variables,
// because the cells of the arena move. A PE that never works has no events.
//
// # Threads of real programs
//
// A thread that was written for dts waits in joins. A thread of any other program waits for locks, channels, messages and
// the kernel, and runs on many PEs. Its events are these; docs/events.md lists what each format's records become.
//
//   - Fork when it is created, Start when it first runs, End. A Fork follows a Sample of its parent with the metric "forks",
//     the Value 1 and the calling context of the call.
//   - Busy with its Task and its function as Code when it runs on a PE, before its Start too. It takes the place of the thread
//     that ran there.
//   - Overhead with its Task and a reason while the system works for it on its PE: "system call", "gc". It comes after its Start.
//   - Idle with its Task and the reason "preempted" when it loses its PE although it can run.
//   - Wait when it waits, with the reason and the calling context. Wake when it can run again, with the thread that woke it.
//     A Wake without a known waker has a reason: "timer", "network", "system call", "something outside". A waker that the trace does not
//     name but that can be inferred is given with the reason "inferred".
//   - A Sample with the metric "waiting" in ns after the Wake, with the calling context of the Wait and its length, so that all
//     views of calling contexts show waits.
//
// The time from Fork or Wake to Start or Busy is that of a thread that is ready and has no PE. Exact times of nested regions
// are Samples with the metric RegionTime: at the beginning of each part of a region that is in no inner one, with the part's
// length. They take the place of the time of threads in views of calling contexts.
//
// # Codes and contexts
//
// An entry of the code table has a type: procedure, clause, function, line, instruction, metric (with unit and scale),
// message class, reason, host, name or label. It has a name, a file and line, a parent entry, and a count of children (the
// body goals of a clause, the lines of a function). A calling context is a pair of a parent context and a code. Both
// tables and the metadata only grow. The text of the source files is part of the trace.
//
// The labels of a sample are a context too: a chain of entries of labels, in the order of the profile. Samples with equal labels share it. A label
// is named key:value, and its parent is the entry of its key.
//
// # Ids
//
// Task ids come from one counter. A commit or a fork takes consecutive ids in the order of its body. Siblings therefore
// sort by Task, ids stay dense, and derivations can use arrays. A live worker takes blocks of 4,096 ids with one atomic
// addition; a node of a cluster uses a prefix. Ids of the form pe<<40|n take 14 to 20 bytes an event in the file, ids
// from one counter 9 to 13.
//
// # Streams and recording
//
// Each writer has one stream: the simulator has one, a live run one for each worker, a cluster one for each worker and
// one for the messages of each node. Time never falls within a stream. A reader merges streams by (Time, stream) and
// holds an event back while its Task is unknown.
//
// A writer fills a slot in place (*stream.Slot() = Event{...}), which costs 8 ns; passing the struct by value costs 18.
// Slots are in a ring of segments that are sealed and reused, because touching fresh memory costs 42 to 150 ns an
// event. With recording off, the cost is a predictable branch.
package tracer
