package remark

import "testing"

// A remark is read from the line that it is written as, also indented; other comments are no remarks.
func TestParse(t *testing.T) {
	for _, want := range []Remark{{true, "f(x) is forked"}, {false, "f(y) stays a call: // is a comment"}} {
		if got, ok := Parse("\t  " + want.String() + "\r"); !ok || got != want {
			t.Errorf("%+v is read as %+v, %v", want, got, ok)
		}
	}
	for _, line := range []string{"//dts:fork", "// dts:serial", "x() //dts:serial y", "//dts:parallelx y", ""} {
		if r, ok := Parse(line); ok {
			t.Errorf("%q is read as %+v", line, r)
		}
	}
}
