// Each rank has some rows of a matrix, which all ranks transpose together: an exchange of all with all.
//
//	transpose TIMES ROWS
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
	MPI_Init(&argc, &argv);
	int times = argc > 1 ? atoi(argv[1]) : 4, rows = argc > 2 ? atoi(argv[2]) : 64, ranks, me;
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	int part = rows * rows; // numbers for each rank
	double *out = malloc(sizeof *out * part * ranks), *in = malloc(sizeof *in * part * ranks), sum = 0, all = 0;
	MPI_Bcast(&times, 1, MPI_INT, 0, MPI_COMM_WORLD);
	for (int t = 0; t < times; t++) {
		for (int i = 0; i < part * ranks; i++)
			out[i] = me * part + i;
		MPI_Alltoall(out, part, MPI_DOUBLE, in, part, MPI_DOUBLE, MPI_COMM_WORLD);
		for (int i = 0; i < part * ranks; i++)
			sum += in[i];
	}
	MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
