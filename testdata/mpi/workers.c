// A master deals out pieces of work of different length to workers, which ask for more when they are done.
//
//	workers PIECES LENGTH
#include <mpi.h>
#include <stdlib.h>

enum { WORK, STOP };

static double work(long n) {
	double x = 1;
	for (long i = 0; i < n; i++)
		x = x * 1.0000001 + 1e-9;
	return x;
}

static void master(int ranks, int pieces, int length) {
	double result = 0;
	MPI_Status from;
	for (int sent = 0, open = ranks - 1; open > 0;) {
		MPI_Recv(&result, 1, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &from);
		long piece = (long)length * (1 + sent % 4);
		int what = sent++ < pieces ? WORK : STOP;
		open -= what == STOP;
		MPI_Send(&piece, 1, MPI_LONG, from.MPI_SOURCE, what, MPI_COMM_WORLD);
	}
}

static void worker(void) {
	double result = 0;
	for (;;) {
		long piece;
		MPI_Status s;
		MPI_Send(&result, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
		MPI_Recv(&piece, 1, MPI_LONG, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &s);
		if (s.MPI_TAG == STOP)
			return;
		result += work(piece);
	}
}

int main(int argc, char **argv) {
	MPI_Init(&argc, &argv);
	int ranks, me, pieces = argc > 1 ? atoi(argv[1]) : 12, length = argc > 2 ? atoi(argv[2]) : 1000000;
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	if (me == 0)
		master(ranks, pieces, length);
	else
		worker();
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
