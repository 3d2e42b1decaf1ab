#include <pthread.h>
#include <stdlib.h>
static double a[1000], b[1000];
static inline double mean(const double *p, int i) { return (p[i-1] + p[i] + p[i+1]) / 3; }
__attribute__((noinline)) void sweep(double *to, const double *from) {
  for (int i = 1; i < 999; i++)
    to[i] = mean(from, i);
}
__attribute__((noinline)) double solve(int n) {
  for (int k = 0; k < n; k++) {
    sweep(b, a);
    sweep(a, b);
  }
  return a[500];
}
static void *worker(void *n) { solve(*(int *)n / 3); return 0; }
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  pthread_t t;
  a[0] = 1;
  pthread_create(&t, 0, worker, &n);
  double x = solve(n);
  pthread_join(t, 0);
  return x < 0;
}
