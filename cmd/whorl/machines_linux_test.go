package main

import (
	"crypto/tls"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"whorl/internal/testdata/loopback"
	"whorl/internal/testdata/natslab"
	"whorl/testdata/must"
	"whorl/testdata/testenv"
)

// Two network namespaces are two machines: each has its own interfaces, ports and host name, and one cable connects them.
const (
	machinesVariable = "TEST_MACHINES" // name of the second namespace, in the process that is the first machine
	firstAddress     = "10.213.47.1"
	secondAddress    = "10.213.47.2"
)

// TestTwoMachines runs whorl on two machines: whorl run on the first, whorl node on the second. The server is that of the
// run, or one of a laboratory with accounts; both have TLS. The test starts itself in the first namespace.
func TestTwoMachines(t *testing.T) {
	if second := os.Getenv(machinesVariable); second != "" {
		t.Run("own server", func(t *testing.T) { ownServer(t, machine(second)) })
		t.Run("lab", func(t *testing.T) { labServer(t, machine(second)) })
		return
	}
	for _, tool := range []string{"ip", "unshare", "sh"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("two machines need two network namespaces: ", err)
		}
	}
	prefix := fmt.Sprintf("whorl-%d-", os.Getpid())
	first, second := prefix+"a", prefix+"b"
	for _, name := range []string{first, second} {
		if out, err := exec.Command("ip", "netns", "add", name).CombinedOutput(); err != nil {
			t.Skipf("two machines need two network namespaces, which this process may not make: ip netns add: %v: %s", err, out)
		}
		t.Cleanup(func() { _ = exec.Command("ip", "netns", "delete", name).Run() })
	}
	if out, err := exec.Command("ip", "link", "add", "cable", "netns", first, "type", "veth", "peer", "name", "cable", "netns", second).CombinedOutput(); err != nil {
		t.Skipf("two machines need a cable, which this process may not make: ip link add: %v: %s", err, out)
	}
	for _, m := range []struct{ name, address string }{{first, firstAddress}, {second, secondAddress}} {
		for _, args := range [][]string{
			{"address", "add", m.address + "/24", "dev", "cable"}, {"link", "set", "cable", "up"}, {"link", "set", "lo", "up"},
		} {
			if out, err := exec.Command("ip", append([]string{"-n", m.name}, args...)...).CombinedOutput(); err != nil {
				t.Fatalf("ip %s: %v: %s", strings.Join(args, " "), err, out)
			}
		}
	}
	inside := exec.Command("ip", "netns", "exec", first, os.Args[0], "-test.run=^TestTwoMachines$", "-test.v")
	inside.Env = append(os.Environ(), machinesVariable+"="+second)
	out, err := inside.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestTwoMachines/lab") {
		t.Errorf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}

// A machine is a network namespace.
type machine string

// command returns a command that runs whorl on the machine, which has a host name of its own.
func (m machine) command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	run := []string{"netns", "exec", string(m), "unshare", "--uts", "sh", "-c", `hostname second && exec "$@"`, "sh", whorlPath(t)}
	return exec.Command("ip", append(run, args...)...)
}

// A started is a running whorl.
type started struct {
	*exec.Cmd
	out, log testenv.Buffer
	ended    chan error
}

func start(t *testing.T, cmd *exec.Cmd) *started {
	t.Helper()
	s := &started{Cmd: cmd, ended: make(chan error, 1)}
	s.Stdout, s.Stderr = &s.out, &s.log
	must.Do(t, s.Start())
	t.Cleanup(func() { _ = s.Process.Kill(); s.ended <- <-s.ended })
	go func() { s.ended <- s.Wait() }()
	return s
}

// await waits for a text in the log.
func (s *started) await(t *testing.T, text string) {
	t.Helper()
	for end := time.Now().Add(enough); !strings.Contains(s.log.String(), text); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("no %q in %s", text, &s.log)
		}
	}
}

// wait waits for the end of the command.
func (s *started) wait(t *testing.T) error {
	t.Helper()
	select {
	case err := <-s.ended:
		s.ended <- err
		return err
	case <-time.After(enough):
		t.Fatalf("it does not end: %s", &s.log)
		return nil
	}
}

// worked checks the answer of a run, and that both machines are in its trace.
func worked(t *testing.T, run *started, answer, trace string, hosts ...string) {
	t.Helper()
	if err := run.wait(t); err != nil || run.out.String() != answer {
		t.Errorf("%v, %s%s", err, &run.out, &run.log)
	}
	dump := string(must.Get(exec.Command(whorlPath(t), "dump", trace).Output())(t))
	for _, h := range hosts {
		if !strings.Contains(dump, h) {
			t.Errorf("no %s in the trace", h)
		}
	}
}

// ownServer lets a node of the second machine join the server of a run by TLS.
func ownServer(t *testing.T, second machine) {
	cert, key := loopback.Certificate(t, firstAddress)
	trace := t.TempDir() + "/run.whorl"
	run := start(t, exec.Command(whorlPath(t), "run", "dts/nqueens", "8", "--listen", firstAddress+":0", "--cert", cert, "--key", key, "--ca", cert, "-o", trace))
	run.await(t, "whorl node --join ")
	url := joinURL.FindStringSubmatch(run.log.String())[1]
	if !strings.HasPrefix(url, "tls://") || !strings.Contains(url, firstAddress) {
		t.Errorf("other machines are to join at %s", url)
	}
	if out, err := second.command(t, "node", "--join", url).CombinedOutput(); err == nil || !strings.Contains(string(out), "certificate") {
		t.Errorf("without the certificate: %v, %s", err, out)
	}
	node := start(t, second.command(t, "node", "--join", url, "--ca", cert, "--name", "far", "--trace"))
	worked(t, run, "92\n", trace, `host="second" process="far"`)
	if err := node.wait(t); err != nil {
		t.Errorf("the node: %v, %s", err, &node.log)
	}
}

// labServer lets both machines use a server with TLS and accounts.
func labServer(t *testing.T, second machine) {
	cert, key := loopback.Certificate(t, firstAddress)
	pair := must.Get(tls.LoadX509KeyPair(cert, key))(t)
	lab := natslab.Start(t, firstAddress, &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12})
	url := strings.Replace(lab.ClientURL(), "nats://", "tls://", 1)
	joining := func(creds string, args ...string) []string {
		return append(args, "--join", url, "--ca", cert, "--creds", creds)
	}
	stranger := joining(natslab.Stranger(t), "node", "dts/nqueens")
	if out, err := second.command(t, stranger...).CombinedOutput(); err == nil || !strings.Contains(string(out), "refuses the credentials") {
		t.Errorf("a stranger: %v, %s", err, out)
	}
	creds := lab.User(t)
	far := start(t, second.command(t, joining(creds, "node", "dts/nqueens", "--name", "far", "--trace")...))
	far.await(t, "runs dts/nqueens")
	near := start(t, exec.Command(whorlPath(t), joining(creds, "node", "dts/nqueens", "--name", "near", "--trace")...))
	near.await(t, "runs dts/nqueens")
	trace := t.TempDir() + "/run.whorl"
	run := start(t, exec.Command(whorlPath(t), joining(creds, "run", "dts/nqueens", "10", "-o", trace)...))
	worked(t, run, "724\n", trace, `host="second" process="far"`, `process="near"`)
	for _, n := range []*started{far, near} {
		must.Do(t, n.Process.Signal(os.Interrupt))
		if err := n.wait(t); err != nil {
			t.Errorf("a node: %v, %s", err, &n.log)
		}
	}
}
