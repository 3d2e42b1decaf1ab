package perf

import (
	"strings"

	"whorl/tracer"
)

// facts follow from the stack of a record.
type facts struct {
	wait      uint32 // reason of a wait, 0 for none
	timed     bool   // it ends after a time
	interrupt uint32 // reason of a wake-up in an interrupt, 0 for none
}

// blocked maps functions of the kernel to the reasons of waits in them.
var blocked = map[string]string{
	"futex_wait": "futex", "__futex_wait": "futex", "futex_wait_queue": "futex", "futex_wait_queue_me": "futex", "futex_wait_multiple": "futex", "futex_lock_pi": "futex",
	"do_nanosleep": "nanosleep", "hrtimer_nanosleep": "nanosleep", "msleep": "nanosleep", "usleep_range_state": "nanosleep", "msleep_interruptible": "nanosleep",
	"ep_poll": "epoll", "do_epoll_wait": "epoll", "do_sys_poll": "poll", "do_poll": "poll", "do_select": "select", "core_sys_select": "select",
	"pipe_read": "pipe read", "anon_pipe_read": "pipe read", "fifo_pipe_read": "pipe read", "pipe_write": "pipe write", "anon_pipe_write": "pipe write",
	"wait_for_partner": "pipe open",
	"io_schedule":      "disk", "io_schedule_timeout": "disk", "folio_wait_bit_common": "disk", "wait_on_page_bit": "disk", "submit_bio_wait": "disk",
	"jbd2_log_wait_commit": "disk", "wait_on_page_writeback": "disk", "blk_mq_get_tag": "disk", "rq_qos_wait": "disk", "balance_dirty_pages": "disk",
	"do_wait": "child", "kernel_wait4": "child", "wait_for_vfork_done": "child",
	"unix_stream_read_generic": "socket receive", "unix_stream_data_wait": "socket receive", "__skb_wait_for_more_packets": "socket receive",
	"sk_wait_data": "socket receive", "sock_alloc_send_pskb": "socket send", "sk_stream_wait_memory": "socket send",
	"inet_csk_accept": "accept", "unix_accept": "accept", "inet_stream_connect": "connect", "unix_stream_connect": "connect",
	"n_tty_read": "terminal", "tty_read": "terminal", "n_tty_write": "terminal",
	"do_sigtimedwait": "signal", "sigsuspend": "signal", "__do_sys_pause": "signal", "do_signal_stop": "stopped", "ptrace_stop": "traced",
	"eventfd_read": "eventfd", "inotify_read": "inotify", "signalfd_dequeue": "signal", "timerfd_read_iter": "nanosleep", "timerfd_read": "nanosleep",
	"io_cqring_wait": "io_uring", "io_wq_worker": "idle", "do_msgrcv": "message queue", "do_semtimedop": "semaphore", "__do_semtimedop": "semaphore",
	"flock_lock_inode_wait": "file lock", "posix_lock_inode_wait": "file lock", "locks_lock_inode_wait": "file lock",
	"worker_thread": "idle", "smpboot_thread_fn": "idle", "rcu_gp_kthread": "idle", "kswapd": "idle", "kcompactd": "idle", "kthreadd": "idle",
	"rcu_nocb_gp_kthread": "idle", "rescuer_thread": "idle", "kjournald2": "idle", "kthread_worker_fn": "idle", "cpu_stopper_thread": "idle",
	"__mutex_lock": "lock in the kernel", "__mutex_lock_slowpath": "lock in the kernel", "__mutex_lock_interruptible_slowpath": "lock in the kernel",
	"rwsem_down_read_slowpath": "lock in the kernel", "rwsem_down_write_slowpath": "lock in the kernel", "rwsem_down_read_failed": "lock in the kernel",
	"rwsem_down_write_failed": "lock in the kernel", "__down_common": "lock in the kernel", "percpu_rwsem_wait": "lock in the kernel", "rt_mutex_slowlock": "lock in the kernel",
	"handle_userfault": "page fault", "fuse_request_wait_answer": "file system", "request_wait_answer": "file system", "p9_client_rpc": "file system",
	"rpc_wait_bit_killable": "file system", "kvm_vcpu_block": "idle guest", "kvm_vcpu_halt": "idle guest",
	"wait_for_completion": "completion", "wait_for_completion_killable": "completion", "wait_for_completion_interruptible": "completion",
	"synchronize_rcu": "completion", "do_exit": "exit", "futex_cleanup_begin": "exit",
}

// timers are functions of the kernel that run when a time has come.
var timers = map[string]bool{
	"hrtimer_interrupt": true, "__hrtimer_run_queues": true, "hrtimer_wakeup": true, "call_timer_fn": true, "run_timer_softirq": true, "process_timeout": true,
	"__run_timers": true, "hrtimer_run_softirq": true, "tick_sched_timer": true, "update_process_times": true,
}

// factsOf returns the facts of the stack of the current record, which has a calling context.
func (f *file) factsOf(context uint32) facts {
	if context == 0 {
		return facts{}
	}
	k, ok := f.sched.facts[context]
	if ok {
		return k
	}
	var call, interrupt string
	timer, network, reason := false, false, ""
	for i := range f.stack {
		fr := &f.stack[i]
		if fr.module != "" && fr.module[0] != '[' { // of a program
			break
		}
		name, _, _ := strings.Cut(fr.symbol, ".") // parts of a function that the compiler has split
		if reason == "" {
			reason = blocked[name]
		}
		if call == "" {
			call = callOf(name)
		}
		timer = timer || timers[name]
		network = network || name == "net_rx_action" || name == "__napi_poll"
		if entersInterrupt(name) {
			interrupt = name
		}
	}
	reasonOf := f.w.Reason
	switch {
	case reason != "":
		k.wait, k.timed = reasonOf(reason), reason == "nanosleep"
	case call != "":
		k.wait = reasonOf(call)
	}
	switch {
	case interrupt == "":
	case timer:
		k.interrupt = reasonOf(tracer.ReasonTimer)
	case network:
		k.interrupt = reasonOf("network")
	default:
		k.interrupt = reasonOf(tracer.ReasonOutside)
	}
	f.sched.facts[context] = k
	return k
}

// callOf returns the name of the system call that a function of the kernel implements, or "".
func callOf(name string) string {
	for _, prefix := range []string{"__x64_sys_", "__arm64_sys_", "__ia32_sys_", "__s390x_sys_", "__riscv_sys_", "__se_sys_", "__do_sys_", "ksys_", "SyS_", "sys_"} {
		if call, ok := strings.CutPrefix(name, prefix); ok {
			return call
		}
	}
	return ""
}

// entersInterrupt reports whether a function of the kernel is entered by an interrupt.
func entersInterrupt(name string) bool {
	switch name {
	case "do_IRQ", "irq_exit", "irq_exit_rcu", "__irq_exit_rcu", "common_interrupt", "handle_irq_event", "gic_handle_irq", "el0_irq", "el1_irq", "ret_from_intr", "exc_nmi":
		return true
	}
	return strings.HasPrefix(name, "sysvec_") || strings.HasPrefix(name, "asm_sysvec_") || strings.HasSuffix(name, "_interrupt")
}

// above reports whether a header is that of the stack of the record before, as ftrace writes it.
func (f *file) above(h *header) bool {
	return h.tid == f.sample.tid && (strings.HasPrefix(h.rest, "<stack trace") || strings.HasPrefix(h.rest, "<user stack trace"))
}

// traced handles a line of a stack of ftrace.
func (f *file) traced(line string) bool {
	symbol, ok := strings.CutPrefix(strings.TrimLeft(line, " "), "=> ")
	if !ok {
		return false
	}
	symbol, _, _ = strings.Cut(symbol, " (")
	symbol, _, _ = strings.Cut(symbol, "+0x")
	module := "[kernel.kallsyms]"
	if at := strings.IndexByte(symbol, '['); at > 0 { // of a program
		symbol, module = strings.TrimSpace(symbol[:at]), ""
	}
	f.push(frame{symbol: strings.TrimSpace(symbol), module: module})
	return true
}
