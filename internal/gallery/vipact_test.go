package gallery

const mixture = "whorl run hpf/mixture 256 32 20 24 --pes 256 -o out/mixture.whorl"

// halos returns the panel of a tree of halos.
func halos(title, options, file string) panel {
	return command(title, mixture, "whorl render out/mixture.whorl --view halo"+options+" -o docs/figures/"+file)
}

var vipactPaper = &paper{
	name:    "vipact",
	title:   "H. T. Nguyen et al., \"VIPACT: A Visualization Interface for Analyzing Calling Context Trees\", 2016",
	numbers: []string{"1", "2", "3"},
	others: `The paper's program, Miranda, is not public. ` + "`hpf/mixture`" + ` stands for it: two gases that mix, with more work for three eighths of 256 processes, for which
the others wait in a broadcast, and an allocator that most branches call.`,
	figures: []figure{
		{
			number: "1", title: "Halo node",
			panels: []panel{
				halos("work that is not evenly distributed, with the three colour scales", " --set top=0 --select 'context = 5559650098478919934' --camera 8.2,3.3,240/150@480x400 --size 860x440", "vipact-1a.svg"),
				halos("work that is evenly distributed", " --set top=0 --select 'context = 3198048686849691508' --camera 3.97,2.5,240/150@480x400 --legend none --size 480x440", "vipact-1b.svg"),
			},
			rows: []string{
				"inner, central and outer ring of the broadcast", "of the hydrodynamics, where work is even", "of the program, whose processes take equally long",
			},
			text: `Two halos with their histograms, which are centred at the mean over a range that is symmetric about it. The thirds of the range are the inner,
the central and the outer ring, each with the share of its processes as its colour.`,
		},
		{
			number: "2", title: "Node-link diagram with the integrated DAG view",
			panels: []panel{
				halos("(a) the tree with the functions", " --size 1000x750", "vipact-2a.svg"),
				{name: "vipact-2b.png", title: "(b) a function, enlarged", commands: []string{mixture}, draw: drawCloseUp},
			},
			rows: []string{"least share of a context that is drawn, and part of the functions, in %", "contexts of at least 1 %, of all"},
			text: `Contexts of at least 1 % are drawn. A function without a context in the tree stands at the bottom, linked to its lowest visible ancestors. The
centre of its disc has the colour of its share of the largest such function, and its rim that of its share of the run; the legend has both scales.`,
		},
		{
			number: "3", title: "Halo-DAG tree",
			panels: []panel{
				halos("(a) the allocator and its links", " --select 'procedure = new_block' --size 1000x750", "vipact-3a.svg"),
				halos("(b) the branch of the broadcast", " --select 'context = 5559650098478919934' --size 1000x750", "vipact-3b.svg"),
			},
			rows: []string{
				"processes", "processes slower than the mean in the broadcast", "share of the broadcast",
				"share of the allocator (`_int_malloc`, here `new_block`)", "contexts that call it, of those with callees", "largest context of the allocator, hidden below 1 %",
			},
			text: `Most halos are blue. Those of the mixing and of the broadcast are red: most processes are slower than the mean in the broadcast, since they wait
there for the others. The allocator is called from most branches, has less than 1 % in each, and stands at the bottom.`,
		},
	},
}
