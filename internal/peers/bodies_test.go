package peers

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"whorl/testdata/must"
	"whorl/visual/layout/nbody"
)

// BenchmarkBodies moves a random tree of repelling bodies in three dimensions, theta 0.9, on one thread, and compares it with d3-force-3d and
// ngraph.forcelayout in Node.js, in ns for each step.
func BenchmarkBodies(b *testing.B) {
	node, npm := peer(b, "node"), peer(b, "npm")
	folder := b.TempDir()
	ctx, cancel := context.WithTimeout(b.Context(), 2*time.Minute)
	defer cancel()
	install := exec.CommandContext(ctx, npm, "install", "--no-audit", "--no-fund", "d3-force-3d@3", "ngraph.forcelayout@3", "ngraph.graph@20")
	install.Dir = folder
	if out, err := install.CombinedOutput(); err != nil {
		b.Skipf("npm cannot install the peers: %s", firstLine(out))
	}
	text := must.Get(os.ReadFile(filepath.Join("testdata", "bodies.js")))(b)
	script := filepath.Join(folder, "bodies.js") // beside what it imports
	must.Do(b, os.WriteFile(script, text, 0o644))
	for _, library := range []string{"d3-force-3d", "ngraph.forcelayout"} {
		for _, n := range []int{1000, 10_000, 100_000} {
			b.Run(fmt.Sprintf("%s/bodies=%d", library, n), func(b *testing.B) {
				s := tree(b, n)
				compare(b, 1, "step", library, func() time.Duration {
					steps := max(200_000/n, 2)
					begin := time.Now()
					for range steps {
						s.Move()
					}
					return time.Since(begin) / time.Duration(steps)
				}, func() time.Duration {
					out := must.Get(exec.Command(node, script, library, strconv.Itoa(n)).Output())(b)
					took, err := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
					if err != nil {
						b.Fatalf("%q: %v", out, err)
					}
					return time.Duration(took)
				})
			})
		}
	}
}

// tree returns bodies at random places, linked as a random tree.
func tree(b *testing.B, n int) *nbody.System {
	r := rand.New(rand.NewPCG(1, 1))
	x, links := make([]nbody.Vec, n), make([]nbody.Link, n-1)
	for i := range x {
		x[i] = nbody.Vec{r.Float64() * 100, r.Float64() * 100, r.Float64() * 100}
	}
	for i := range links {
		links[i] = nbody.Link{A: int32(r.IntN(i + 1)), B: int32(i + 1), Rest: 10}
	}
	m := nbody.Mesh()
	m.Repulsion, m.Length = 30, 10
	return must.Get(nbody.New(m, x, links))(b)
}
