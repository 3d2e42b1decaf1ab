package builtin

import (
	"fmt"
	"slices"

	"whorl/fghc/term"
	"whorl/fghc/world"
	"whorl/internal/nearest"
)

// The goal of a stream of commands holds a box:
//
//	commands  the rest of the stream
//	PE        Int: the PE whose words the box holds
//	handle    Int: the file of the commands; -1 for commands that open files
//	pending   the terms that the current command still waits for, a list; [] before it starts to wait; an integer when they are ground, for
//	          connect the handle of the connection under way
//	text      only of a stream that makes a string: the variable that becomes the string at the end
const (
	streamCommands = 1 + iota
	streamPE
	streamHandle
	streamPending
	streamWords
	streamText = streamWords // of the streams that make a string
)

// host is the handle of a stream whose commands open files.
const host = -1

// A Command is a command of a stream.
type Command struct {
	Name string
	// Args has a letter for each argument:
	//
	//	i  an input that must be bound
	//	t  a term that must be ground
	//	o  a result
	Args string
	Doc  string
	run  func(s *service, args []term.Word) Verdict
}

// A service is a stream being served.
type service struct {
	Context
	args     []term.Word // of the goal
	box      int         // index of the box
	file     *world.File // nil for a host
	commands map[messageName]*Command
}

type messageName struct {
	name  string
	arity int
}

func (m messageName) String() string { return fmt.Sprintf("%s/%d", m.name, m.arity) }

var fileCommands, socketCommands, hostCommands = byName(FileCommands), byName(SocketCommands), byName(HostCommands)

func byName(table []Command) map[messageName]*Command {
	m := make(map[messageName]*Command, len(table))
	for i := range table {
		m[messageName{table[i].Name, len(table[i].Args)}] = &table[i]
	}
	return m
}

// serve returns a builtin that serves the stream in its last argument. The function open returns the handle of the stream.
func serve(open func(c Context, args []term.Word) (handle int, v Verdict)) func(c Context, args []term.Word) Verdict {
	return func(c Context, args []term.Word) Verdict {
		k := len(args) - 1
		at, ok := object(c, args[k], term.KindStream)
		if !ok {
			at = c.Alloc(streamWords)
			handle, v := open(c, args)
			if v != Yes {
				for i := range streamWords {
					c.Store(at+i, term.Nil)
				}
				return v
			}
			args[k] = newStream(c, at, args[k], handle)
		}
		v, more := serveFrom(c, args, at)
		if more {
			c.Fork(args)
		}
		return v
	}
}

// newStream fills the box at index at.
func newStream(c Context, at int, commands term.Word, handle int) term.Word {
	pe, _ := c.PE()
	c.Store(at, term.BoxHeader(term.KindStream, streamWords-1))
	c.Store(at+streamCommands, commands)
	c.Store(at+streamPE, term.MakeInt(int64(pe)))
	c.Store(at+streamHandle, term.MakeInt(int64(handle)))
	c.Store(at+streamPending, term.Nil)
	return term.MakeBox(at)
}

// serveFrom executes the available commands. It reports whether it has stopped to let other goals run.
func serveFrom(c Context, args []term.Word, at int) (v Verdict, more bool) {
	s := &service{Context: c, args: args, box: at, commands: hostCommands}
	handle := int(c.Raw(at + streamHandle).Value())
	if handle != host {
		s.file, s.commands = c.World().File(handle), fileCommands
		if s.file.Server != nil {
			s.commands = socketCommands
		}
	}
	s.moveHere()
	if s.file != nil && s.file.Signals {
		return s.serveSignals(), false
	}
	for done := 0; ; done++ {
		w := c.Deref(c.Raw(at + streamCommands))
		switch {
		case w.Tag() == term.Ref:
			c.Block(w)
			return Rest, false
		case w == term.Nil:
			if s.file != nil && s.file.Text != nil {
				v = s.answerText()
			}
			if handle != host {
				c.World().Release(handle)
			}
			return v, false
		case w.Tag() != term.List:
			return c.Fault(-1, "%s is not a stream of commands", c.Show(w)), false
		case done == patience*chunk:
			return Yes, true
		}
		if v := s.execute(c.Deref(c.Load(w.Index()))); v != Yes {
			return v, false
		}
		c.Store(at+streamPending, term.Nil)
		c.Store(at+streamCommands, c.Load(w.Index()+1))
	}
}

// moveHere converts the words of the box to words of the current PE. A term is examined again, because parts of it that the other PE knew may
// still be unknown here.
func (s *service) moveHere() {
	pe, _ := s.PE()
	if from := int(s.Raw(s.box + streamPE).Value()); from != pe {
		words := []int{streamCommands}
		if s.file != nil && s.file.Text != nil {
			words = append(words, streamText)
		}
		for _, k := range words {
			w := s.From(from, s.Raw(s.box+k))
			s.Store(s.box+k, w)
		}
		if w := s.Raw(s.box + streamPending); w.Tag() != term.Int || w.Value() == 0 {
			s.Store(s.box+streamPending, term.Nil)
		}
		s.Store(s.box+streamPE, term.MakeInt(int64(pe)))
	}
}

// execute executes a command.
func (s *service) execute(w term.Word) Verdict {
	var name string
	var args []term.Word
	switch w.Tag() {
	case term.Ref:
		s.Block(w)
		return Unknown
	case term.Int:
		name, args = "putc", []term.Word{w}
	case term.Atom:
		name = s.Symbols().Name(w.Index())
	case term.Str:
		f, n := functorOf(s, w)
		if n > 0 {
			name, args = s.Symbols().Name(f.Index()), structureArgs(s, w, n)
		}
	}
	cmd, ok := s.commands[messageName{name, len(args)}]
	if !ok {
		return s.unknown(w, messageName{name, len(args)}.String())
	}
	v := Yes
	for k, mode := range cmd.Args {
		switch args[k] = s.Deref(args[k]); {
		case mode == 'i' && args[k].Tag() == term.Ref:
			s.Block(args[k])
			v = Unknown
		case mode == 't' && v == Yes:
			v = s.awaitTerm(args[k])
		}
	}
	if v != Yes {
		return v
	}
	if s.file != nil && s.file.In != nil {
		s.file.In.Use.Lock()
		defer s.file.In.Use.Unlock()
	}
	return cmd.run(s, args)
}

// unknown reports an unknown command.
func (s *service) unknown(w term.Word, name string) Verdict {
	var known []string
	for n := range s.commands {
		known = append(known, n.String())
	}
	stream := "this stream"
	if s.file != nil {
		stream = "the stream of " + s.file.Name
	}
	return s.Fault(-1, "%s", nearest.Suggest(fmt.Sprintf("%s does not know the command %s", stream, s.Show(w)), nearest.Names(name, known)))
}

// bad reports an argument of a command that does not match want.
func (s *service) bad(w term.Word, cmd, want string) Verdict {
	return s.Fault(-1, "%s with %s; expected %s", cmd, s.Show(w), want)
}

// answer unifies the argument to of a command with the result w.
func (s *service) answer(to, w term.Word) Verdict {
	if !s.Unify(to, w) {
		return s.Fault(-1, "the result of a command is %s, not %s", s.Show(w), s.Show(to))
	}
	return Yes
}

func (s *service) answerInt(to term.Word, v int64) Verdict { return s.answer(to, term.MakeInt(v)) }

// answerStatus answers as C functions do: 0, or -1 for an error.
func (s *service) answerStatus(to term.Word, err error) Verdict {
	if err != nil {
		return s.answerInt(to, -1)
	}
	return s.answerInt(to, 0)
}

// fill waits for more input or its end.
func (s *service) fill() Verdict {
	if s.file.In.Ended() {
		return Yes
	}
	if !s.file.In.Slow {
		s.file.In.Fill()
		return Yes
	}
	if s.Await(s.file.In) {
		return Yes
	}
	return Unknown
}

// awaitTerm waits until a term is ground. It examines each part once, even if it waits several times.
func (s *service) awaitTerm(w term.Word) Verdict {
	var stack []term.Word
	pending := s.Raw(s.box + streamPending)
	for l := pending; l.Tag() == term.List; l = s.Deref(s.Load(l.Index() + 1)) {
		stack = append(stack, s.Load(l.Index()))
	}
	slices.Reverse(stack)
	switch pending.Tag() {
	case term.Int:
		return Yes
	case term.Atom:
		stack = append(stack, w)
	}
	steps := 0
	for len(stack) > 0 {
		w := s.Deref(stack[len(stack)-1])
		if w.Tag() == term.Ref {
			s.Work(steps)
			s.savePending(stack)
			s.Block(w)
			return Unknown
		}
		stack = stack[:len(stack)-1]
		if steps++; steps > maxSteps {
			return s.Fault(-1, "cannot write a term that is too large, or infinite")
		}
		parts := components(s, w)
		for k := len(parts) - 1; k >= 0; k-- {
			stack = append(stack, parts[k])
		}
	}
	s.Work(steps)
	s.Store(s.box+streamPending, term.MakeInt(0)) // the term is ground
	return Yes
}

// savePending stores the stack of terms that awaitTerm still has to examine.
func (s *service) savePending(stack []term.Word) {
	at := s.Alloc(2 * len(stack))
	for k := range stack {
		cell := at + 2*k
		s.Store(cell, stack[len(stack)-1-k])
		if k == len(stack)-1 {
			s.Store(cell+1, term.Nil)
		} else {
			s.Store(cell+1, term.MakeList(cell+2))
		}
	}
	s.Store(s.box+streamPending, term.MakeList(at))
}

// components returns the parts of a list, a structure or a vector.
func components(c Context, w term.Word) []term.Word {
	if _, ok := Size(c, w); ok {
		return Elements(c, w)
	}
	if w.Tag() != term.List && w.Tag() != term.Str {
		return nil
	}
	_, n := functorOf(c, w)
	return structureArgs(c, w, n)
}
