package threads

import (
	_ "embed"
	"encoding/hex"
	"math/big"
	"math/bits"
	"strings"

	"whorl/dts"
)

// Plaintext is the file to be encrypted, repeated as often as necessary.
//
//go:embed rsa.txt
var Plaintext []byte

// A Key is a pair of keys of Rivest, Shamir and Adleman, "A Method for Obtaining Digital Signatures and Public-Key Cryptosystems" (1978),
// section VII, with long exponents.
type Key struct{ P, Q, N, E, D *big.Int }

// NewKey returns a key of the given number of bits. It is always the same, so that it protects nothing.
func NewKey(size int64) Key {
	random := Random(size)
	prime := func(length int64) *big.Int {
		for {
			b := make([]byte, (length+7)/8)
			for i := range b {
				b[i] = byte(random.Uint32())
			}
			v := new(big.Int).SetBytes(b)
			v.Rsh(v, uint(8*int64(len(b))-length))
			v.SetBit(v, int(length-1), 1).SetBit(v, int(length-2), 1).SetBit(v, 0, 1) // the product of two such primes has full length
			if v.ProbablyPrime(10) {
				return v
			}
		}
	}
	k := Key{P: prime(size / 2), Q: prime(size / 2), D: prime(size/2 + 1)}
	one := big.NewInt(1)
	k.N = new(big.Int).Mul(k.P, k.Q)
	phi := new(big.Int).Mul(new(big.Int).Sub(k.P, one), new(big.Int).Sub(k.Q, one))
	k.E = new(big.Int).ModInverse(k.D, phi)
	return k
}

// Block returns the plaintext of block i for a key of the given number of bits. It is one byte shorter than the key.
func Block(i, size int64) []byte {
	out := make([]byte, size/8-1)
	for k := range out {
		out[k] = Plaintext[(i*int64(len(out))+int64(k))%int64(len(Plaintext))]
	}
	return out
}

// A Message is a block and the public key.
type Message struct {
	N, E  *big.Int
	Block []byte
}

// RSA is the program of figure 4 of the DTS paper: the main thread forks a worker for each block of a file.
func RSA(e *Env) Program {
	encrypt := dts.Register(e.Funcs, "encrypt", func(w *dts.Worker, m Message) []byte {
		c := new(big.Int).SetBytes(m.Block)
		c.Exp(c, m.E, m.N)
		e.spend(w, expCost(m.E, m.N))
		return c.FillBytes(make([]byte, len(m.Block)+1))
	})

	key := &input[Key]{from: func(p []int64) Key { return NewKey(p[1]) }}
	return e.program(func(w *dts.Worker, p []int64) string {
		blocks, size, reverse := p[0], p[1], p[2] != 0
		key := key.get(p)
		workers := make([]dts.Handle[[]byte], blocks)
		for i := range blocks {
			e.spend(w, size/8) // reading the block
			workers[i] = encrypt.Fork(w, Message{key.N, key.E, Block(i, size)})
		}
		lines := make([]string, blocks)
		for k := range blocks {
			i := k
			if reverse {
				i = blocks - 1 - k
			}
			lines[i] = hex.EncodeToString(workers[i].Join(w))
			e.spend(w, size/8) // writing the block
		}
		return strings.Join(lines, "\n")
	}, key.prepare)
}

// expCost returns the cost of raising a number to the power of x modulo n: a square for each bit of x and another product for each bit that is
// set, of numbers as long as n.
func expCost(x, n *big.Int) int64 {
	set := 0
	for _, word := range x.Bits() {
		set += bits.OnesCount(uint(word))
	}
	words := int64(n.BitLen()+31) / 32
	return int64(x.BitLen()+set) * 2 * words * words
}
