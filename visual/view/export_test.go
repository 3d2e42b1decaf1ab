package view

// Held returns the names of the stages that hold a value.
func (d *Data) Held() []string { return d.graph.Held() }
