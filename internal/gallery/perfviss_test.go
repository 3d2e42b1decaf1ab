package gallery

const spike = "whorl run hpf/spike --pes 4 -o out/spike.whorl"

// lines returns the panel of a view of the program of 94,824 lines, with the colours of the paper.
func lines(title, view, options, file string) panel {
	return command(title, spike, "whorl render out/spike.whorl --view "+view+" --palette spectrum"+options+" -o docs/figures/"+file)
}

// modules returns the panel of a network of modules.
func modules(network, file string) panel {
	return command("", spike, "whorl render --network "+network+" out/spike.whorl --view modules --size 1000x750 -o docs/figures/"+file)
}

// golden are the lines that the golden rectangle of Figure 4 outlines and that Figures 1 to 3 show.
const golden = " --detail spike.f90:20396..20435"

var perfvissPaper = &paper{
	name:    "perfviss",
	title:   "G. Klinker et al., \"PerfVisS\"",
	numbers: []string{"1", "2", "3", "4", "5", "6", "7", "8"},
	figures: []figure{
		{
			number: "1", title: "Detailed view, source code, and sorted performance data",
			panels: []panel{
				lines("the lines of the golden rectangle", "detail", golden+" --size 1300x750", "perfviss-1a.svg"),
				lines("the lines around the hottest one", "detail", " --size 1300x750", "perfviss-1b.svg"),
			},
			rows: []string{"least and most ticks of the hottest line", "colours of most, of few and of no ticks"},
			text: `Columns a, b and c in one view: heat with the counts of the four processors, the source, and the least and the most ticks with their
processors, as a dark bar and, stacked on it, a light one for the difference. Comments and lines without ticks are black; the heat is normalised to
the hottest line of the whole program, so that the lines of the golden rectangle are cold; the second picture has hot ones.`,
		},
		{
			number: "2", title: "Assembler instructions of a selected area",
			panels: []panel{lines("", "assembler", golden+" --size 1000x750", "perfviss-2.svg")},
			text:   `The instructions of the lines in the detailed view, with the ticks of each. They are those of our own compiler, not of an Alpha.`,
		},
		{
			number: "3", title: "Three-dimensional performance profile",
			panels: []panel{lines("", "surface", golden+" --size 1000x750", "perfviss-3.png")},
			text:   `The same lines as a surface: the busiest stand out as peaks.`,
		},
		{
			number: "4", title: "Overview window",
			panels: []panel{lines("", "overview", golden+" --set bin=4 --size 1000x750", "perfviss-4.png")},
			rows:   []string{"processors", "empty lines that are kept, and bins of a strip", "lines (Figure 4)", "lines that are left", "bins", "strips", "strip of the busiest procedure"},
			text: `The yellow rectangle outlines the busiest procedure, in the eighth strip, and the golden one the lines of the detailed view, in the
leftmost. The program is generated, since the paper's is not public; it has as many lines and runs only some of them.`,
		},
		{
			number: "5", title: "Ranked procedure window",
			panels: []panel{lines("", "procedures", " --size 1000x520", "perfviss-5.svg")},
			text:   `The procedures with the most ticks, with their shares and their distribution over the processors.`,
		},
		{
			number: "6", title: "Data flow network of the profiler",
			panels: []panel{modules("examples/modules/perfviss.toml", "perfviss-6.svg")},
			text: `The profile flows to the overview (skip, bin by the maximum, strips, normalise, heat) and, around the hottest line, to the detailed view. The
paper passes cursors back through its network; here a selection is shared by all views and needs no links.`,
		},
		{
			number: "7", title: "Schematic overview",
			panels: []panel{modules("docs/figures/perfviss-7.toml", "perfviss-7.svg")},
			text: `The seven blocks: A reads the profile; B ranks procedures, C is the overview, D the detailed view, E the source, F the surface and G the sorted
processors. C and D are groups of modules. Each block but A is a window. In the paper the lines of D flow on to E, F and G; here these read the profile,
and all views share the lines that are shown in detail.`,
		},
		{
			number: "8", title: "Network for telecollaborative use",
			panels: []panel{modules("docs/figures/perfviss-8.toml", "perfviss-8.svg")},
			text: `The displays of Figure 6 for two sites, with identical input flowing into each pair. What a pair reads is computed once. The paper multiplexes
the output of each pair; shared selections take its place here.`,
		},
	},
}
