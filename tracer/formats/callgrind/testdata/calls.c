#include <stdlib.h>
#include <stdio.h>
static int is_odd(int n);
__attribute__((noinline)) static int leaf(int n) {
  int s = 0;
  for (int i = 0; i < n; i++)
    s += i * i;
  return s;
}
__attribute__((noinline)) static int fib(int n) {
  return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
__attribute__((noinline)) static int is_even(int n) { return n == 0 ? leaf(10) : is_odd(n - 1); }
__attribute__((noinline)) static int is_odd(int n) { return n == 0 ? leaf(20) : is_even(n - 1); }
__attribute__((noinline)) static int twice(int n) { return leaf(n) + leaf(n); }
__attribute__((noinline)) static int thrice(int n) {
  return leaf(n) +
         twice(n);
}
int main(int argc, char **argv) {
  int s = 0;
  for (int i = 0; i < 100; i++)
    s += twice(30) + thrice(10);
  s += fib(12) + is_even(41) + leaf(500);
  return s == 7;
}
