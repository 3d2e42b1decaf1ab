package flow

// Threads is false in a web page, where a computing goroutine blocks all others.
const Threads = false
