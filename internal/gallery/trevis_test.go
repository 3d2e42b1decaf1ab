package gallery

// threads returns the panel of a thread graph.
func threads(title, run, trace, file, options string) panel {
	return command(title, run, "whorl render out/"+trace+".whorl --view threadgraph"+options+" --size 1000x750 -o docs/figures/"+file)
}

const (
	fork = "whorl run dts/fibonacci --pes 8 -o out/fibonacci.whorl"
	rsa  = "whorl run dts/rsa --pes 12 -o out/rsa.whorl"
	sort = "whorl run dts/bubblesort --pes 8 -o out/bubblesort.whorl"
)

var trevisPaper = &paper{
	name:    "trevis",
	title:   "B. Steckelbach et al., \"Visualization of Parallel Execution Graphs\", 1998 (DTS and TreVis)",
	numbers: []string{"1", "2", "3", "4", "5"},
	figures: []figure{
		{
			number: "1", title: "Control flow for a single master and a single slave thread",
			panels: []panel{threads("", "whorl run ./internal/gallery/testdata/figure1 --pes 2 -o out/figure1.whorl", "figure1", "trevis-1.svg", "")},
			text: `Start, fork, the begin and the completion of a join, and end, each with a mark of its own; the master waits where its line is dashed. The
events init and exit carry no information for the graph, as the paper says, and are not drawn. The paper calls the creation of a thread "start" in
section 2 and "fork" in section 3: an erratum; here fork is the creation.`,
		},
		{
			number: "2", title: "A series-parallel graph",
			panels: []panel{threads("", "whorl run ./internal/gallery/testdata/figure2 --pes 8 -o out/figure2.whorl", "figure2", "trevis-2.svg", "")},
			rows: []string{
				"shortest and longest edge of Figure 2, in s", "sides and columns of its subthreads, the outermost first", "its joins that lie at the later of both predecessors",
			},
			text: `Edges from 0.01 to 3.14 s, of which the short ones are enlarged, so that the joins of the main thread can be told apart. The outermost
subthread lies left and takes four columns; the second lies right, with two, and the third right, since that side is smaller. Nothing crosses.`,
		},
		{
			number: "3", title: "Call graph of the calculation of Fibonacci numbers",
			panels: []panel{threads("", fork, "fibonacci", "trevis-3.png", "")},
			rows:   []string{"threads of Fibonacci (Figure 3)", "Fibonacci is series-parallel; its crossings"},
			text: `The paper prints ` + "`i < 35`" + `, which would fork 48 million threads; 729 threads are those of ` + "`i < 12`" + `: an erratum. The numbers have their trees one
after the other, each about as large as the two before it together.`,
		},
		{
			number: "4", title: "Call graphs of RSA encryption",
			panels: []panel{
				threads("A: small edges enlarged", rsa, "rsa", "trevis-4a.svg", ""),
				threads("B: original time scale", rsa, "rsa", "trevis-4b.svg", " --set truescale=true"),
			},
			rows: []string{"threads of RSA (Figure 4)", "RSA is series-parallel; its crossings", "joined in reverse"},
			text: `A shows the calling sequence, B the balance of the load. Twelve workers that are joined in the order of their forks overlap pairwise. The
paper's sentence on crossings, that f1 is before f2 but j1 after j2, describes nesting: an erratum. They cross when j1 is before j2.`,
		},
		{
			number: "5", title: "Call graph of bubble merge sort",
			panels: []panel{threads("", sort, "bubblesort", "trevis-5.png", "")},
			rows:   []string{"threads of bubble merge sort (Figure 5)"},
			text:   `100,000 integers: a binary tree of threads that divides at the top, sorts in the middle and merges below, ever fewer and ever longer.`,
		},
	},
}
