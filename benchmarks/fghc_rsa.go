package benchmarks

import (
	"fmt"
	"math/big"
)

var rsa = &Benchmark{
	Name: "fghc/rsa",
	Doc:  "Independent chains of equal length, one for each block of a message: the speedup is at most the number of blocks.",
	Params: []Param{
		{Name: "blocks", Default: 12, Min: 0, Max: 10_000, Doc: "blocks of the message"},
		{Name: "digits", Default: 4, Min: 1, Max: 64, Doc: "length of the key in 16-bit digits"},
	},
	Program: FGHC{File: "rsa.fghc", Source: source("fghc/rsa.fghc"), Goal: func(p []int64) string {
		blocks, modulus := message(p)
		return fmt.Sprintf("rsa(%s, %d, %s, X)", numbers(blocks, p[1]), exponent, list(digits(modulus, 1<<16, int(p[1]+1))))
	}},
	Check: func(p []int64, answer string) error {
		blocks, modulus := message(p)
		for _, m := range blocks {
			m.Exp(m, big.NewInt(exponent), modulus)
		}
		return equal(answer, "X = "+numbers(blocks, p[1]))
	},
}

const (
	exponent = 65537
	text     = "Kaleidoscopes are made of a few mirrors and whatever falls between them. "
)

// message returns the blocks to encrypt and the modulus for a number of blocks and of digits. The modulus is the product of the two primes that
// follow 3/4 and 7/8 of the largest number of half its length; a block is one byte shorter than the modulus.
func message(p []int64) (blocks []*big.Int, modulus *big.Int) {
	half := uint(8 * p[1])
	modulus = new(big.Int).Mul(primeAfter(3, half-2), primeAfter(7, half-3))
	next := 0
	for range p[0] {
		bytes := make([]byte, 2*p[1]-1)
		for i := range bytes {
			bytes[i] = text[next%len(text)]
			next++
		}
		blocks = append(blocks, new(big.Int).SetBytes(bytes))
	}
	return blocks, modulus
}

// primeAfter returns the first prime above m * 2^shift.
func primeAfter(m int64, shift uint) *big.Int {
	v := new(big.Int).Lsh(big.NewInt(m), shift)
	for v.SetBit(v, 0, 1); !v.ProbablyPrime(20); {
		v.Add(v, big.NewInt(2))
	}
	return v
}

// numbers formats numbers as lists of digits, with one digit more than the key.
func numbers(vs []*big.Int, keyDigits int64) string {
	out := make([][]int64, len(vs))
	for i, v := range vs {
		out[i] = digits(v, 1<<16, int(keyDigits+1))
	}
	return lists(out)
}
