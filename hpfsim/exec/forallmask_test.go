package exec

import (
	"fmt"
	"testing"

	"whorl/testdata/testenv"

	"pgregory.net/rapid"
)

// TestMaskedForall checks that a FORALL with any mask gives the same as a nest, element by element, and on live processors.
func TestMaskedForall(t *testing.T) {
	nests := 0
	check := func(draw *rapid.T) {
		pick := func(of ...string) string { return rapid.SampledFrom(of).Draw(draw, "") }
		index := func() string { return pick("i", "j", "i", "j", "i+1", "j-1", "15-i", "3", "q") }
		read := func() string {
			return pick(pick("a", "b", "c", "k")+"("+index()+", "+index()+")", pick("x", "u", "l")+"("+index()+")", "i", "j", "q", "2")
		}
		left := pick("a(i, j)", "a(j, i)", "k(i, j)", "c(j, i+1)", "a(15-i, j)", "b(i+1, j-1)", "k(2*i-3, j)", "x(i)")
		indices := "i = " + pick("2:7", "2:8:3", "7:2:-2") + ", j = " + pick("2:13", "3:13:2", "13:3:-5")
		if left == "x(i)" {
			indices = "i = " + pick("2:13", "12:3:-3")
		}
		mask := read() + pick(" > ", " < ", " == ", " /= ") + pick(read(), "5")
		if pick("y", "n") == "y" {
			mask = "(" + mask + ")" + pick(" .and. ", " .or. ", " .neqv. ") + "(" + read() + " > 3)"
		}
		body := fmt.Sprintf("j = 4\nforall (%s, %s) %s = %s\n", indices, mask, left, pick(read(), read()+" + "+read(), left+" * 2 - "+read(), "mod(i * 3, 5)"))
		mapping := rapid.SampledFrom(mappings).Draw(draw, "")
		text, processors := nestProgram(mapping, body), rapid.SampledFrom([]int{1, 4, 6}).Draw(draw, "")
		lines, difference := 0, ""
		if !testenv.Race {
			lines, difference = nestsAndPlain(t, text, processors)
		}
		if difference != "" {
			draw.Fatal(difference)
		}
		if _, _, before, _ := traced(t, nestProgram(mapping, ""), processors, asNests); lines > before {
			nests++
		}
		want, _, wrong := run(t, "p.f90", text, "", processors, Options{})
		if got, _, err := run(t, "p.f90", text, "", processors, Options{Live: true, leastShared: 1}); got != want || fmt.Sprint(err) != fmt.Sprint(wrong) {
			draw.Fatalf("%s\nlive on %d: %v\n%s\nsimulated: %v\n%s", text, processors, err, got, wrong, want)
		}
	}
	rapid.Check(t, check)
	if nests == 0 && !testenv.Race {
		t.Error("no FORALL ran as a nest")
	}
}
