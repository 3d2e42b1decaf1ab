package benchmarks

import (
	"fmt"
	"math/big"
	"strings"
)

var hpfPascal = &Benchmark{
	Name: "hpf/pascal",
	Doc: "A row distributed in blocks that grows: the last processors wait until it reaches them. The programs of the same name compute the same row " +
		"as a wave of processes, and with threads.",
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
	Doc: "A wave through a table: an anti-diagonal is at most as wide as the table, so that processors start one after the other and end one after " +
		"the other. The programs of the same name fork instead.",
	Params:  []Param{{Name: "n", Default: 64, Min: 3, Max: 1000, Doc: "rows and columns of the table"}},
	Program: constants("fibonacci.hpf", "n"),
	Check: func(p []int64, answer string) error {
		var diagonal []string
		a, b := big.NewInt(1), big.NewInt(1) // F(1) and F(2)
		for range p[0] {
			diagonal = append(diagonal, new(big.Int).Mod(a, big.NewInt(1_000_000_007)).String())
			a.Add(a, b) // advance by two: element (i, i) is F(2i-1)
			b.Add(b, a)
		}
		return equalWords(answer, strings.Join(diagonal, " "))
	},
}

var hpfRSA = &Benchmark{
	Name: "hpf/rsa",
	Doc: "Blocks of a message on processors that need no data of each other: only the whole number of blocks for each limits the speedup, and no " +
		"master hands them out.",
	Params:  []Param{{Name: "blocks", Default: 120, Min: 1, Max: 100_000, Doc: "blocks of the message, three characters each"}},
	Program: constants("rsa.hpf", "blocks"),
	Check: func(p []int64, answer string) error {
		// Decrypt the answer with the private key and compare it with the message.
		const prime1, prime2, exponent = 46021, 46301, 65537
		modulus := big.NewInt(prime1 * prime2)
		secret := new(big.Int).ModInverse(big.NewInt(exponent), big.NewInt((prime1-1)*(prime2-1)))
		words := strings.Fields(answer)
		if int64(len(words)) != p[0] {
			return fmt.Errorf("the answer has %d blocks, expected %d", len(words), p[0])
		}
		for i, word := range words {
			c, ok := new(big.Int).SetString(word, 10)
			if !ok || c.Sign() < 0 || c.Cmp(modulus) >= 0 {
				return fmt.Errorf("block %d is not a block: %.20q", i+1, word)
			}
			var plain [3]byte
			for k := range plain {
				plain[k] = text[(3*i+k)%len(text)]
			}
			if c.Exp(c, secret, modulus).Cmp(new(big.Int).SetBytes(plain[:])) != 0 {
				return fmt.Errorf("block %d does not decrypt to the message", i+1)
			}
		}
		return nil
	},
}

var hpfSemigroup = &Benchmark{
	Name: "hpf/semigroup",
	Doc: "A search by all processors together, each among its own elements: a broadcast and a vote for every product, however little there is to " +
		"search. The programs of the same name look products up in a tree.",
	Params: []Param{
		{Name: "generators", Default: 3, Min: 1, Max: 3, Doc: "generators"},
		{Name: "width", Default: 64, Min: 1, Max: 256, Doc: "coordinates of a vector; 4^generators give the free semigroup"},
	},
	Program: constants("semigroup.hpf", "generators", "width"),
	Check: func(p []int64, answer string) error {
		members, keys := census(p)
		return equalWords(answer, fmt.Sprintf("%d members, keys %d", members, keys))
	},
}

var hpfLife = &Benchmark{
	Name: "hpf/life",
	Doc: "Communication with all neighbours before each generation: square blocks have short edges but eight neighbours. The FGHC program of the " +
		"same name has no global steps.",
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
