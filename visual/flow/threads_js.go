package flow

// Threads is false in a page, where a goroutine that computes keeps everything else from running.
const Threads = false
