package benchmarks

import (
	"fmt"
	"math/big"
	"strings"
)

var hpfPascal = &Benchmark{
	Name: "hpf/pascal",
	Doc: "A row that grows in blocks: the last processors wait until it reaches them. The programs of the same name compute the same row as a wave " +
		"of processes, and as threads.",
	Params:  []Param{{Name: "n", Default: 35, Min: 1, Max: 66, Doc: "degree of the row"}},
	Program: constants("pascal.hpf", "n"),
	Check: func(p []int64, answer string) error {
		var row []string
		for k := range p[0] + 1 {
			row = append(row, new(big.Int).Binomial(p[0], k).String())
		}
		return equalWords(answer, strings.Join(row, " "))
	},
}

var hpfFibonacci = &Benchmark{
	Name: "hpf/fibonacci",
	Doc: "A wave through a table: an anti-diagonal is as wide as the table at most, so that processors begin one after the other and end so. The " +
		"programs of the same name fork instead.",
	Params:  []Param{{Name: "n", Default: 64, Min: 3, Max: 1000, Doc: "rows and columns of the table"}},
	Program: constants("fibonacci.hpf", "n"),
	Check: func(p []int64, answer string) error {
		var diagonal []string
		a, b := big.NewInt(1), big.NewInt(1) // numbers 1 and 2
		for range p[0] {
			diagonal = append(diagonal, new(big.Int).Mod(a, big.NewInt(1_000_000_007)).String())
			a.Add(a, b) // two further, since element (i, i) is number 2 i - 1
			b.Add(b, a)
		}
		return equalWords(answer, strings.Join(diagonal, " "))
	},
}

var hpfRSA = &Benchmark{
	Name: "hpf/rsa",
	Doc: "Blocks of a message on processors that need nothing of each other: whole numbers of blocks for each are all that limits the speed-up, and " +
		"there is no master who hands them out.",
	Params:  []Param{{Name: "blocks", Default: 120, Min: 1, Max: 100_000, Doc: "blocks of the message, of three characters"}},
	Program: constants("rsa.hpf", "blocks"),
	Check: func(p []int64, answer string) error {
		// Decrypted with the private key, the answer is the message.
		const prime1, prime2, exponent = 46021, 46301, 65537
		modulus := big.NewInt(prime1 * prime2)
		secret := new(big.Int).ModInverse(big.NewInt(exponent), big.NewInt((prime1-1)*(prime2-1)))
		words := strings.Fields(answer)
		if int64(len(words)) != p[0] {
			return fmt.Errorf("the answer has %d blocks where %d are right", len(words), p[0])
		}
		for i, word := range words {
			c, ok := new(big.Int).SetString(word, 10)
			if !ok || c.Sign() < 0 || c.Cmp(modulus) >= 0 {
				return fmt.Errorf("block %d is none: %.20q", i+1, word)
			}
			var plain [3]byte
			for k := range plain {
				plain[k] = text[(3*i+k)%len(text)]
			}
			if c.Exp(c, secret, modulus).Cmp(new(big.Int).SetBytes(plain[:])) != 0 {
				return fmt.Errorf("block %d does not decrypt to what it was", i+1)
			}
		}
		return nil
	},
}

var hpfSemigroup = &Benchmark{
	Name: "hpf/semigroup",
	Doc: "A search that all processors do together, each among what it has: a broadcast and a vote for every product, however little there is to " +
		"look at. The programs of the same name look products up in a tree.",
	Params: []Param{
		{Name: "generators", Default: 3, Min: 1, Max: 3, Doc: "generators"},
		{Name: "width", Default: 64, Min: 1, Max: 256, Doc: "coordinates of a vector; 4^generators give the free semigroup"},
	},
	Program: constants("semigroup.hpf", "generators", "width"),
	Check: func(p []int64, answer string) error {
		members := closure(vectors(int(p[0]), int(p[1])))
		sum := 0
		for _, v := range members {
			sum += key(v)
		}
		return equalWords(answer, fmt.Sprintf("%d members, keys %d", len(members), sum))
	},
}

var hpfLife = &Benchmark{
	Name: "hpf/life",
	Doc: "Everybody talks to all neighbours before each generation: squares of the world have short edges, but eight neighbours. The program of the " +
		"same name in FGHC has no steps that all take together.",
	Params: []Param{
		{Name: "n", Default: 16, Min: 4, Max: 100, Doc: "rows and columns of the torus"},
		{Name: "generations", Default: 32, Min: 0, Max: 10_000, Doc: "generations; after 4 n the glider is back"},
	},
	Program: constants("life.hpf", "n", "generations"),
	Check: func(p []int64, answer string) error {
		var rows []string
		for _, row := range generation(int(p[0]), int(p[1])) {
			rows = append(rows, strings.Trim(strings.ReplaceAll(fmt.Sprint(row), " ", ""), "[]"))
		}
		return equalWords(answer, strings.Join(rows, " "))
	},
}
