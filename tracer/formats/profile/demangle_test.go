package profile

import "testing"

func TestDemangle(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"_Z5gammav", "gamma"},
		{"_ZN4heat4GridIdE5sweepEi", "heat::Grid<double>::sweep"},
		{"_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE", "core::fmt::Write::write_fmt"},
		{"_RNvCs1234_7mycrate3foo", "mycrate::foo"},
		{"Lorg/mozilla/javascript/ScriptableObject;::createSlot", "org.mozilla.javascript.ScriptableObject.createSlot"},
		{"Lorg/mozilla/javascript/ScriptableObject:.createSlot_[j]", "org.mozilla.javascript.ScriptableObject.createSlot_[j]"},
		{"Ljava/lang/Object;::<init>", "java.lang.Object.<init>"},
		{"LinkedList::push", "LinkedList::push"},
		{"L1:top", "L1:top"},
		{"_start", "_start"},
		{"$s4main5countSiyF", "$s4main5countSiyF"},
		{"net/http.(*conn).serve", "net/http.(*conn).serve"},
		{"", ""},
	} {
		if got := Demangle(c.name); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
