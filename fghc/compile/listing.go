package compile

import (
	"fmt"
	"io"

	"whorl/fghc/builtin"
	"whorl/fghc/term"
)

// Listing writes the code of a program with its labels, tables and procedures, for a person to read.
func (p *Program) Listing(w io.Writer) error {
	entries := map[int32]string{}
	for _, pr := range p.Procs {
		entries[pr.Entry] = fmt.Sprintf("%s/%d", pr.Name, pr.Arity)
	}
	for i, in := range p.Code[1:] {
		at := int32(i + 1)
		if name, ok := entries[at]; ok {
			if _, err := fmt.Fprintf(w, "%s:\n", name); err != nil {
				return err
			}
		}
		if _, err := fmt.Fprintf(w, "%5d  %v\n", at, in); err != nil {
			return err
		}
		if in.Op != Switch {
			continue
		}
		t := &p.Tables[in.K]
		for i, k := range t.Keys {
			fmt.Fprintf(w, "         %s -> %d\n", p.key(k), t.Labels[i])
		}
		if t.List != t.Default {
			fmt.Fprintf(w, "         [_|_] -> %d\n", t.List)
		}
		fmt.Fprintf(w, "         other -> %d, unbound -> %d\n", t.Default, t.Blocked)
	}
	return nil
}

// key prints a constructor of a table.
func (p *Program) key(k term.Word) string {
	switch k.Tag() {
	case term.Int:
		return fmt.Sprint(k.Value())
	case term.Atom:
		return p.Symbols.Name(k.Index())
	}
	f := p.Symbols.Lookup(k.Index())
	return fmt.Sprintf("%s/%d", p.Symbols.Name(f.Name), f.Arity)
}

// String prints an instruction as the listing shows it.
func (in Ins) String() string {
	x := func(r uint16) string { return fmt.Sprintf("x%d", r) }
	jumps := ""
	if in.Op == Arith && in.Type == 0 || in.Op == Call {
		jumps += fmt.Sprintf(" site %d", in.Fail)
	} else if in.Fail != 0 {
		jumps += fmt.Sprintf(" fail %d", in.Fail)
	}
	if in.Blocked != 0 {
		jumps += fmt.Sprintf(" blocked %d", in.Blocked)
	}
	if in.Type != 0 {
		jumps += fmt.Sprintf(" type %d", in.Type)
	}
	s := in.Op.String()
	switch in.Op {
	case Switch:
		return fmt.Sprintf("%s %s table %d", s, x(in.A), in.K)
	case LoadList:
		return fmt.Sprintf("%s %s -> %s %s", s, x(in.A), x(in.B), x(in.B+1))
	case LoadArgs:
		return fmt.Sprintf("%s %s -> %s.. %d", s, x(in.A), x(in.B), in.C)
	case IsBound, IsInt, IsAtom, IsList, IsAtomic:
		return fmt.Sprintf("%s %s%s", s, x(in.A), jumps)
	case Equal, Differ:
		return fmt.Sprintf("%s %s %s%s", s, x(in.A), x(in.B), jumps)
	case Compare, FloatCompare:
		return fmt.Sprintf("%s %s %s %s%s", s, x(in.A), Rel(in.K), x(in.B), jumps)
	case Arith:
		return fmt.Sprintf("%s %s = %s %s %s%s", s, x(in.A), x(in.B), ArithOp(in.K), x(in.C), jumps)
	case Test, Call:
		return fmt.Sprintf("%s %s args %d%s", s, builtin.All[in.K].Title(), in.At, jumps)
	case Commit:
		return fmt.Sprintf("%s clause %d at %d", s, in.K, in.Fail)
	case Const:
		return fmt.Sprintf("%s %s = %#x", s, x(in.A), uint64(in.K))
	case Boxed:
		return fmt.Sprintf("%s %s = constant %d", s, x(in.A), in.K)
	case NewVar:
		return fmt.Sprintf("%s %s", s, x(in.A))
	case Move:
		return fmt.Sprintf("%s %s = %s", s, x(in.A), x(in.B))
	case PutList:
		fresh := [4]string{"", " new head", " new tail", " new head, tail"}[in.K&3]
		return fmt.Sprintf("%s %s = [%s|%s]%s", s, x(in.A), x(in.B), x(in.C), fresh)
	case PutStr:
		return fmt.Sprintf("%s %s functor %d/%d", s, x(in.A), in.K, in.C)
	case SetArg:
		return fmt.Sprintf("%s %s.%d = %s", s, x(in.A), in.C, x(in.B))
	case Unify:
		return fmt.Sprintf("%s %s = %s", s, x(in.A), x(in.B))
	case Goal, Delay:
		at := ""
		if in.B > 0 {
			at = " at " + x(in.B-1)
		}
		if in.C > 0 {
			at += " priority " + [2]string{"", "lower by "}[in.Type] + x(in.C-1)
		}
		return fmt.Sprintf("%s proc %d/%d args %d site %d%s", s, in.K, in.A, in.Fail, in.Blocked, at)
	}
	return s + jumps
}
