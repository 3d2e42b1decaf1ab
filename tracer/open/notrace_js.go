package open

// noTrace returns nil: a page opens no folders.
func noTrace(string) error { return nil }
