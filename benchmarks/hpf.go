package benchmarks

import (
	"embed"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// An HPF is a program in High Performance Fortran.
type HPF struct {
	File string
	Text func(p []int64) string // the program for the sizes p
}

// Substrate returns "hpf".
func (HPF) Substrate() string { return "hpf" }

//go:embed hpf/*.hpf
var hpfSources embed.FS

// constants is the program of a file whose sizes are named constants, in the order of the benchmark's: each is declared in a line of its own.
func constants(file string, names ...string) HPF {
	b, err := hpfSources.ReadFile("hpf/" + file)
	if err != nil {
		panic(err) // the file is one of this module's
	}
	source := string(b)
	return HPF{File: file, Text: func(p []int64) string {
		text := source
		for i, name := range names {
			line := regexp.MustCompile(`(?m)^(  integer, parameter :: ` + name + ` = )\d+$`)
			text = line.ReplaceAllString(text, "${1}"+strconv.FormatInt(p[i], 10))
		}
		return text
	}}
}

// equalNumbers says where an answer differs from the one that is wanted: words that are no numbers have to be equal, numbers may differ by
// less than within.
func equalNumbers(answer, want string, within float64) error {
	got, right := strings.Fields(answer), strings.Fields(want)
	for i := range min(len(got), len(right)) {
		x, err1 := strconv.ParseFloat(got[i], 64)
		y, err2 := strconv.ParseFloat(right[i], 64)
		if got[i] != right[i] && !(err1 == nil && err2 == nil && math.Abs(x-y) < within) {
			return fmt.Errorf("the answer is wrong at word %d: %s where %s is right", i+1, got[i], right[i])
		}
	}
	if len(got) != len(right) {
		return fmt.Errorf("the answer has %d words where %d are right", len(got), len(right))
	}
	return nil
}

// A table is text that is written number by number, each with so many decimals.
type table struct {
	strings.Builder
	decimals int
}

func (t *table) add(values ...float64) {
	for _, v := range values {
		fmt.Fprintf(t, " %.*f", t.decimals, v)
	}
}

// check compares an answer with the table, numbers to two units of the last decimal.
func (t *table) check(answer string) error {
	return equalNumbers(answer, t.String(), 2*math.Pow10(-t.decimals))
}
