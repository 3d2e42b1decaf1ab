package exec
import ("testing";"os";"context";"whorl/hpfsim/syntax";"whorl/hpfsim/lower";"whorl/sim")
func TestZ(t *testing.T) {
	for _, n := range []string{"../syntax/testdata/jacobi.f","/tmp/hpf/c.f90","/tmp/hpf/d.f90"} {
		b,err := os.ReadFile(n)
		if err != nil { t.Fatal(err) }
		f, errs := syntax.Parse(n, string(b), syntax.Options{})
		p, more := lower.Lower(f, 4)
		if errs.Failed()||more.Failed() {t.Fatal(errs.Error(), more.Locate(string(b)).Error())}
		net,_ := sim.NetworkNamed("ring",4)
		m := New(p, Options{Network: net, Model: sim.Model{InstructionPs: 1000, Latency: 1000, Overhead: 500, BytePs: 100}, Output: os.Stdout})
		t.Log(m.Run(context.Background()), m.Now(), m.Totals())
	}
}
