// Command reality compares replays of the programs beside it with what the programs do. It records each of them on 1 and on 2 processors, replays the
// recordings on the other number, and prints a table for docs/replay.md: means with 95 % intervals (percentile bootstrap).
//
//	go run ./replay/testdata/reality PROGRAMS WHORL ROUNDS
//
// PROGRAMS is the built folder replay/testdata/programs and WHORL the built command.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"time"

	"whorl/internal/bootstrap"
)

var names = []string{"forkjoin", "pipeline", "pool", "lock", "readers", "server", "mapreduce", "stencil", "search", "garbage"}

// A replayed holds the numbers of a replay in ms.
type replayed struct{ recorded, own, time, from, to float64 }

var rows = map[string]*regexp.Regexp{
	"recorded": regexp.MustCompile(`(?m)^recorded +([\d.]+ \S+)`),
	"replayed": regexp.MustCompile(`(?m)^replayed +([\d.]+ \S+)`),
	"time":     regexp.MustCompile(`(?m)^time +([\d.]+ \S+)`),
	"from":     regexp.MustCompile(`(?m)^range +([\d.]+ \S+)`),
	"to":       regexp.MustCompile(`(?m)^range .* to ([\d.]+ \S+)`),
}

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: reality PROGRAMS WHORL ROUNDS")
		os.Exit(2)
	}
	if err := compare(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, "reality:", err)
		os.Exit(1)
	}
}

func compare(programs, whorl, rounds string) error {
	n, err := strconv.Atoi(rounds)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "reality")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	fmt.Println("| program | | own number of PEs | 1 to 2: predicted | measured | error | in range | 2 to 1: predicted | measured | error | in range |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|---|")
	for _, observe := range []string{"", "-observe"} {
		for _, name := range names {
			var own []float64
			var predicted, measured [2][]float64
			var inside [2]int
			for range n {
				var made [2]replayed
				for procs := 1; procs <= 2; procs++ {
					trace := filepath.Join(folder, "t")
					args := []string{"-program", name, "-procs", strconv.Itoa(procs), "-trace", trace}
					if observe != "" {
						args = append(args, observe)
					}
					if err := exec.Command(programs, args...).Run(); err != nil {
						return err
					}
					if made[procs-1], err = replay(whorl, trace, 3-procs); err != nil {
						return err
					}
				}
				for i, r := range made {
					other := made[1-i].recorded
					own = append(own, 100*(r.own/r.recorded-1))
					predicted[i] = append(predicted[i], r.time)
					measured[i] = append(measured[i], other)
					if other >= r.from && other <= r.to {
						inside[i]++
					}
				}
			}
			kind := "plain"
			if observe != "" {
				kind = "observe"
			}
			fmt.Printf("| %s | %s | %s %% |", name, kind, interval(own, 1))
			for i := range 2 {
				p, m := bootstrap.Mean(predicted[i]), bootstrap.Mean(measured[i])
				fmt.Printf(" %s ms | %s ms | %+.0f %% | %d of %d |", interval(predicted[i], 0), interval(measured[i], 0), 100*(p.Value/m.Value-1), inside[i], n)
			}
			fmt.Println()
		}
	}
	return nil
}

func interval(xs []float64, digits int) string {
	i := bootstrap.Mean(xs)
	return fmt.Sprintf("%.*f (%.*f to %.*f)", digits, i.Value, digits, i.Low, digits, i.High)
}

// replay replays a trace on a number of PEs.
func replay(whorl, trace string, pes int) (r replayed, err error) {
	out, err := exec.Command(whorl, "replay", trace, "--pes", strconv.Itoa(pes), "--anyway").Output()
	if err != nil {
		return r, err
	}
	for name, to := range map[string]*float64{"recorded": &r.recorded, "replayed": &r.own, "time": &r.time, "from": &r.from, "to": &r.to} {
		m := rows[name].FindSubmatch(out)
		if m == nil {
			return r, fmt.Errorf("no row %s in %s", name, out)
		}
		if *to, err = ms(string(m[1])); err != nil {
			return r, err
		}
	}
	return r, nil
}

// ms reads a time such as 1.5 s.
func ms(text string) (float64, error) {
	var x float64
	var unit string
	if _, err := fmt.Sscanf(text, "%g %s", &x, &unit); err != nil {
		return 0, err
	}
	d, err := time.ParseDuration(strconv.FormatFloat(x, 'f', -1, 64) + unit)
	return float64(d) / 1e6, err
}
