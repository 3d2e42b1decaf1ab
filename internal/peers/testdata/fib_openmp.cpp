// fib(n) with a task for every call but the last, on P threads of gcc's OpenMP. Prints the seconds that it took.
#include <chrono>
#include <cstdio>
#include <cstdlib>

static long fib(long n) {
	if (n < 2) return n;
	long a, b;
#pragma omp task shared(a) firstprivate(n)
	a = fib(n - 1);
	b = fib(n - 2);
#pragma omp taskwait
	return a + b;
}

int main(int argc, char **argv) {
	int threads = std::atoi(argv[1]);
	long n = std::atol(argv[2]), got = 0;
	double s = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
	{
		got = fib(15);
		auto begin = std::chrono::steady_clock::now();
		got = fib(n);
		s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
	}
	std::printf("%ld %.9f\n", got, s);
}
