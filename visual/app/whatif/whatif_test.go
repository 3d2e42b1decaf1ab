package whatif

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"whorl/experiment"
	"whorl/replay"
	"whorl/visual/testdata/usertest"
	"whorl/visual/ui"
)

func pascal() experiment.Run {
	r := experiment.Defaults("fghc/pascal")
	r.Args = []string{"35"}
	return r
}

func TestApply(t *testing.T) {
	r := pascal()
	r.Machine = "symmetry:latency=5us"
	recorded := experiment.Run{Program: "x", Trace: true, Recorded: &experiment.Recorded{Recording: &replay.Recording{}}, PEs: 2, Policy: "steal", Machine: "recorded", Seed: 1}
	for _, c := range []struct {
		name     string
		base     experiment.Run
		settings map[string]string
		want     string // the command, or the error
	}{
		{
			"everything", r,
			map[string]string{"pes": "8", "seed": "3", "policy": "steal", "network": "ring", "latency": "10us", "gap": "0ns", "argument n": "20"},
			"whorl run fghc/pascal 20 --pes 8 --policy steal --seed 3 --machine symmetry:latency=10us:gap=0ns --net ring",
		},
		{"another machine has the time too", r, map[string]string{"machine": "cenju3", "byte": "0.5ns"}, "whorl run fghc/pascal 35 --pes 4 --policy on-demand --seed 1 --machine cenju3:byte=0.5ns"},
		{"speed", r, map[string]string{"speed bigp/4": "2"}, "whorl run fghc/pascal 35 --pes 4 --policy on-demand --seed 1 --machine symmetry:latency=5us --speed bigp/4=2"},
		{"usual speed", r, map[string]string{"speed bigp/4": "1"}, "whorl run fghc/pascal 35 --pes 4 --policy on-demand --seed 1 --machine symmetry:latency=5us"},
		{"no speed", r, map[string]string{"speed bigp/4": "0"}, "expected a factor from 0.001 to 1000"},
		{"no PEs", r, map[string]string{"pes": "0"}, "PEs: 0 PEs: a machine has 1 to 1,048,576"},
		{"too many PEs", r, map[string]string{"pes": "1000000000"}, "PEs: 1,000,000,000 PEs: a machine has 1 to 1,048,576"},
		{"negative PEs", r, map[string]string{"pes": "-3"}, "PEs: -3 PEs: a machine has 1 to 1,048,576"},
		{"PEs in words", r, map[string]string{"pes": "many"}, `PEs: "many" is not a number of PEs: expected 1 to 1048576`},
		{"negative seed", r, map[string]string{"seed": "-1"}, `Seed: "-1" is not a whole number from 0`},
		{"negative time", r, map[string]string{"latency": "-1us"}, "Latency: machine symmetry:latency=-1us: latency=-1us: expected a time from 0ns to 1 s, such as 10us"},
		{"time without unit", r, map[string]string{"gap": "10"}, "expected a time from 0ns to 1 s"},
		{"argument out of range", r, map[string]string{"argument n": "-1"}, "n: "},
		{"unknown setting", r, map[string]string{"pse": "4"}, `unknown setting "pse"; did you mean pes?`},
		{"HPF has no seed", experiment.Defaults("hpf/jacobi"), map[string]string{"seed": "2"}, `unknown setting "seed"`},
		{"waits of a program that is no recording", r, map[string]string{"zero mutex": "none"}, `unknown setting "zero mutex"`},
		{"no waits", recorded, map[string]string{"zero lock 3": "none", "zero network": "as recorded", "speed f": "1.11111"}, "whorl replay x --pes 2 --policy steal --seed 1 --speed f=1.11111 --zero 'lock 3'"},
		{"waits in other words", recorded, map[string]string{"zero mutex": "nnone"}, `mutex: unknown value "nnone"; did you mean none?`},
	} {
		got, err := Apply(c.base, c.settings)
		text := got.Command("")
		if err != nil {
			text = err.Error()
		}
		if !strings.Contains(text, c.want) || err == nil && text != c.want {
			t.Errorf("%s: got %s, want %s", c.name, text, c.want)
		}
	}
	if r.Args[0] != "35" {
		t.Error("Apply changes the arguments of the run that it is given")
	}
}

// TestSlide: the slider of a setting has the recorded value and the present one among its steps.
func TestSlide(t *testing.T) {
	r := pascal()
	for _, s := range settingsOf(&r, []string{"speed bigp/4"}) {
		if s.steps == nil {
			continue
		}
		last := -1.0
		for _, step := range s.steps {
			x, err := s.number(step)
			if err != nil || x <= last {
				t.Errorf("%s: the step %s follows %g (%v)", s.name, step, last, err)
			}
			last = x
			if err := s.set(new(r), step); err != nil {
				t.Errorf("%s: the slider has %s: %v", s.name, step, err)
			}
		}
		recorded := s.value(&r)
		if steps, at := s.slide(recorded, recorded); steps[at] != recorded {
			t.Errorf("%s: the slider stands at %s, the run has %s", s.name, steps[at], recorded)
		}
	}
	s := pes(&r)
	if steps, at := s.slide("4", "1000000"); steps[at] != "1000000" {
		t.Errorf("the slider stands at %s", steps[at])
	}
}

// shownUser returns a user of a panel and the last thing that the user has done.
func shownUser(t *testing.T, p *Panel, s *Shown) (*usertest.User, *Did) {
	var last Did
	return usertest.New(t, 1000, 900, func(c *ui.Context) {
		r := c.Window()
		now := *s
		if did := p.Draw(c, &r, &now, "W"); did.Set || did.Copy != "" {
			last = did
			if did.Set {
				s.Settings = did.Settings
			}
		}
	}), &last
}

// TestTypedValues: values beyond sense get a message, and neither the trial nor the text is lost.
func TestTypedValues(t *testing.T) {
	p, s := Panel{Open: true}, Shown{Trace: "pascal", Base: pascal(), Settings: map[string]string{"seed": "7"}}
	u, did := shownUser(t, &p, &s)
	for _, c := range []struct{ text, want string }{
		{"0", "PEs: 0 PEs: a machine has 1 to 1,048,576"},
		{"1000000000", "PEs: 1,000,000,000 PEs: a machine has 1 to 1,048,576"},
		{"-2", "PEs: -2 PEs: a machine has 1 to 1,048,576"},
		{"x", `PEs: "x" is not a number of PEs`},
	} {
		u.ClickOn("what if/pes value")
		u.Run(ui.Event{Kind: ui.Key, Name: "a", Mods: ui.Control})
		u.Type(c.text)
		u.Keys("Enter")
		if text := strings.ReplaceAll(u.Texts(), "\n", " "); did.Set || s.Settings["seed"] != "7" || !strings.Contains(text, c.want) || p.texts["pes"] != c.text {
			t.Errorf("%s typed: settings %v, text %q:\n%s", c.text, s.Settings, p.texts["pes"], u.Texts())
		}
	}
	u.Keys("Escape")
	if p.texts["pes"] != "" || s.Settings["seed"] != "7" {
		t.Errorf("Escape leaves the text %q and the settings %v", p.texts["pes"], s.Settings)
	}
	u.Type("16")
	u.Keys("Enter")
	if !did.Set || s.Settings["pes"] == "" {
		t.Errorf("after a number the settings are %v", s.Settings)
	}
}

// TestKeys: an arrow key moves a slider, the recorded value is no setting, and Escape asks for the recorded run.
func TestKeys(t *testing.T) {
	p, s := Panel{Open: true}, Shown{Trace: "pascal", Base: pascal()}
	u, did := shownUser(t, &p, &s)
	u.ClickOn("what if/latency value")
	u.Keys("Tab")
	u.Run(ui.Event{Kind: ui.Key, Name: "Tab", Mods: ui.Shift})
	u.Run(ui.Event{Kind: ui.Key, Name: "Tab", Mods: ui.Shift})
	u.Keys("ArrowRight")
	if s.Settings["latency"] != "5us" || did.More {
		t.Errorf("one arrow to the right sets %v, more %v", s.Settings, did.More)
	}
	u.Keys("ArrowRight")
	if s.Settings["latency"] != "6us" || !did.More {
		t.Errorf("two arrows to the right set %v, more %v", s.Settings, did.More)
	}
	u.Keys("ArrowLeft", "ArrowLeft")
	if len(s.Settings) != 0 {
		t.Errorf("back at the recorded value the settings are %v", s.Settings)
	}
	u.Keys("ArrowRight")
	u.Keys("Escape")
	if len(s.Settings) != 0 {
		t.Errorf("after Escape the settings are %v", s.Settings)
	}
	u.Click("Copy command")
	if want := "whorl run fghc/pascal 35 --pes 4 --policy on-demand --seed 1 --machine symmetry -o pascal-what-if.whorl"; did.Copy != want {
		t.Errorf("copied %q, want %q", did.Copy, want)
	}
	s.Why = errors.New("the run was on real cores")
	u.Step()
	if !u.Shows("This run cannot be changed here") || u.Shows("Latency") {
		t.Errorf("of a run that cannot be repeated the panel shows\n%s", u.Texts())
	}
}

// TestSpeedOfPart: a part that is chosen gets a slider, whose value is in the command.
func TestSpeedOfPart(t *testing.T) {
	p, s := Panel{Open: true}, Shown{Trace: "pascal", Base: pascal(), Parts: []string{"go/2", "bigp/4"}}
	u, _ := shownUser(t, &p, &s)
	u.ClickOn("what if/part")
	u.Keys("End")
	u.Keys("Enter")
	if p.part != "bigp/4" {
		t.Fatalf("the part %q is chosen", p.part)
	}
	if all := u.Run().Controls; !slices.ContainsFunc(all, func(a ui.Accessible) bool { return a.Role == ui.RoleSlider && a.Name == "speed bigp/4" }) {
		t.Errorf("for screen readers no slider is named after the part: %+v", all)
	}
	u.ClickOn("what if/speed bigp/4 value")
	u.Run(ui.Event{Kind: ui.Key, Name: "a", Mods: ui.Control})
	u.Type("2.5")
	u.Keys("Enter")
	if s.Settings["speed bigp/4"] != "2.5" || !strings.Contains(strings.ReplaceAll(u.Texts(), "\n", " "), "--speed bigp/4=2.5") {
		t.Errorf("the settings are %v in\n%s", s.Settings, u.Texts())
	}
}

// TestRankedList tries the parts of the list, in the order of what they gain, by click and by key.
func TestRankedList(t *testing.T) {
	function := func(name string, elapsed ...int64) *experiment.Gain {
		return &experiment.Gain{Kind: "function", Name: name, Work: 500, Elapsed: elapsed, Least: 300}
	}
	l := &Ranked{On: "On 2 PEs:", Elapsed: 1000, Gains: []*experiment.Gain{
		function("main.fast", 950, 900, 850, 500), {Kind: "wait", Name: "mutex", Count: 7, Elapsed: []int64{-1, -1, -1, 800}, Least: 700}, function("main.slow", 900, 890, 870, 860), function("main.idle", -1, -1, -1, 1000),
	}}
	s := Shown{
		Trace: "x", Settings: map[string]string{"pes": "4", "speed main.other": "2"}, Ranked: l,
		Base: experiment.Run{Program: "x", Trace: true, Recorded: &experiment.Recorded{Recording: &replay.Recording{}}, PEs: 2, Policy: "steal", Machine: "recorded", Seed: 1},
	}
	for _, height := range []float32{900, 400} {
		p := Panel{Open: true, Lists: true}
		var last Did
		u := usertest.New(t, 1000, height, func(c *ui.Context) {
			r := c.Window()
			now := s
			if did := p.Draw(c, &r, &now, "W"); did.Set {
				last = did
				s.Settings = did.Settings
			}
		})
		if height < 500 {
			u.Run(ui.Event{Kind: ui.Wheel, X: 900, Y: 200, DY: 1e4})
		}
		order := func(want ...string) {
			t.Helper()
			text, at := u.Texts(), -1
			for _, name := range want {
				i := strings.Index(text, name)
				if i <= at {
					t.Errorf("at a height of %g points the list is not in the order %q:\n%s", height, want, text)
				}
				at = i
			}
		}
		order("main.fast", "wait mutex", "main.slow")
		u.Click("wait mutex")
		if want := map[string]string{"pes": "4", "zero mutex": "none"}; !maps.Equal(s.Settings, want) || !last.Path || last.More {
			t.Errorf("a click on the mutex sets %v, %+v", s.Settings, last)
		}
		u.Click("10 %")
		order("wait mutex", "main.slow", "main.fast")
		u.Click("wait mutex")
		if want := map[string]string{"pes": "4"}; !maps.Equal(s.Settings, want) || last.Path {
			t.Errorf("another click on the mutex sets %v, %+v", s.Settings, last)
		}
		u.Keys("ArrowDown", "Enter")
		if want := map[string]string{"pes": "4", "speed main.slow": "1.11111"}; !maps.Equal(s.Settings, want) {
			t.Errorf("Enter sets %v", s.Settings)
		}
		u.Keys("Escape")
		if len(s.Settings) != 0 {
			t.Errorf("Escape leaves %v", s.Settings)
		}
		l.Path, l.Changed = []*Share{{"runs main.fast", 0.5, 0.25}}, true
		if u.Step(); !u.Shows("50.0 %") || !u.Shows("25.0 %") {
			t.Errorf("the panel lacks the shares of the critical path:\n%s", u.Texts())
		}
		l.Path, l.Changed, s.Settings = nil, false, map[string]string{"pes": "4"}
	}
	p := Panel{Open: true}
	s.Ranked, s.Settings, s.Parts = nil, map[string]string{"zero lock 3": "none"}, []string{"main.fast"}
	u, _ := shownUser(t, &p, &s)
	if !u.Shows(groupZero) || strings.Count(u.Texts(), groupSpeed) != 1 {
		t.Errorf("the settings are\n%s", u.Texts())
	}
	u.Click("Ranked gains")
	if !p.Lists {
		t.Error("a click does not show the list")
	}
}
