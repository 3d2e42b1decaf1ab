// A token goes round a ring of ranks.
//
//	ring ROUNDS
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
	MPI_Init(&argc, &argv);
	int rounds = argc > 1 ? atoi(argv[1]) : 5, ranks, me, token = 0;
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	int next = (me + 1) % ranks, last = (me + ranks - 1) % ranks;
	for (int i = 0; i < rounds; i++) {
		if (me == 0)
			MPI_Send(&token, 1, MPI_INT, next, 0, MPI_COMM_WORLD);
		MPI_Recv(&token, 1, MPI_INT, last, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		token++;
		if (me != 0)
			MPI_Send(&token, 1, MPI_INT, next, 0, MPI_COMM_WORLD);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
