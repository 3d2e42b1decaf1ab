package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"whorl/testdata/must"
)

const loop = `loop(N) :- M := N + 1, loop(M).
fib(N, F) :- N < 2 | F = N.
fib(N, F) :- N >= 2 | M := N - 1, L := N - 2, fib(M, A), fib(L, B), F := A + B.
`

// A talk is a process of whorl with its output so far.
type talk struct {
	t    *testing.T
	in   *os.File
	cmd  *exec.Cmd
	done chan struct{} // closed at the end of its output

	mu   sync.Mutex
	said string
	read int // bytes of said that hears has passed
}

// startTalk starts a command of whorl on a file, with stdin and stdout as its standard files. The test writes to in and reads from out, the other ends.
func startTalk(t *testing.T, stdin, stdout *os.File, in, out *os.File, attr *syscall.SysProcAttr, command string, args ...string) *talk {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "loop.fghc")
	must.Do(t, os.WriteFile(file, []byte(loop), 0o600))
	whorl := whorlPath(t)
	s := &talk{t: t, in: in, done: make(chan struct{}), cmd: exec.Command(whorl, append([]string{command, file}, args...)...)}
	s.cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0", "TERM=xterm", "XDG_STATE_HOME="+dir)
	s.cmd.Dir = dir
	s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr, s.cmd.SysProcAttr = stdin, stdout, stdout, attr
	must.Do(t, s.cmd.Start())
	t.Cleanup(func() { _ = s.cmd.Process.Kill() })
	stdin.Close()
	stdout.Close()
	go func() {
		defer close(s.done)
		b := make([]byte, 4096)
		for {
			n, err := out.Read(b)
			s.mu.Lock()
			s.said += string(b[:n])
			s.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	return s
}

// says writes a text to the input.
func (s *talk) says(text string) {
	s.t.Helper()
	must.Get(s.in.WriteString(text))(s.t)
}

// hears waits until a text appears in the output, after the last text heard.
func (s *talk) hears(text string) {
	s.t.Helper()
	for end := time.Now().Add(enough); ; time.Sleep(5 * time.Millisecond) {
		s.mu.Lock()
		rest := s.said[s.read:]
		i := strings.Index(rest, text)
		if i >= 0 {
			s.read += i + len(text)
		}
		s.mu.Unlock()
		if i >= 0 {
			return
		}
		if time.Now().After(end) {
			s.t.Fatalf("waiting for %q in %q", text, rest)
		}
	}
}

// ends waits for the end of the process and returns its exit status.
func (s *talk) ends() int {
	hung := time.AfterFunc(enough, func() { _ = s.cmd.Process.Kill() })
	defer hung.Stop()
	<-s.done
	_ = s.cmd.Wait()
	return s.cmd.ProcessState.ExitCode()
}

// computes waits until the process has used more processor time than before, by the given amount.
func (s *talk) computes(more time.Duration) {
	s.t.Helper()
	used := func() (sum time.Duration) {
		for _, f := range s.threads() {
			user, _ := strconv.Atoi(f[11])
			system, _ := strconv.Atoi(f[12])
			sum += time.Duration(user+system) * 10 * time.Millisecond
		}
		return sum
	}
	before := used()
	for end := time.Now().Add(enough); used() < before+more; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			s.t.Fatal("the session uses no processor time")
		}
	}
}

// rests waits until all threads of the process sleep in ten observations one after the other.
func (s *talk) rests() {
	s.t.Helper()
	for end, looks := time.Now().Add(enough), 0; looks < 10; time.Sleep(5 * time.Millisecond) {
		if looks++; slices.ContainsFunc(s.threads(), func(f []string) bool { return f[0] != "S" }) {
			looks = 0
		}
		if time.Now().After(end) {
			s.t.Fatal("the session does not come to rest")
		}
	}
}

// threads returns the fields of /proc/PID/task/TID/stat from the state on, for each thread of the process.
func (s *talk) threads() (all [][]string) {
	s.t.Helper()
	names, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", s.cmd.Process.Pid))
	for _, name := range names {
		if b, err := os.ReadFile(name); err == nil { // a thread may have ended
			all = append(all, strings.Fields(string(b[strings.LastIndex(string(b), ")")+1:])))
		}
	}
	if len(all) == 0 {
		s.t.Fatal("the session has ended")
	}
	return all
}

// openTerminal returns the keyboard and screen of a new terminal, and a function that opens the terminal for a process.
func openTerminal(t *testing.T, rows, columns uint16) (our *os.File, open func() *os.File) {
	t.Helper()
	our, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no terminals here: ", err)
	}
	t.Cleanup(func() { our.Close() })
	fd := int(our.Fd())
	n := must.Get(unix.IoctlGetInt(fd, unix.TIOCGPTN))(t)
	must.Do(t, unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0))
	must.Do(t, unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: rows, Col: columns}))
	return our, func() *os.File {
		return must.Get(os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0))(t)
	}
}

// TestReplOnTerminal types at a prompt: completion, history, Ctrl-C at the prompt and while a goal runs, Ctrl-D.
func TestReplOnTerminal(t *testing.T) {
	our, open := openTerminal(t, 40, 100)
	keep := open() // keeps the terminal open after whorl has ended
	defer keep.Close()
	before := must.Get(unix.IoctlGetTermios(int(keep.Fd()), unix.TCGETS))(t)
	s := startTalk(t, open(), open(), our, our, &syscall.SysProcAttr{Setsid: true, Setctty: true}, "repl", "--pes", "1")

	s.hears("?- ")
	s.says("fi\t")
	s.hears("fib(")
	s.says("7,F)\r")
	s.hears("F = 13\r\n")

	s.hears("?- ")
	s.says(":trace on\r")
	s.hears("?- ")
	s.says("loop(0)\r")
	s.hears("loop(3)")
	s.says("\x03")
	s.hears("whorl: interrupted")
	s.hears("?- ")
	s.says(":trace off\r")

	s.hears("?- ")
	s.says("fib(8")
	s.hears("fib(8")
	s.says("\x03") // drops the line
	s.hears("?- ")
	s.says(":pes\r")
	s.hears("\r\n1\r\n")
	s.hears("?- ")
	s.says("fib(7\x1b[A") // recalls the last line with this beginning
	s.hears("fib(7,F)")
	s.says("\r")
	s.hears("F = 13\r\n")

	s.hears("?- ")
	s.says("p(X) :-\r")
	s.hears("|  ")
	s.says("X = 4.\r")
	s.hears("p/1: 1 clause")
	s.hears("?- ")
	s.says("\x04")
	for end := time.Now().Add(enough); ; time.Sleep(5 * time.Millisecond) {
		var status syscall.WaitStatus
		if pid, err := syscall.Wait4(s.cmd.Process.Pid, &status, syscall.WNOHANG, nil); err == nil && pid > 0 {
			if status.ExitStatus() != 0 {
				t.Errorf("exit status %d", status.ExitStatus())
			}
			break
		}
		if time.Now().After(end) {
			t.Fatal("the session does not end")
		}
	}
	after := must.Get(unix.IoctlGetTermios(int(keep.Fd()), unix.TCGETS))(t)
	if *after != *before {
		t.Errorf("the terminal is now %+v, and was %+v", after, before)
	}
	history, err := os.ReadFile(filepath.Join(s.cmd.Dir, "whorl", "history"))
	if want := "fib(7,F)\n:trace on\nloop(0)\n:trace off\n:pes\nfib(7,F)\np(X) :-\nX = 4.\n"; err != nil || string(history) != want {
		t.Errorf("the history is %q, %v", history, err)
	}
}

// TestReplInterrupted sends signals to a session without a terminal. SIGINT ends the running goal, or a session that waits for a line. SIGTERM ends
// the session.
func TestReplInterrupted(t *testing.T) {
	pipes := func(args ...string) *talk {
		stdin, in, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		out, stdout, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { in.Close(); out.Close() })
		s := startTalk(t, stdin, stdout, in, out, nil, "repl", args...)
		s.hears("2 procedures")
		return s
	}
	for _, mode := range []string{"sim", "live"} {
		t.Run("goal, "+mode, func(t *testing.T) {
			s := pipes("--mode", mode)
			if mode == "sim" {
				s.says(":trace on\nloop(0)\n")
				s.hears("loop(3)")
			} else {
				s.says("X = begun\nloop(0)\n")
				s.hears("X = begun")
				s.computes(300 * time.Millisecond) // the goal prints nothing
			}
			_ = s.cmd.Process.Signal(os.Interrupt)
			s.hears("interrupted")
			s.says(":trace off\nfib(7, F)\n")
			s.hears("F = 13\n")
			s.in.Close()
			if status := s.ends(); status != 0 {
				t.Errorf("exit status %d", status)
			}
		})
	}
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run("no goal, "+sig.String(), func(t *testing.T) {
			s := pipes()
			s.says("X = begun\n")
			s.hears("X = begun")
			s.rests()
			_ = s.cmd.Process.Signal(sig)
			s.hears("whorl: interrupted\n")
			if status := s.ends(); status != 130 {
				t.Errorf("exit status %d", status)
			}
		})
	}
	t.Run("goal, terminated", func(t *testing.T) {
		s := pipes()
		s.says("X = begun\nloop(0)\n")
		s.hears("X = begun")
		_ = s.cmd.Process.Signal(syscall.SIGTERM)
		s.hears("whorl: interrupted\n")
		if status := s.ends(); status != 130 {
			t.Errorf("exit status %d", status)
		}
	})
}
