package builtin_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"whorl/fghc/builtin"
	"whorl/fghc/term"
)

// TestVersions replaces elements of random versions of a vector or a string and checks that all versions keep their elements.
func TestVersions(t *testing.T) {
	for _, kind := range []string{"vector", "string"} {
		rapid.Check(t, func(t *rapid.T) {
			a := newArena()
			n := rapid.IntRange(1, 6).Draw(t, "length")
			newArgs := []term.Word{0, term.MakeInt(int64(n))}
			if kind == "string" {
				newArgs = append(newArgs, term.MakeInt(8))
			}
			_, made := a.do("", "new_"+kind, newArgs...)
			type version struct {
				word term.Word
				want []int64
			}
			versions := []version{{made[0], make([]int64, n)}}
			for range rapid.IntRange(0, 60).Draw(t, "replacements") {
				from := versions[rapid.IntRange(0, len(versions)-1).Draw(t, "version")]
				if rapid.Bool().Draw(t, "the newest") {
					from = versions[len(versions)-1]
				}
				i, x := rapid.IntRange(0, n-1).Draw(t, "index"), rapid.Int64Range(0, 255).Draw(t, "element")
				v, args := a.do("", "set_"+kind+"_element", from.word, term.MakeInt(int64(i)), term.MakeInt(x), 0)
				if v != builtin.Yes {
					t.Fatal(a.fault)
				}
				want := slices.Clone(from.want)
				want[i] = x
				versions = append(versions, version{args[3], want})
				look := versions[rapid.IntRange(0, len(versions)-1).Draw(t, "looked at")]
				for k, x := range look.want {
					if v, args := a.do("", kind+"_element", look.word, term.MakeInt(int64(k)), 0); v != builtin.Yes || args[2] != term.MakeInt(x) {
						t.Fatalf("element %d is %d, expected %d", k, args[2].Value(), x)
					}
				}
			}
			for _, v := range versions {
				var got []int64
				if kind == "string" {
					text, _ := builtin.Text(a, v.word)
					for _, b := range text {
						got = append(got, int64(b))
					}
				} else {
					for _, w := range builtin.Elements(a, v.word) {
						got = append(got, w.Value())
					}
				}
				if !slices.Equal(got, v.want) {
					t.Fatalf("%v, expected %v", got, v.want)
				}
			}
		})
	}
}

// TestVersionsAreShared checks that replacements in a short and in a long vector allocate the same number of words, and that an old version
// becomes fast to read after the first read.
func TestVersionsAreShared(t *testing.T) {
	words := func(n int64) (used, far, near int) {
		a := newArena()
		_, made := a.do("", "new_vector", 0, term.MakeInt(n))
		first := made[0]
		v, before := first, len(a.m)
		for k := range int64(2000) {
			_, args := a.do("", "set_vector_element", v, term.MakeInt(k%n), term.MakeInt(k), 0)
			v = args[3]
		}
		used = len(a.m) - before
		look := func() int {
			a.work = 0
			a.do("", "vector_element", first, term.MakeInt(n-1), 0)
			return a.work
		}
		return used, look(), look()
	}
	short, far, near := words(10)
	if long, _, _ := words(1000); short != long {
		t.Errorf("%d words for replacements in a short vector, %d in a long one", short, long)
	}
	if far > 2000 || near > 20 {
		t.Errorf("an element of the first version of two thousand took %d steps, and then %d", far, near)
	}
}
