// Package cluster runs programs of threads on several hosts. Forks of functions registered by name go to other nodes.
// The work of a node that dies is done again.
//
//	func main() {
//		var funcs dts.Registry
//		fib = dts.Register(&funcs, "fib", fibonacci) // fibonacci forks fib.Fork(w, n-1)
//		n, err := cluster.Run(ctx, cluster.Options{}, fib, 40)
//		...
//	}
//
// Outside a cluster, cluster.Run calls the function in this process. In a process that imports this package, dts.Run
// joins a cluster too, if the environment names one (attach.go): the process becomes a node and keeps the main thread,
// which may use its variables. The job of cluster.Run needs no particular node.
//
// The nodes are processes of one program, connected to NATS servers: an embedded server (StartServer) or the servers
// of a list of URLs. There are two layers, because storing a message takes seven times as long as only sending it, or
// eighty times if it has to reach the disk.
//
// Forks are messages from node to node over core NATS, which delivers a message at most once. A fork has a future,
// which lives on the node of its parent (caller). The node that receives the call (callee) answers if it is done
// within 20 ms. Otherwise it accepts the call, in one message with all calls that arrived meanwhile. A call that is
// not accepted within a second, or whose node has died, is sent to another node; without another node it runs on its
// parent's node. This is the rule of R. Blumofe and P. Lisiecki, "Adaptive and Reliable Parallel Computing on
// Networks of Workstations" (1997). The parent asks for an accepted call each second. The callee keeps results for a
// while, so that a lost result can be asked for instead of computed again. The first result counts. Taking a living
// node for dead costs no more than duplicate work. A node is dead when the server has lost its connection or when no
// message arrived from it for two seconds. It is alive again with its next message.
//
// The id of a call follows from its job and its position in the tree of forks. A node that runs calls of a dead
// parent sends their ids to the others. When the parent runs again elsewhere and forks the calls again, it finds them
// there, running or done.
//
// A job is the root of such a tree. It stays in a JetStream work queue (jobs.go) until its result is stored. The node
// that runs it renews its lease of 2 s, and names it in its beats. When the lease expires, or another node sees that the
// node is dead and returns the job to the queue, another node gets the job. JetStream accepts a late
// acknowledgement, and a node that was cut off may complete a job that another node has completed. So the first
// result of a job is stored and later ones are refused. Attempts have no limit and no back-off, which would replace
// the lease. Single forks are never stored.
//
// If the threads of all nodes wait, the node that waits for an answer finds this out from a consistent cut
// (standstill.go). A run of dts.Run ends with a *dts.DeadlockError if they wait for each other. If some wait for a
// channel or a lock, which a timer may still serve, the node logs where they wait.
//
// Nodes, and the processes that submit jobs, run the same program. The servers store its version as long as one of
// them is connected (version.go). They refuse other programs and report the refusal to the processes that wait for
// nodes. The process with the server dismisses the nodes before it closes the server.
//
// Nodes send their traces to a stream too (tracelog.go), in pieces with the name of the node and a number, together
// with the messages about calls (messagelog.go). Collect reads them (collect.go), and package merge makes them one trace.
//
// The number of outstanding calls to a node is bounded, so most forks stay on their node and cost the same as without
// a cluster. Calls shorter than two round trips stay too. Their duration is the program's estimate (dts.Func.Takes),
// or else the duration of earlier calls of the same function with the same argument or with one of about the same
// length.
package cluster
