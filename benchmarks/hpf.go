package benchmarks

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// An HPF is a program in High Performance Fortran.
type HPF struct {
	File string
	Text func(p []int64) string // returns the program for the sizes p
}

// Substrate returns "hpf".
func (HPF) Substrate() string { return "hpf" }

// Prepare calls h.HPF.
func (f HPF) Prepare(p []int64, h Host) error { return h.HPF(f.File, f.Text(p)) }

// constants returns the program of a file whose sizes are named constants, each declared on a line of its own; names lists them in the order of
// the benchmark's sizes.
func constants(file string, names ...string) HPF {
	source := source("hpf/" + file)
	return HPF{File: file, Text: func(p []int64) string {
		text := source
		for i, name := range names {
			line := regexp.MustCompile(`(?m)^(  integer, parameter :: ` + name + ` = )\d+$`)
			text = line.ReplaceAllString(text, "${1}"+strconv.FormatInt(p[i], 10))
		}
		return text
	}}
}

// equalNumbers returns an error if an answer differs from the right one: words must be equal, numbers may differ by less than within.
func equalNumbers(answer, want string, within float64) error {
	got, right := strings.Fields(answer), strings.Fields(want)
	for i := range min(len(got), len(right)) {
		x, err1 := strconv.ParseFloat(got[i], 64)
		y, err2 := strconv.ParseFloat(right[i], 64)
		if got[i] != right[i] && !(err1 == nil && err2 == nil && math.Abs(x-y) < within) {
			return fmt.Errorf("the answer is wrong at word %d: got %s, expected %s", i+1, got[i], right[i])
		}
	}
	if len(got) != len(right) {
		return fmt.Errorf("the answer has %d words, expected %d", len(got), len(right))
	}
	return nil
}

// A table is a text of numbers with a fixed number of decimals.
type table struct {
	strings.Builder
	decimals int
}

func (t *table) add(values ...float64) {
	for _, v := range values {
		fmt.Fprintf(t, " %.*f", t.decimals, v)
	}
}

// check compares an answer with the table, with a tolerance of two units of the last decimal.
func (t *table) check(answer string) error {
	return equalNumbers(answer, t.String(), 2*math.Pow10(-t.decimals))
}
