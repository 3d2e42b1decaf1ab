package builtin

import (
	"fmt"
	"slices"
	"strings"

	"whorl/fghc/term"
	"whorl/internal/nearest"
)

// A goal that serves a stream of commands holds a box:
//
//	commands  the rest of the stream
//	PE        Int: whose words the box holds
//	handle    Int: of the file that the commands are for; -1 for those that open files
//	pending   of the command in hand: a list of terms that are still to be waited for, [] at its beginning
const (
	streamCommands = 1 + iota
	streamPE
	streamHandle
	streamPending
	streamWords
)

// host is the handle of a stream whose commands open files.
const host = -1

// A Command is what a program may ask for on a stream.
type Command struct {
	Name string
	// Args has a letter for each argument:
	//
	//	i  an input, which is waited for
	//	t  a term of which all is waited for
	//	o  a result
	Args string
	Doc  string
	run  func(s *service, args []term.Word) Verdict
}

// A service is a stream being served.
type service struct {
	Context
	args     []term.Word // of the goal
	at       int         // of the box
	file     *File       // nil for a host
	commands map[messageName]*Command
}

type messageName struct {
	name  string
	arity int
}

func (m messageName) String() string { return fmt.Sprintf("%s/%d", m.name, m.arity) }

var fileCommands, hostCommands = byName(FileCommands), byName(HostCommands)

func byName(table []Command) map[messageName]*Command {
	m := make(map[messageName]*Command, len(table))
	for i := range table {
		m[messageName{table[i].Name, len(table[i].Args)}] = &table[i]
	}
	return m
}

// serve makes a builtin that serves the stream in its last argument. Open returns the handle.
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

// serveFrom carries out the commands that are there, and says whether it has stopped for others to have their turn.
func serveFrom(c Context, args []term.Word, at int) (v Verdict, more bool) {
	s := &service{Context: c, args: args, at: at, commands: hostCommands}
	handle := int(c.Raw(at + streamHandle).Value())
	if handle != host {
		s.file, s.commands = c.World().file(handle), fileCommands
	}
	s.moveHere()
	for done := 0; ; done++ {
		w := c.Deref(c.Raw(at + streamCommands))
		switch {
		case w.Tag() == term.Ref:
			c.Block(w)
			return Rest, false
		case w == term.Nil:
			if handle != host {
				c.World().drop(handle)
			}
			return Yes, false
		case w.Tag() != term.List:
			return c.Fault(-1, "%s is no stream of commands", c.Show(w)), false
		case done == patience*chunk:
			return Yes, true
		}
		if v := s.carryOut(c.Deref(c.Load(w.Index()))); v != Yes {
			return v, false
		}
		c.Store(at+streamPending, term.Nil)
		c.Store(at+streamCommands, c.Load(w.Index()+1))
	}
}

// moveHere makes the words of the box those of this PE.
func (s *service) moveHere() {
	pe, _ := s.PE()
	if from := int(s.Raw(s.at + streamPE).Value()); from != pe {
		for _, k := range []int{streamCommands, streamPending} {
			w := s.From(from, s.Raw(s.at+k))
			s.Store(s.at+k, w)
		}
		s.Store(s.at+streamPE, term.MakeInt(int64(pe)))
	}
}

// carryOut does a command.
func (s *service) carryOut(w term.Word) Verdict {
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
			v = s.whole(args[k])
		}
	}
	if v != Yes {
		return v
	}
	if s.file != nil && s.file.in != nil {
		s.file.in.use.Lock()
		defer s.file.in.use.Unlock()
	}
	return cmd.run(s, args)
}

// unknown says that there is no such command.
func (s *service) unknown(w term.Word, name string) Verdict {
	var all []string
	for n := range s.commands {
		all = append(all, n.String())
	}
	near := ""
	if some := nearest.Names(name, all); len(some) > 0 {
		near = "; nearest: " + strings.Join(some, ", ")
	}
	of := "this stream"
	if s.file != nil {
		of = "the stream of " + s.file.name
	}
	return s.Fault(-1, "%s does not know the command %s%s", of, s.Show(w), near)
}

// bad says that an argument of a command is not what is wanted.
func (s *service) bad(w term.Word, cmd, want string) Verdict {
	return s.Fault(-1, "%s with %s; expected %s", cmd, s.Show(w), want)
}

// give hands a result back.
func (s *service) give(to, w term.Word) Verdict {
	if !s.Unify(to, w) {
		return s.Fault(-1, "the result of a command is %s, and not %s", s.Show(w), s.Show(to))
	}
	return Yes
}

func (s *service) giveInt(to term.Word, v int64) Verdict { return s.give(to, term.MakeInt(v)) }

// giveStatus hands back what C's functions do: 0, or -1 for an error.
func (s *service) giveStatus(to term.Word, err error) Verdict {
	if err != nil {
		return s.giveInt(to, -1)
	}
	return s.giveInt(to, 0)
}

// more waits until there is more of the input.
func (s *service) more() Verdict {
	if s.file.in.Ended() {
		return Yes
	}
	if !s.file.in.slow {
		s.file.in.Fill()
		return Yes
	}
	if s.Await(s.file.in) {
		return Yes
	}
	return Unknown
}

// whole waits until all of a term is there. What it has looked at it does not look at again.
func (s *service) whole(w term.Word) Verdict {
	var stack []term.Word
	pending := s.Raw(s.at + streamPending)
	for l := pending; l.Tag() == term.List; l = s.Deref(s.Load(l.Index() + 1)) {
		stack = append(stack, s.Load(l.Index()))
	}
	slices.Reverse(stack)
	if pending == term.Nil {
		stack = append(stack, w)
	}
	steps := 0
	for len(stack) > 0 {
		w := s.Deref(stack[len(stack)-1])
		if w.Tag() == term.Ref {
			s.Work(steps)
			s.keep(stack)
			s.Block(w)
			return Unknown
		}
		stack = stack[:len(stack)-1]
		if steps++; steps > maxSteps {
			return s.Fault(-1, "a term that has no end cannot be written")
		}
		parts := components(s, w)
		for k := len(parts) - 1; k >= 0; k-- {
			stack = append(stack, parts[k])
		}
	}
	s.Work(steps)
	s.Store(s.at+streamPending, term.MakeInt(0)) // all is there
	return Yes
}

// keep notes a stack of terms that are still to be waited for.
func (s *service) keep(stack []term.Word) {
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
	s.Store(s.at+streamPending, term.MakeList(at))
}

// components returns what a list, a structure or a vector consists of.
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
