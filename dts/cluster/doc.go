// Package cluster runs programs of threads on several hosts: forks of functions that are registered by name go to other nodes, and what a
// node was at when it died is done again.
//
//	var funcs dts.Registry
//
//	func main() {
//		fib = dts.Register(&funcs, "fib", fibonacci) // fibonacci forks fib.Fork(w, n-1)
//		n, err := cluster.Run(ctx, cluster.Options{Local: dts.Options{Funcs: &funcs}}, fib, 40)
//		...
//	}
//
// The nodes are processes of one program, connected to servers of NATS: to an embedded one (StartServer), or to those of a list of URLs.
// There are two layers, since what is stored takes seven times as long as what is only sent, or eighty times where it has to be on the disk.
//
// Forks are messages from node to node, over what NATS calls core, which delivers at most once. A fork has a future, which lives on the node of
// its parent (caller). The node that gets the call (callee) says nothing when it is done within 20 ms, but answers; else it accepts it, with all others that
// came meanwhile, in one message. A call that is not accepted within a second, or whose node has died, is sent to another node, and when
// there is none it runs on its parent's node: the rule of R. Blumofe and P. Lisiecki, "Adaptive and Reliable Parallel Computing on Networks of
// Workstations" (1997). Once accepted, the parent asks for it each second. Answers are kept for a while, so that one that was lost is asked for and not
// computed again. The first answer counts; to compute one twice is the only harm in taking a living node for dead. A node is dead when the server
// has lost its connection, or when nothing was heard of it for two seconds, and alive when it is heard of again.
//
// A call has an id that follows from the job and its place in the tree of forks. A node that has calls of a dead parent tells the others their
// ids; when the parent runs again elsewhere, and forks them again, they are found there, running or done.
//
// A job is the root of such a tree. It lies in a work queue of JetStream (jobs.go) until its result is stored. The node that takes it renews
// its lease of 2 s as long as it is at it; when that runs out, another node gets the job. An acknowledgement that comes late is accepted all
// the same, and a node that was cut off may end a job that another one has ended: so of each job the first result is stored, and further ones are
// refused. There is no limit of attempts, and no back-off, which would take the place of the lease. A single fork is never stored, its job is.
//
// Nodes, and those who have jobs for them, run one program, whose version is written down as long as one of them is there (version.go); others are
// refused, and those who wait for nodes are told so. Who has the server dismisses the nodes before it closes it.
//
// What nodes record goes to a stream as well (tracelog.go), piece by piece, under the name of the node and the number of the piece, with the
// messages about calls (mail.go), and becomes one trace (collect.go).
//
// How many calls may be outstanding at a node is bounded, so that most forks stay where they are and cost what they cost without a cluster;
// calls are also kept that take less than two round trips, as the program says (dts.Func.Takes), or else as is known from what the same function
// took with the same argument, or one about as long.
package cluster
