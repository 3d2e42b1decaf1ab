package benchmarks

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math/big"
	"strings"

	"whorl/benchmarks/threads"
)

var dtsRSA = &Benchmark{
	Name: "dts/rsa",
	Doc: "A master that hands out equal pieces and collects the results: the speedup is at most the number of pieces. With reverse=1 it collects the " +
		"last piece first, and no two threads cross in the graph.",
	Params: []Param{
		{Name: "blocks", Default: 12, Min: 0, Max: 10_000, Doc: "blocks of the file, one worker for each"},
		{Name: "bits", Default: 1024, Min: 64, Max: 4096, Doc: "length of the key, a multiple of 16"},
		{Name: "reverse", Default: 0, Min: 0, Max: 1, Doc: "1 joins the workers in reverse order"},
	},
	Program: DTS{
		File:    "rsa.go",
		Threads: func(p []int64) int64 { return 1 + p[0] },
	},
	Check: checkRSA,
}

// checkRSA decrypts the answer with the private key, modulo each prime, and compares it with the plaintext.
func checkRSA(p []int64, answer string) error {
	lines := strings.Fields(answer)
	if int64(len(lines)) != p[0] {
		return fmt.Errorf("the answer has %d blocks, expected %d", len(lines), p[0])
	}
	k := threads.NewKey(p[1])
	one := big.NewInt(1)
	dp := new(big.Int).Mod(k.D, new(big.Int).Sub(k.P, one))
	dq := new(big.Int).Mod(k.D, new(big.Int).Sub(k.Q, one))
	inverse := new(big.Int).ModInverse(k.Q, k.P)
	for i, line := range lines {
		block, err := hex.DecodeString(line)
		if err != nil || int64(len(block)) != p[1]/8 {
			return fmt.Errorf("block %d is not a block of %d bytes: %.20q", i+1, p[1]/8, line)
		}
		c := new(big.Int).SetBytes(block)
		if c.Cmp(k.N) >= 0 {
			return fmt.Errorf("block %d is not less than the modulus", i+1)
		}
		a, b := new(big.Int).Exp(c, dp, k.P), new(big.Int).Exp(c, dq, k.Q)
		h := new(big.Int).Sub(a, b)
		h.Mul(h, inverse).Mod(h, k.P)
		m := h.Mul(h, k.Q).Add(h, b)
		if m.BitLen() > int(p[1])-8 || !bytes.Equal(m.FillBytes(make([]byte, p[1]/8-1)), threads.Block(int64(i), p[1])) {
			return fmt.Errorf("block %d does not decrypt to the plaintext", i+1)
		}
	}
	return nil
}
