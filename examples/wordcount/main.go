// Wordcount prints the ten most frequent words of text files: wordcount FILE...
//
// It shows dts.Map and dts.Reduce. Each file is a thread that counts its words, and the counts of neighbours are merged in pairs.
package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"log"
	"maps"
	"os"
	"slices"
	"strings"

	"whorl/dts"
)

type counts map[string]int

// read returns the lines of a file. Its panic becomes the error of dts.Run.
func read(_ *dts.Worker, path string) []string {
	f, err := os.Open(path)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	var lines []string
	for s := bufio.NewScanner(f); s.Scan(); {
		lines = append(lines, s.Text())
	}
	return lines
}

func count(_ *dts.Worker, line string) counts {
	c := counts{}
	for word := range strings.FieldsSeq(strings.ToLower(line)) {
		if word = strings.Trim(word, `.,;:!?"'()`); word != "" {
			c[word]++
		}
	}
	return c
}

// merge adds the smaller counts to the larger ones.
func merge(a, b counts) counts {
	if len(a) < len(b) {
		a, b = b, a
	}
	for word, n := range b {
		a[word] += n
	}
	return a
}

func main() {
	words, err := dts.Run(context.Background(), dts.Options{}, func(w *dts.Worker) counts {
		lines := slices.Concat(dts.Map(w, os.Args[1:], 1, read)...)
		return dts.Reduce(w, lines, 100, count, merge)
	})
	if err != nil {
		log.Fatal(err)
	}
	order := slices.SortedFunc(maps.Keys(words), func(a, b string) int {
		return cmp.Or(words[b]-words[a], strings.Compare(a, b))
	})
	for _, word := range order[:min(10, len(order))] {
		fmt.Printf("%7d %s\n", words[word], word)
	}
}
