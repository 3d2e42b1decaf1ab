package gallery

const (
	anywhere = "whorl run fibonacci 22 --pes 8 --machine cenju3 --policy random -o out/random.whorl"
	ring     = "whorl run fibonacci 22 --pes 8 --machine cenju3 --policy ring -o out/ring.whorl"
	still    = " --view bodies --set measures=false --set color=traffic --legend none --size 480x440"
)

// stencil returns the command that runs a stencil on a mesh of 3 x 3 x 3.
func stencil(trace, extra, growth string) string {
	return "whorl run hpf/mesh 16 100 " + extra + " " + growth + " --pes 27 --machine cenju3 --net mesh3d -o out/" + trace + ".whorl"
}

// cube returns the panel of a picture of eight bodies, all in one scale.
func cube(title, run, trace, until, file string) panel {
	return command(title, run, "whorl render out/"+trace+".whorl"+still+" --camera 0,0,55@480x440 --until "+until+" -o docs/figures/"+file)
}

// mesh returns the panel of a picture of a mesh, all in one scale, half way through the run without another time.
func mesh(title, trace, extra, growth, until, file string) panel {
	return command(title, stencil(trace, extra, growth), "whorl render out/"+trace+".whorl"+still+" --camera 0,0,85@480x440"+until+" -o docs/figures/"+file)
}

var bodiesPaper = &paper{
	name:    "animation",
	title:   "N. Osawa, H. Morita, T. Yuba, \"Animation for Performance Debugging of Parallel Computing Systems\", 1997",
	numbers: []string{"1", "2", "3", "4"},
	figures: []figure{
		{
			number: "1", title: "Procedure of animation",
			panels: []panel{command("", anywhere, "whorl render out/random.whorl --view modules --set of=bodies --size 1000x750 -o docs/figures/animation-1.svg")},
			text: `The stages of the view: traffic is the model's input, motion its simulation, and the picture its visualisation. ` + "`whorl sonify`" + ` and the viewer make it
audible, and the viewer takes the input. ` + "`whorl convert random.whorl random.wrl`" + ` writes the animation as VRML 2.0, as the paper does.`,
		},
		{
			number: "2", title: "Load distribution methods",
			panels: []panel{
				{name: "animation-2a.svg", title: "(a) random distribution", commands: []string{anywhere}, draw: drawLinks("random.whorl")},
				{name: "animation-2b.svg", title: "(b) ring-like distribution", commands: []string{ring}, draw: drawLinks("ring.whorl")},
			},
			rows: []string{"children on the PE of their parent, under `random` and `ring`"},
			text: `Circles are PEs, and lines are the messages of the two runs, as wide as their share of the bytes. A child always runs on another PE than its
parent.`,
		},
		{
			number: "3", title: "Two load distribution methods",
			panels: []panel{
				cube("(a) initial state", anywhere, "random", "0s", "animation-3a.png"),
				cube("(b) random load distribution", anywhere, "random", "111ms", "animation-3b.png"),
				cube("(c) ring-like load distribution", ring, "ring", "193ms", "animation-3c.png"),
				command("(c) with its measures", ring, "whorl render out/ring.whorl --view bodies --until 193ms --size 1000x750 -o docs/figures/animation-3d.png"),
			},
			rows: []string{"`fghc/fibonacci 22`, `random`", "`fghc/fibonacci 22`, `ring`"},
			text: `Fibonacci numbers of 22 on eight PEs, in one scale, b and c after 60 % of their runs. Under random placement the bodies converge and keep the
shape of the cube; under ring-like placement they do not, in space and, as the trails show, in time. The paper has no links and no trails in
this figure and samples the traffic each 0.1 s of a run of minutes; here it is sampled in 600 intervals of the run. The disc is the clock.`,
		},
		{
			number: "4", title: "3-D mesh topology",
			panels: []panel{
				mesh("(a) initial state", "balanced", "0", "1", " --until 0s", "animation-4a.png"),
				mesh("(b) balanced communication load", "balanced", "0", "1", "", "animation-4b.png"),
				mesh("(c) imbalanced, light computational load", "light", "4", "1", "", "animation-4c.png"),
				mesh("(d) imbalanced, heavy computational load", "heavy", "4", "40", "", "animation-4d.png"),
			},
			rows: []string{"balanced", "imbalanced, light", "imbalanced, heavy", "largest error of a distance in the mesh, in links, with weak repulsion and without"},
			text: `A stencil on 27 PEs in place of the paper's pseudo traces, half way through the runs. The volume of a sphere is the load of its PE. Balanced
communication keeps the shape, which is a little smaller; more of it in a corner distorts the mesh; and with more work the bodies of that corner
move less.`,
		},
	},
}
