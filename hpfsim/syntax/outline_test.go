package syntax

import (
	"fmt"
	"reflect"
	"strings"
)

// Dump writes a file as an outline: a line for each statement, indented by blocks.
func Dump(f *File) string {
	var b strings.Builder
	for _, u := range f.Units {
		dumpUnit(&b, u, "")
	}
	return b.String()
}

func dumpUnit(b *strings.Builder, u *Unit, in string) {
	fmt.Fprintf(b, "%s%s %s(%s)\n", in, u.Kind, u.Name, joined(u.Params))
	for _, s := range u.Specs {
		fmt.Fprintf(b, "%s  %s\n", in, outline(reflect.ValueOf(s)))
	}
	dumpBody(b, u.Body, in+"  ")
	for _, c := range u.Contains {
		dumpUnit(b, c, in+"    ")
	}
}

func joined(ns []Name) string {
	out := make([]string, len(ns))
	for i, n := range ns {
		out[i] = n.Text
	}
	return strings.Join(out, ", ")
}

var (
	exprType  = reflect.TypeFor[Expr]()
	stmtsType = reflect.TypeFor[[]Stmt]()
	posType   = reflect.TypeFor[Pos]()
)

func dumpBody(b *strings.Builder, body []Stmt, in string) {
	for _, s := range body {
		v := reflect.ValueOf(s)
		label := ""
		if s.Label() != 0 {
			label = fmt.Sprint(s.Label(), " ")
		}
		fmt.Fprintf(b, "%s%s%s\n", in, label, outline(v))
		switch s := s.(type) {
		case *If:
			for _, a := range s.Arms {
				fmt.Fprintf(b, "%s. %s\n", in, Text(a.Cond))
				dumpBody(b, a.Body, in+"    ")
			}
		case *Do:
			dumpBody(b, s.Body, in+"    ")
		case *Select:
			for _, c := range s.Cases {
				fmt.Fprintf(b, "%s. %s\n", in, outline(reflect.ValueOf(c)))
				dumpBody(b, c.Body, in+"    ")
			}
		case *Where:
			for _, a := range s.Arms {
				fmt.Fprintf(b, "%s. %s\n", in, Text(a.Mask))
				dumpBody(b, a.Body, in+"    ")
			}
		case *Forall:
			dumpBody(b, s.Body, in+"    ")
		}
	}
}

// outline writes a value in one line, without places and bodies.
func outline(v reflect.Value) string {
	if !v.IsValid() {
		return "-"
	}
	if v.Type().Implements(exprType) && v.Type() != posType {
		if e, ok := v.Interface().(Expr); ok {
			switch e.(type) {
			case Spec:
			default:
				if v.Kind() == reflect.Interface && v.IsNil() {
					return "-"
				}
			}
			if t := Text(e); t != "" {
				return t
			}
		}
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return "-"
		}
		return outline(v.Elem())
	case reflect.Slice:
		var out []string
		for i := range v.Len() {
			out = append(out, outline(v.Index(i)))
		}
		return "[" + strings.Join(out, " ") + "]"
	case reflect.Struct:
		if n, ok := v.Interface().(Name); ok {
			return n.Text
		}
		var out []string
		for i := range v.NumField() {
			f := v.Field(i)
			t := v.Type().Field(i)
			if f.Type() == posType || f.Type() == stmtsType || t.Name == "Head" || t.Name == "Arms" || t.Name == "Cases" || !t.IsExported() || f.IsZero() {
				continue
			}
			out = append(out, t.Name+"="+outline(f))
		}
		return v.Type().Name() + "{" + strings.Join(out, " ") + "}"
	}
	return fmt.Sprint(v.Interface())
}
