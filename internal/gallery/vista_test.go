package gallery

const (
	sorting  = "whorl render testdata/traces/quicksort.vista --program testdata/traces/quicksort.fghc --view kaleidoscope --color procedure --size 1000x750"
	wave     = "whorl run fghc/pascal --pes 5 -o out/pascal-5.whorl"
	sequence = "whorl run fghc/pascal --pes 1 -o out/pascal-1.whorl"
	rounds   = "whorl run fghc/semigroup --pes 5 -o out/semigroup.whorl"
	loose    = "whorl run internal/fidelity/testdata/closure.fghc --goal 'go(3, 64, X)' --pes 5 -o out/closure.whorl"
)

// snail returns the panel of a picture of Pascal's triangle, with the straight sides of the paper.
func snail(run, trace, color, file string) panel {
	return command("", run, "whorl render out/"+trace+".whorl --view kaleidoscope --color "+color+" --set sides=straight --size 1000x750 -o docs/figures/"+file)
}

// spokes returns the panel of a picture of Semigroup, in the window of the paper.
func spokes(title, run, trace, color, file string) panel {
	return command(title, run, "whorl render out/"+trace+".whorl --view kaleidoscope --color "+color+
		" --set sides=straight --legend none --size 850x850 -o docs/figures/"+file)
}

var vistaPaper = &paper{
	name:    "vista",
	title:   "E. Tick, D.-Y. Park, \"Kaleidescope Visualization of Fine-Grain Parallel Programs\", 1991",
	numbers: []string{"2", "6", "8", "9", "10", "11", "13", "15", "16", "17", "18", "19", "20"},
	others: `Figure 1 is a picture of another system. Figures 3 to 5, 7, 12 and 14 are algorithms and the format of trace records, which Whorl reads and
writes (` + "`whorl convert`" + `). The trace behind Figures 6 to 13 is not printed: [quicksort.vista](../../testdata/traces/quicksort.vista) is written from the
algorithm, so that the PEs and numbers of the nodes that the paper names are those of the paper.`,
	figures: []figure{
		{
			number: "2", title: "Sample program: quick sort in FGHC",
			panels: []panel{command("",
				"whorl run testdata/traces/quicksort.fghc --goal 'qsort([2,1,4,5,3],X)' --pes 4 -o out/quicksort.whorl",
				"whorl render out/quicksort.whorl --view source --size 1000x440 -o docs/figures/vista-2.svg")},
			rows: []string{"reductions of quick sort of [2,1,4,5,3]", "its levels"},
			text: `The standard program with difference lists, as the view of sources shows it after a run: beside each clause stand its reductions and
their time, 23 reductions in all.`,
		},
		{
			number: "6", title: "Hash table after the 15th record",
			panels: []panel{{name: "vista-6.svg", draw: drawHashTable}},
			rows:   []string{"rows of the hash table after the 15th record", "entries that wait for children then"},
			text: `The second pass with level condensing 2:1, without reuse of entries. Rows 1 to 31 are those of the paper, with the same levels, counts,
parents and nodes. The paper prints a twelfth row, 32, for a leaf, which its own algorithm never enters: an erratum.`,
		},
		{
			number: "8", title: "Whole reduction tree for quick sort",
			panels: []panel{command("", sorting+" --set labels=record -o docs/figures/vista-8.svg")},
			rows:   []string{"reductions of quick sort of [2,1,4,5,3]", "its levels"},
			text: `Each node has the triple of the paper: procedure and number of the record, PE, and number on the PE. D is (qsort/3 5, 3, 1). Here and in
the following figures the tree is drawn around its root, as the paper draws large trees.`,
		},
		{
			number: "9", title: "Reduction tree after level condensing by 2:1",
			panels: []panel{command("", sorting+" --set labels=record --set distance=100 -o docs/figures/vista-9.svg")},
			rows:   []string{"nodes after level condensing 2:1"},
			text:   `A least distance of 100 pixels between levels leaves room for every second one. Nodes hang from their nearest ancestor that is left.`,
		},
		{
			number: "10", title: "Reduction tree after level connection",
			panels: []panel{{name: "vista-10.svg", draw: drawLevels}},
			text: `The tree as a binary tree with cousin pointers, dotted as in the paper, and the first node of each level. The letters name the nodes level
by level, from left to right. So do those of the paper: A, C, D, E, J, M and N are the nodes that it calls so.`,
		},
		{
			number: "11", title: "Weight calculation for quick sort",
			panels: []panel{command("", sorting+" --set labels=weight -o docs/figures/vista-11.svg")},
			rows: []string{
				"weights of the child of the root and of its children", "as sums of the weights of children and of the height", "weights of the children of E",
			},
			text: `The weight of a node is its height plus the weights of its children.`,
		},
		{
			number: "13", title: "Node allocation for quick sort",
			panels: []panel{command("", sorting+" --set labels=sector -o docs/figures/vista-13.svg")},
			rows:   []string{"their sectors, from and by how many degrees", "sector of J, the first child of E"},
			text:   `Start and size of each sector in degrees, clockwise from the east as in a window, whose y axis points down. The paper rounds them.`,
		},
		{
			number: "15", title: "Pascal's triangle from the procedure view",
			panels: []panel{snail(wave, "pascal-5", "procedure", "vista-15.png")},
			rows: []string{
				"reductions of Pascal's triangle, row 35", "its height", "its reductions by procedure", "coefficients that rows 1, 2, 3, ... compute", "reductions of the two lines at the east",
			},
			text: `The snail, whose arms are rows: makeRows/4 spawns them near the root, bigPlus/3, bigp/4 and setc/3 add coefficients at the leaves, and the two
lines at the east side expand the last half row. The colours of procedures are our own; the paper has cyan for the distribution and sky blue
for the numbers. No level is condensed.`,
		},
		{
			number: "16", title: "Pascal's triangle from the PE view (5 PEs)",
			panels: []panel{snail(wave, "pascal-5", "pe", "vista-16.png")},
			rows:   []string{"reductions of PEs 0 to 4"},
			text:   `The five colours are distributed almost evenly, and some rows change their PE within, as in the paper.`,
		},
		{
			number: "17", title: "Pascal's triangle from the time view (5 PEs)",
			panels: []panel{snail(wave, "pascal-5", "time", "vista-17.png")},
			rows:   []string{"Along the arms or around the spiral > `on-demand` | 5", "hues of the colours of time, in degrees"},
			text: `The spectrum runs outwards along the rows, "although not perfectly so", as in the paper, and around the spiral as well: level and angle rise
together. [fidelity.md](../fidelity.md#schedules-that-the-paper-leaves-open) measures how much each leads, and which readings of the paper's schedule come nearer.`,
		},
		{
			number: "18", title: "Pascal's triangle from the time view (1 PE)",
			panels: []panel{snail(sequence, "pascal-1", "time", "vista-18.png")},
			rows:   []string{"Along the arms or around the spiral > `on-demand` | 1"},
			text:   `The spectrum runs around the spiral: goals run depth-first where nothing suspends.`,
		},
		{
			number: "19", title: "Semigroup from the PE view (5 PEs)",
			panels: []panel{
				spokes("`fghc/semigroup`, in rounds", rounds, "semigroup", "pe", "vista-19.png"),
				spokes("without rounds", loose, "closure", "pe", "vista-19b.png"),
			},
			rows: []string{
				"reductions of Semigroup (the paper's vectors are not known; these are others)", "height of Semigroup",
				"levels that a window of 850 shows, 4 apart", "of 174 levels, those shown whole and those shown 2:1",
				"levels left of them with the root's, and circles that they take", "what a window of 850 x 850 leaves out of it", "The program of Semigroup > reductions", "The program of Semigroup > height", "child on the PE of its parent, of five",
			},
			text: `Many spokes, each a multiplication of vectors, almost all on one PE. The window is that of the paper, 850 x 850 with levels 4 apart. The
paper's program and vectors are not public. Ours compute the closure of the free semigroup over Brandt's B2, in rounds (all products of a round,
then their lookups), and without rounds, where a new member is multiplied as soon as its lookup has found it; the second has the shape of the
paper's picture, spokes all around a small centre, and more levels.`,
		},
		{
			number: "20", title: "Semigroup from the time view (5 PEs)",
			panels: []panel{
				spokes("`fghc/semigroup`, in rounds", rounds, "semigroup", "time", "vista-20.png"),
				spokes("without rounds", loose, "closure", "time", "vista-20b.png"),
			},
			rows: []string{"threads clockwise on five PEs", "threads clockwise on one PE"},
			text: `In the paper threads run neither clockwise nor anticlockwise. In rounds they run clockwise here; without rounds they do not, because members
are found in an order that the lookups in the hash tree make irregular, which is the paper's own explanation.`,
		},
	},
}
