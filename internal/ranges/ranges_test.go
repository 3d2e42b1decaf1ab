package ranges

import (
	"slices"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, c := range []struct{ list, want string }{{"", ""}, {" 3", "3"}, {"0-31, 64", "0-31,64"}, {"5-5", "5"}, {"3 1", "3,1"}, {",7-0,", "7-0"}} {
		if all, err := Parse(c.list); err != nil || Format(all) != c.want {
			t.Errorf("%q: ranges %v, error %v; want %s", c.list, all, err, c.want)
		}
	}
	for _, list := range []string{"x", "-4", "1-", "0,99999999999", "1-2-3"} {
		if _, err := Parse(list); err == nil || !strings.HasSuffix(err.Error(), ": expected numbers and ranges, for instance 0-31,64") {
			t.Errorf("%q: error %v", list, err)
		}
	}
}

func TestOf(t *testing.T) {
	for _, c := range []struct {
		numbers []int32
		want    string
	}{{nil, ""}, {[]int32{4}, "4"}, {[]int32{0, 1, 2, 64}, "0-2,64"}, {[]int32{2, 1, 0, 1}, "2,1,0-1"}, {[]int32{7, 7}, "7,7"}} {
		all := Of(c.numbers)
		if Format(all) != c.want {
			t.Errorf("%v: %s, want %s", c.numbers, Format(all), c.want)
		}
		var back []int32
		for _, r := range all {
			for n := r.First; n <= r.Last; n++ {
				back = append(back, int32(n))
			}
		}
		if !slices.Equal(back, c.numbers) {
			t.Errorf("%v: the ranges have %v", c.numbers, back)
		}
	}
}

func TestJoin(t *testing.T) {
	got := Join([][2]int{{7, 9}, {3, 3}, {0, 2}, {8, 8}, {2, 5}, {1, 4}, {12, 11}})
	if want := [][2]int{{0, 5}, {7, 9}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
