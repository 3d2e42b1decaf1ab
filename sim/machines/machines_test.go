package machines

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"whorl/sim"
	"whorl/testdata/must"
)

func TestMachinesAreComplete(t *testing.T) {
	files, err := filepath.Glob("*.toml")
	if err != nil || len(files) != len(names) {
		t.Errorf("%d machine files for %d names (%v)", len(files), len(names), err)
	}
	for i, p := range All() {
		if p.Name != names[i] {
			t.Errorf("machine %q is called %q in its file", names[i], p.Name)
		}
		if p.Doc == "" || strings.Contains(p.Doc, "\n") {
			t.Errorf("%s: doc %q is no sentence", p.Name, p.Doc)
		}
		if !strings.Contains(strings.ToLower(p.Source), "chosen") {
			t.Errorf("%s: source does not say which figures are chosen", p.Name)
		}
		if err := p.Model.Check(); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
		if p.Model.Latency == 0 || p.Model.Overhead == 0 || p.Model.Gap == 0 || p.Model.BytePs == 0 {
			t.Errorf("%s: something is free: %+v", p.Name, p.Model)
		}
	}
	s, err := Named("symmetry")
	if want := (sim.Model{InstructionPs: 250_000, Overhead: 2000, Latency: 4000, Gap: 600, BytePs: 18_760}); err != nil || s.Model != want || s.PEs != 5 || s.Network != "bus" {
		t.Errorf("symmetry is %+v, error %v", s, err)
	}
	if _, err := Named("cenju"); err == nil || !strings.Contains(err.Error(), "did you mean cenju3?") {
		t.Errorf("machine cenju: error %v", err)
	}
}

const goodMachine = `name = "mine"
doc = "of my own"
pes = 16
network = "torus2d"
instruction_ns = 2.5
overhead_ns = 300
latency_ns = 1_000
gap_ns = 100
byte_ns = 0.1
`

func TestRead(t *testing.T) {
	p, err := Read("mine.toml", []byte(goodMachine))
	want := Preset{"mine", "of my own", "", 16, "torus2d", sim.Model{InstructionPs: 2500, Overhead: 300, Latency: 1000, Gap: 100, BytePs: 100}}
	if err != nil || p != want {
		t.Errorf("got %+v, error %v, want %+v", p, err, want)
	}
	for _, c := range []struct{ old, new, want string }{
		{"gap_ns =", "gap =", "mine.toml: gap_ns is missing\nmine.toml:8: gap: unknown key \"gap\"; did you mean gap_ns?"},
		{"latency_ns =", "latancy_ns =", "mine.toml: latency_ns is missing\nmine.toml:7: latancy_ns: unknown key \"latancy_ns\"; did you mean latency_ns?"},
		{"pes = 16", "pes = 0", "mine.toml:3: pes: 0: expected a whole number from 1 to 1,048,576"},
		{"pes = 16", "pes = 16.5", "mine.toml:3: pes: 16.5: expected a whole number from 1 to 1,048,576"},
		{"torus2d", "tours2d", "mine.toml:4: network: unknown network \"tours2d\"; did you mean torus2d or torus3d?"},
		{`"torus2d"`, "7", "mine.toml:4: network: 7: expected a quoted text"},
		{"= 2.5", "= 0", "mine.toml:5: instruction_ns: 0: expected ns from 0.001 to 1000000"},
		{"= 2.5", "= nan", "mine.toml:5: instruction_ns: NaN: expected ns from 0.001 to 1000000"},
		{"= 0.1", "= -0.1", "mine.toml:9: byte_ns: -0.1: expected ns from 0 to 1000000"},
		{"= 300", "= 2_000_000_000", "mine.toml:6: overhead_ns: 2000000000: expected a whole number of ns from 0 to 1000000000"},
		{"= 300", "= ", "mine.toml:6: "},
		{"gap_ns = 100", "gap_ns = 100\n[bus]\nwide = 8", "unknown key \"bus\""},
		{`"mine"`, `""`, "mine.toml:1: name: : expected a quoted text"},
	} {
		text := strings.Replace(goodMachine, c.old, c.new, 1)
		if text == goodMachine {
			t.Fatalf("%q is not in the file", c.old)
		}
		if _, err := Read("mine.toml", []byte(text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s instead of %s: error\n%v\nwant\n%s", c.new, c.old, err, c.want)
		}
	}
	if _, err := Read("mine.toml", make([]byte, maxFile+1)); err == nil {
		t.Error("a file above the limit is read")
	}
	deep := "bus = " + strings.Repeat("{a = ", maxFile/8) // a decoder would take minutes
	if _, err := Read("mine.toml", []byte(deep)); err == nil || !strings.Contains(err.Error(), "nested tables") {
		t.Errorf("nested tables: %v", err)
	}
}

// Any text gives a valid machine or an error.
func FuzzRead(f *testing.F) {
	f.Add([]byte(goodMachine))
	for _, name := range names {
		text := must.Get(os.ReadFile("" + name + ".toml"))(f)
		f.Add(text)
	}
	f.Add([]byte("name = \"x\"\npes = 1e3\n[network]\n"))
	f.Add([]byte("byte_ns = inf\ninstruction_ns = -nan\ndoc = '''\npes = 1'''\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := Read("fuzz", text)
		if err != nil {
			return
		}
		if err := p.Model.Check(); err != nil {
			t.Errorf("Read returned an invalid machine: %v", err)
		}
		if _, err := sim.NetworkNamed(p.Network, p.PEs); err != nil {
			t.Errorf("Read returned an invalid machine: %v", err)
		}
	})
}
