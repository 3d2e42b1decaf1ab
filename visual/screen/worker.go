//go:build js

package screen

import (
	"encoding/json"
	"fmt"
	"syscall/js"
	"time"

	"whorl/experiment"
)

// InWorker says whether the program was started in a Web Worker, to run programs and not to show them.
func InWorker(args []string) bool { return len(args) > 1 && args[1] == "worker" }

const (
	reportEvery  = 40 * time.Millisecond
	mostUnderWay = 16 << 20 // bytes that the page has not taken yet; beyond it the run waits
)

// Work runs the program that the page asks for and streams its trace to it, until the page ends the worker.
func Work() error {
	runs := make(chan experiment.Run, 1)
	commands := make(chan experiment.Command, 256)
	taken := make(chan int, 1024)
	listener := js.FuncOf(func(_ js.Value, args []js.Value) any {
		message := args[0].Get("data")
		if text := message.Get("run"); text.Truthy() {
			var r experiment.Run
			if json.Unmarshal([]byte(text.String()), &r) == nil {
				offer(runs, r)
			}
		}
		if text := message.Get("command"); text.Truthy() {
			var c experiment.Command
			if json.Unmarshal([]byte(text.String()), &c) == nil {
				offer(commands, c)
			}
		}
		if n := message.Get("taken"); n.Truthy() {
			offer(taken, n.Int())
		}
		return nil
	})
	defer listener.Release()
	js.Global().Call("listen", listener)

	s, err := experiment.Start(<-runs)
	if err != nil {
		send(nil, experiment.Status{State: experiment.Finished, Err: err.Error()})
		return nil
	}
	defer s.Close()
	// The first tick comes after the commands that were sent with the run, so that one that is to stop at a reduction does not pass it.
	tick := time.NewTicker(reportEvery)
	defer tick.Stop()
	under := 0
	var last experiment.Status
	for {
		select {
		case c := <-commands:
			s.Do(c)
			continue
		case n := <-taken:
			under -= n
			continue
		case <-tick.C:
		}
		st := s.Status() // before Take: with Finished, all that is left is taken
		var b []byte
		if under < mostUnderWay {
			b = s.Take()
			under += len(b)
		}
		if len(b) > 0 || st != last {
			send(b, st)
			last = st
		}
		if st.State == experiment.Finished && len(b) == 0 && under < mostUnderWay {
			return nil
		}
	}
}

func offer[T any](c chan T, x T) {
	select {
	case c <- x:
	default:
	}
}

// send gives the page a piece of the trace and the status. The memory of the piece goes with it.
func send(b []byte, st experiment.Status) {
	message := map[string]any{}
	var moved []any
	if len(b) > 0 {
		array := js.Global().Get("Uint8Array").New(len(b))
		js.CopyBytesToJS(array, b)
		message["bytes"] = array
		moved = append(moved, array.Get("buffer"))
	}
	if text, err := json.Marshal(st); err == nil {
		message["status"] = string(text)
	} else {
		message["stopped"] = fmt.Sprint(err)
	}
	js.Global().Call("postMessage", message, moved)
}
