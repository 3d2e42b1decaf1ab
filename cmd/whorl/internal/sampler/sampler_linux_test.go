package sampler

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"whorl/testdata/must"
)

// burnFor is the environment variable that makes the test program use that many ms of processor time.
const burnFor = "WHORL_TEST_BURN"

func TestMain(m *testing.M) {
	ms := 0
	if _, err := fmt.Sscan(os.Getenv(burnFor), &ms); err == nil {
		fmt.Println("begun")
		burn(ms)
		return
	}
	os.Exit(m.Run())
}

// burn uses ms of processor time.
//
//go:noinline
func burn(ms int) (sum float64) {
	for {
		var use syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &use); err != nil || use.Utime.Nano() > int64(ms)*1e6 {
			return sum
		}
		for i := range 1_000_000 {
			sum += 1 / float64(i+1)
		}
	}
}

func burning(ms int) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d", burnFor, ms))
	return cmd
}

// samples counts the samples in a text.
func samples(text string) int { return strings.Count(text, " cpu-clock:\n") }

// during returns the text that a Sampler writes during work.
func during(t *testing.T, s *Sampler, work func()) string {
	var b bytes.Buffer
	done, written := make(chan struct{}), make(chan error)
	go func() { written <- s.Write(&b, done) }()
	work()
	close(done)
	must.Do(t, <-written)
	return b.String()
}

// TestProgram samples a program from its start. The mapping of its file is there, and most of its time has samples.
func TestProgram(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	s, err := Program(1000)
	if err != nil {
		t.Skip(err)
	}
	defer s.Close()
	text := during(t, s, func() { must.Do(t, burning(300).Run()) })
	path := must.Get(os.Readlink("/proc/self/exe"))(t)
	if n := samples(text); n < 20 || !strings.Contains(text, "r-xp "+path+"\n") || !strings.Contains(text, "[unknown] ("+path+")\n") {
		t.Errorf("%d samples of 300 ms: %.2000s", n, text)
	}
}

// TestProcess samples a process that runs already, until it ends.
func TestProcess(t *testing.T) {
	cmd := burning(600)
	out := must.Get(cmd.StdoutPipe())(t)
	must.Do(t, cmd.Start())
	ended := false
	defer func() {
		if !ended {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}
	}()
	must.Get(out.Read(make([]byte, 5)))(t)
	s, err := Process(cmd.Process.Pid, 1000)
	if err != nil {
		t.Skip(err)
	}
	defer s.Close()
	text := during(t, s, func() {
		must.Do(t, cmd.Wait())
		ended = true
		<-s.Ended()
	})
	path := must.Get(os.Readlink("/proc/self/exe"))(t)
	if samples(text) == 0 || !strings.Contains(text, "[unknown] ("+path+")\n") {
		t.Errorf("%d samples: %.2000s", samples(text), text)
	}
}

func TestNoProcess(t *testing.T) {
	if _, err := Process(1<<30, 1000); err == nil || err.Error() != "no process has the number 1073741824" {
		t.Error(err)
	}
}

// TestRing reads records that lie at the end and the beginning of a buffer.
func TestRing(t *testing.T) {
	one := sampleBytes(1, 2, 3, 4, 5)
	r := &ring{head: &unix.PerfEventMmapPage{}, data: make([]byte, 256)}
	head, got := uint64(0), 0
	for i := range 100 {
		for k, c := range one {
			r.data[(head+uint64(k))%256] = c
		}
		head += uint64(len(one))
		r.head.Data_head = head
		records := r.take(nil)
		got += len(records)
		if len(records) != 1 || len(records[0].callers) != 2 || records[0].callers[1] != 5 || r.head.Data_tail != head {
			t.Fatalf("after %d records: %+v, tail %d, head %d", i, records, r.head.Data_tail, head)
		}
	}
}

func TestParseMap(t *testing.T) {
	for _, c := range []struct {
		line string
		want mapping
		ok   bool
	}{
		{"55d0-55e0 r-xp 00002000 08:01 123    /usr/bin/heat 2", mapping{0x55d0, 0x55e0, 0x2000, "/usr/bin/heat 2"}, true},
		{"7f00-7f10 r-xp 00000000 00:00 0", mapping{0x7f00, 0x7f10, 0, "//anon"}, true},
		{"7f00-7f10 r--p 00000000 00:00 0 /x", mapping{}, false},
		{"7f10-7f00 r-xp 0 00:00 0 /x", mapping{}, false},
		{"x-y r-xp 0 00:00 0 /x", mapping{}, false},
		{"", mapping{}, false},
	} {
		if got, ok := parseMap(c.line); ok != c.ok || ok && got != c.want {
			t.Errorf("%s: %+v, %v", c.line, got, ok)
		}
	}
}
