package syntax

import "slices"

// intrinsicModules are the texts of the modules that are part of Fortran.
var intrinsicModules = map[string]string{
	"ISO_FORTRAN_ENV": `module iso_fortran_env
integer, parameter :: int8 = 1, int16 = 2, int32 = 4, int64 = 8, real32 = 4, real64 = 8, real128 = -1
integer, parameter :: input_unit = 5, output_unit = 6, error_unit = 0, iostat_end = -1, iostat_eor = -2
integer, parameter :: character_storage_size = 8, numeric_storage_size = 32, file_storage_size = 8
integer, parameter :: integer_kinds(4) = (/ 1, 2, 4, 8 /), real_kinds(2) = (/ 4, 8 /), logical_kinds(4) = (/ 1, 2, 4, 8 /), character_kinds(1) = (/ 1 /)
end module`,
	"ISO_C_BINDING": `module iso_c_binding
integer, parameter :: c_int = 4, c_short = 2, c_long = 8, c_long_long = 8, c_signed_char = 1, c_size_t = 8, c_intptr_t = 8, c_ptrdiff_t = 8
integer, parameter :: c_intmax_t = 8, c_int8_t = 1, c_int16_t = 2, c_int32_t = 4, c_int64_t = 8
integer, parameter :: c_int_least8_t = 1, c_int_least16_t = 2, c_int_least32_t = 4, c_int_least64_t = 8
integer, parameter :: c_float = 4, c_double = 8, c_long_double = -1, c_float_complex = 4, c_double_complex = 8, c_bool = 1, c_char = 1
character, parameter :: c_null_char = char(0), c_alert = char(7), c_backspace = char(8), c_form_feed = char(12)
character, parameter :: c_new_line = char(10), c_carriage_return = char(13), c_horizontal_tab = char(9), c_vertical_tab = char(11)
end module`,
}

// bringModules adds the intrinsic modules that units of the file use and do not define.
func (f *File) bringModules() {
	used := map[string]bool{}
	f.uses(f.Units, used)
	for _, name := range []string{"ISO_FORTRAN_ENV", "ISO_C_BINDING"} {
		defined := func(u *Unit) bool { return u.Name == name && u.Kind == Module }
		if used[name] && !slices.ContainsFunc(f.Units, defined) {
			m, _ := Parse(name, intrinsicModules[name], Options{Form: Free}) // a test reads them all
			f.Units = append(f.Units, m.Units...)
		}
	}
}

// uses enters the modules that units use, the procedures in them and their interfaces.
func (f *File) uses(units []*Unit, used map[string]bool) {
	for _, u := range units {
		for _, s := range u.Specs {
			switch s := s.(type) {
			case *Use:
				used[s.Module.Text] = true
			case *Interface:
				f.uses(s.Units, used)
			}
		}
		f.uses(u.Contains, used)
	}
}
