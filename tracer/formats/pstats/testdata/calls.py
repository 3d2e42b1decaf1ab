import re


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def even(n):
    return True if n == 0 else odd(n - 1)


def odd(n):
    return False if n == 0 else even(n - 1)


def leaf(n):
    return sum(i * i for i in range(n))


def twice(n):
    return leaf(n) + leaf(n)


def main():
    fib(15)
    even(40)
    for _ in range(10):
        twice(100)
    leaf(10000)
    return len(re.sub("a", "b", "banana" * 100))


main()
