// Command reality compares replays with what programs really do. It records programs on 1 and on 2 processors, replays each recording on the other number,
// and prints the tables of docs/replay.md: means with 95 % intervals (percentile bootstrap).
//
//	go run ./replay/testdata/reality PROGRAMS WHORL ROUNDS [SECTION...]
//
// PROGRAMS is the built folder replay/testdata/programs and WHORL the built command. The sections are go, threads, build, mpi and whatif; all of them
// without a name. It runs in the root of the repository.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"whorl/internal/bootstrap"
)

// programs are those in the folder PROGRAMS.
var programs = []string{"forkjoin", "pipeline", "pool", "lock", "readers", "server", "mapreduce", "stencil", "search", "garbage"}

// threads are the arguments of benchmarks of threads that take some tenths of a second on real cores.
var threads = []string{
	"bubblesort 200000 10", "fibonacci 24", "mandelbrot 400 200 1000", "matmul 100", "nqueens 12 3", "pascal 2500", "quicksort 400000 2000", "rsa 64 1536", "semigroup 4 256",
	"stencil 64 1000 400",
}

// sections are the parts of the comparison.
var sections = []struct {
	name string
	run  func(t *tools) error
}{{"go", (*tools).goPrograms}, {"threads", (*tools).threadPrograms}, {"build", (*tools).build}, {"mpi", (*tools).mpi}, {"whatif", (*tools).whatIf}}

// tools are what a comparison uses.
type tools struct {
	programs, whorl string
	rounds          int
	folder          string // for traces
}

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
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "reality:", err)
		os.Exit(1)
	}
}

func run(args []string) (err error) {
	if len(args) < 3 {
		return errors.New("usage: reality PROGRAMS WHORL ROUNDS [SECTION...]")
	}
	t := tools{programs: args[0], whorl: args[1]}
	if t.rounds, err = strconv.Atoi(args[2]); err != nil || t.rounds < 1 {
		return fmt.Errorf("%s rounds: expected a number from 1", args[2])
	}
	if t.folder, err = os.MkdirTemp("", "reality"); err != nil {
		return err
	}
	defer os.RemoveAll(t.folder)
	for _, s := range sections {
		if wanted := args[3:]; len(wanted) > 0 && !slices.Contains(wanted, s.name) {
			continue
		}
		if err := s.run(&t); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return nil
}

// A recording makes a program write its trace on a number of processors.
type recording func(procs int, trace string) *exec.Cmd

const crossHead = "| program | | own number of PEs | 1 to 2: predicted | measured | error | in range | 2 to 1: predicted | measured | error | in range |\n" +
	"|---|---|---|---|---|---|---|---|---|---|---|\n"

func (t *tools) goPrograms() error {
	fmt.Print("\n" + crossHead)
	for _, kind := range []string{"plain", "observe"} {
		for _, name := range programs {
			err := t.cross(name, kind, func(procs int, trace string) *exec.Cmd {
				args := []string{"-program", name, "-procs", strconv.Itoa(procs), "-trace", trace, "-observe=" + strconv.FormatBool(kind == "observe")}
				return exec.Command(t.programs, args...)
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func (t *tools) threadPrograms() error {
	fmt.Print("\n" + crossHead)
	for _, text := range threads {
		words := strings.Fields(text)
		err := t.cross(words[0], "threads", func(procs int, trace string) *exec.Cmd {
			args := append([]string{"run", "dts/" + words[0]}, words[1:]...)
			return exec.Command(t.whorl, append(args, "--mode", "live", "--policy", "steal", "--pes", strconv.Itoa(procs), "-o", trace+".whorl")...)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// build builds a package with an empty cache, which takes long: a fourth of the rounds.
func (t *tools) build() error {
	few := *t
	few.rounds = max(1, t.rounds/4)
	fmt.Print("\n" + crossHead)
	return few.cross("go build", "build", func(procs int, trace string) *exec.Cmd {
		cache := filepath.Join(t.folder, "cache")
		_ = os.RemoveAll(cache)
		c := exec.Command("go", "build", "-p", strconv.Itoa(procs), "-debug-actiongraph", trace+".json", "-o", os.DevNull, "./internal/nearest")
		c.Env = append(os.Environ(), "GOCACHE="+cache)
		return c
	})
}

// cross records a program on 1 and on 2 processors and replays each recording on the other number.
func (t *tools) cross(name, kind string, record recording) error {
	var own []float64
	var predicted, measured [2][]float64
	var inside [2]int
	for range t.rounds {
		var made [2]replayed
		for procs := 1; procs <= 2; procs++ {
			r, err := t.replayed(record, procs, 3-procs)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			made[procs-1] = r
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
	fmt.Printf("| %s | %s | %s %% |", name, kind, interval(own, 1))
	for i := range 2 {
		p, m := bootstrap.Mean(predicted[i]), bootstrap.Mean(measured[i])
		fmt.Printf(" %s ms | %s ms | %+.0f %% | %d of %d |", interval(predicted[i], 0), interval(measured[i], 0), 100*(p.Value/m.Value-1), inside[i], t.rounds)
	}
	fmt.Println()
	return nil
}

// replayed records a program on some processors and replays the trace on a number of PEs.
func (t *tools) replayed(record recording, procs, pes int, flags ...string) (r replayed, err error) {
	trace := filepath.Join(t.folder, "recorded")
	if out, err := record(procs, trace).CombinedOutput(); err != nil {
		return r, fmt.Errorf("%w: %s", err, out)
	}
	made, err := filepath.Glob(trace + "*")
	if err != nil || len(made) != 1 {
		return r, fmt.Errorf("%d traces, expected 1", len(made))
	}
	defer os.RemoveAll(made[0])
	return replay(t.whorl, made[0], pes, flags...)
}

// mpi replays processes on their own number of PEs. A rank of the stencil works three times as long as the others.
func (t *tools) mpi() error {
	if _, err := exec.LookPath("eztrace"); err != nil {
		fmt.Fprintln(os.Stderr, "reality: MPI was left out: it needs OpenMPI and EZTrace (Debian: openmpi-bin libopenmpi-dev eztrace)")
		return nil
	}
	fmt.Print("\n| program | ranks | recorded | replayed | own number of PEs |\n|---|---|---|---|---|\n")
	for _, text := range []string{"stencil 200 400 1", "transpose 40 256"} {
		words := strings.Fields(text)
		program := filepath.Join(t.folder, words[0])
		if out, err := exec.Command("mpicc", "-O1", "-o", program, "testdata/mpi/"+words[0]+".c", "-lm").CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
		for _, ranks := range []int{1, 2, 4} {
			var recorded, replayed, off []float64
			for range t.rounds {
				r, err := t.processes(program, words[1:], ranks)
				if err != nil {
					return fmt.Errorf("%s: %w", words[0], err)
				}
				recorded, replayed, off = append(recorded, r.recorded), append(replayed, r.own), append(off, 100*(r.own/r.recorded-1))
			}
			fmt.Printf("| %s | %d | %s ms | %s ms | %s %% |\n", words[0], ranks, interval(recorded, 0), interval(replayed, 0), interval(off, 1))
		}
	}
	return nil
}

// processes records a program of MPI and replays it.
func (t *tools) processes(program string, args []string, ranks int) (replayed, error) {
	made := program + "_trace"
	defer os.RemoveAll(made)
	c := exec.Command("mpirun", append([]string{"--oversubscribe", "-n", strconv.Itoa(ranks), "eztrace", "-t", "openmpi", program}, args...)...)
	c.Dir = t.folder
	c.Env = append(os.Environ(), "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1", "OMPI_MCA_mpi_yield_when_idle=1")
	if out, err := c.CombinedOutput(); err != nil {
		return replayed{}, fmt.Errorf("%w: %s", err, out)
	}
	return replay(t.whorl, filepath.Join(made, "eztrace_log.otf2"), ranks)
}

// faster are functions that whatIf makes faster.
var faster = []struct{ program, function string }{{"forkjoin", "leaf"}, {"pool", "shortJob"}, {"lock", "critical"}, {"mapreduce", "mapChunk"}, {"search", "visit"}}

// whatIf makes functions faster, in replays and in the programs, and prints both gains.
func (t *tools) whatIf() error {
	fmt.Print("\n| program | function | processors | less time | predicted gain | measured gain |\n|---|---|---|---|---|---|\n")
	for _, f := range faster {
		for procs := 1; procs <= 2; procs++ {
			for _, saved := range []float64{0.05, 0.2} {
				speed := f.function + "=" + strconv.FormatFloat(1/(1-saved), 'g', 6, 64)
				body := func(flags ...string) *exec.Cmd {
					return exec.Command(t.programs, append([]string{"-program", f.program, "-observe", "-regions", "-procs", strconv.Itoa(procs)}, flags...)...)
				}
				var predicted, measured []float64
				for range t.rounds {
					r, err := t.replayed(func(_ int, trace string) *exec.Cmd { return body("-trace", trace) }, procs, procs, "--speed", speed)
					if err != nil {
						return fmt.Errorf("%s: %w", f.program, err)
					}
					predicted = append(predicted, 100*(1-r.time/r.own))
					before, err := took(body())
					if err != nil {
						return err
					}
					after, err := took(body("-faster", speed))
					if err != nil {
						return err
					}
					measured = append(measured, 100*(1-after/before))
				}
				fmt.Printf("| %s | %s | %d | %.0f %% | %s %% | %s %% |\n", f.program, f.function, procs, 100*saved, interval(predicted, 1), interval(measured, 1))
			}
		}
	}
	return nil
}

// took runs a program and returns the time that it prints, in ns.
func took(c *exec.Cmd) (float64, error) {
	out, err := c.Output()
	if err != nil {
		return 0, err
	}
	return strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
}

func interval(xs []float64, digits int) string {
	i := bootstrap.Mean(xs)
	return fmt.Sprintf("%.*f (%.*f to %.*f)", digits, i.Value, digits, i.Low, digits, i.High)
}

// replay replays a trace on a number of PEs.
func replay(whorl, trace string, pes int, flags ...string) (r replayed, err error) {
	out, err := exec.Command(whorl, append([]string{"replay", trace, "--pes", strconv.Itoa(pes), "--anyway"}, flags...)...).Output()
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
