// fib(n) with a task for every call but the last, on P threads of oneTBB. Prints the seconds that it took.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

static long fib(long n) {
	if (n < 2) return n;
	long a, b;
	tbb::task_group g;
	g.run([&a, n] { a = fib(n - 1); });
	b = fib(n - 2);
	g.wait();
	return a + b;
}

int main(int argc, char **argv) {
	int threads = std::atoi(argv[1]);
	long n = std::atol(argv[2]);
	tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
	tbb::task_arena arena(threads);
	long got = arena.execute([] { return fib(20); });
	auto begin = std::chrono::steady_clock::now();
	arena.execute([&] { got = fib(n); });
	double s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
	std::printf("%ld %.9f\n", got, s);
}
