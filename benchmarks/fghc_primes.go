package benchmarks

var primes = &Benchmark{
	Name:    "fghc/primes",
	Doc:     "A pipeline that grows while it runs: one filter for each prime. The first filters do most of the work.",
	Params:  []Param{{Name: "max", Default: 500, Min: 0, Max: 20_000, Doc: "upper limit of the primes"}},
	Program: fghcProgram("primes.fghc", "go(%d, X)"),
	Check: func(p []int64, answer string) error {
		return equal(answer, "X = "+list(sieve(p[0])))
	},
}

// sieve returns the primes up to limit by crossing out multiples in a table.
func sieve(limit int64) []int64 {
	var out []int64
	crossed := make([]bool, limit+1)
	for i := int64(2); i <= limit; i++ {
		if crossed[i] {
			continue
		}
		out = append(out, i)
		for j := i * i; j <= limit; j += i {
			crossed[j] = true
		}
	}
	return out
}
