// A two-dimensional stencil (Jacobi's method) on a grid of ranks. One rank is slow: it works three times as long as the others. The others
// wait for its boundary. A reduction after every fourth step passes the delay on to all.
//
//	stencil STEPS SIZE SLOW
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static int side;          // of the square of a rank, without its boundary
static double *now, *next; // side+2 by side+2

static int at(int y, int x) { return y * (side + 2) + x; }

static double relax(void) {
	double change = 0;
	for (int y = 1; y <= side; y++)
		for (int x = 1; x <= side; x++) {
			double v = (now[at(y - 1, x)] + now[at(y + 1, x)] + now[at(y, x - 1)] + now[at(y, x + 1)]) / 4;
			double d = v - now[at(y, x)];
			change += d * d;
			next[at(y, x)] = v;
		}
	return change;
}

int main(int argc, char **argv) {
	MPI_Init(&argc, &argv);
	int steps = argc > 1 ? atoi(argv[1]) : 10, slow = argc > 3 ? atoi(argv[3]) : 1;
	side = argc > 2 ? atoi(argv[2]) : 200;

	int ranks, me, dims[2] = {0, 0}, periods[2] = {0, 0};
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	MPI_Dims_create(ranks, 2, dims);
	MPI_Comm grid;
	MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
	MPI_Comm_rank(grid, &me);
	int north, south, west, east;
	MPI_Cart_shift(grid, 0, 1, &north, &south);
	MPI_Cart_shift(grid, 1, 1, &west, &east);

	size_t cells = (size_t)(side + 2) * (side + 2);
	now = calloc(cells, sizeof *now);
	next = calloc(cells, sizeof *next);
	if (me == 0)
		for (int x = 0; x < side + 2; x++)
			now[x] = next[x] = 1;

	MPI_Datatype column;
	MPI_Type_vector(side, 1, side + 2, MPI_DOUBLE, &column);
	MPI_Type_commit(&column);
	for (int step = 0; step < steps; step++) {
		MPI_Request r[4];
		MPI_Isend(&now[at(side, 1)], side, MPI_DOUBLE, south, 0, MPI_COMM_WORLD, &r[0]);
		MPI_Isend(&now[at(1, 1)], side, MPI_DOUBLE, north, 1, MPI_COMM_WORLD, &r[1]);
		MPI_Isend(&now[at(1, side)], 1, column, east, 2, MPI_COMM_WORLD, &r[2]);
		MPI_Isend(&now[at(1, 1)], 1, column, west, 3, MPI_COMM_WORLD, &r[3]);
		MPI_Recv(&now[at(0, 1)], side, MPI_DOUBLE, north, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Recv(&now[at(side + 1, 1)], side, MPI_DOUBLE, south, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Recv(&now[at(1, 0)], 1, column, west, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Recv(&now[at(1, side + 1)], 1, column, east, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
		double change = relax(), all;
		for (int i = 0; me == slow && i < 2; i++)
			change = relax();
		if (step % 4 == 3)
			MPI_Allreduce(&change, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
		double *swap = now;
		now = next;
		next = swap;
	}
	MPI_Finalize();
	return 0;
}
