package emulator

import (
	"flag"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "write testdata/nrev.listing")

// The code of naive reverse: a list is taken apart and its kind tested by one instruction, a cell is built, bound and the goal behind it
// begun by another, and the first goal goes on in place.
func TestListing(t *testing.T) {
	prog, q := prepare(t, nrev, "nrev([1,2,3],R)")
	p, err := lower(prog, q, true, nil)
	if err != nil {
		t.Fatal(err)
	}
	const file = "testdata/nrev.listing"
	got := p.listing()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the code has changed (go test -run Listing -update writes it anew):\n%s", got)
	}
}
