package ranges

import (
	"slices"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, c := range []struct{ list, want string }{{"", ""}, {" 3", "3"}, {"0-31, 64", "0-31,64"}, {"5-5", "5"}, {"3 1", "3,1"}, {",7-0,", "7-0"}, {"0 - 31 , 64- 70", "0-31,64-70"}} {
		if all, err := Parse(c.list); err != nil || Format(all) != c.want {
			t.Errorf("%q: ranges %v, error %v; want %s", c.list, all, err, c.want)
		}
	}
	for _, list := range []string{"x", "-4", "1-", "1-2-3"} {
		if _, err := Parse(list); err == nil || !strings.HasSuffix(err.Error(), ": expected numbers and ranges, for instance 0-31,64") {
			t.Errorf("%q: error %v", list, err)
		}
	}
}

func TestParseLargeNumbers(t *testing.T) {
	const want = `"0-2147483648": expected numbers up to 2,147,483,647`
	if _, err := Parse("7,0-2147483648"); err == nil || err.Error() != want {
		t.Errorf("error %v; want %s", err, want)
	}
}

func TestFormatNumbers(t *testing.T) {
	for _, c := range []struct {
		numbers []int32
		want    string
	}{{nil, ""}, {[]int32{4}, "4"}, {[]int32{0, 1, 2, 64}, "0-2,64"}, {[]int32{2, 1, 0, 1}, "2,1,0-1"}, {[]int32{7, 7}, "7,7"}} {
		if got := FormatNumbers(c.numbers); got != c.want {
			t.Errorf("%v: %s, want %s", c.numbers, got, c.want)
		}
	}
}

func TestJoin(t *testing.T) {
	got := Join([][2]int{{7, 9}, {3, 3}, {0, 2}, {8, 8}, {2, 5}, {1, 4}, {12, 11}})
	if want := [][2]int{{0, 5}, {7, 9}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
