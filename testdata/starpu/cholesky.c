// The Cholesky factorisation of a matrix in tiles, as a graph of tasks for StarPU. The tasks of the diagonal are slow: they do their work several
// times. Nothing else can go on without them.
//
//	cholesky TILES SIZE SLOW
#include <math.h>
#include <starpu.h>
#include <stdint.h>
#include <stdlib.h>

static int size; // of a tile
static int slow; // how often the tasks of the diagonal do their work

static double *tile(void *buffer) { return (double *)STARPU_MATRIX_GET_PTR(buffer); }

static void factor(double *a) {
	for (int k = 0; k < size; k++) {
		a[k * size + k] = sqrt(a[k * size + k]);
		for (int i = k + 1; i < size; i++)
			a[i * size + k] /= a[k * size + k];
		for (int j = k + 1; j < size; j++)
			for (int i = j; i < size; i++)
				a[i * size + j] -= a[i * size + k] * a[j * size + k];
	}
}

static void diagonal(void *buffers[], void *arg) {
	(void)arg;
	double *a = tile(buffers[0]), *copy = malloc(sizeof(double) * size * size);
	for (int i = 1; i < slow; i++) {
		for (int j = 0; j < size * size; j++)
			copy[j] = a[j];
		factor(copy);
	}
	free(copy);
	factor(a);
}

static void solve(void *buffers[], void *arg) {
	(void)arg;
	double *l = tile(buffers[0]), *a = tile(buffers[1]);
	for (int i = 0; i < size; i++)
		for (int j = 0; j < size; j++) {
			double s = a[i * size + j];
			for (int k = 0; k < j; k++)
				s -= a[i * size + k] * l[j * size + k];
			a[i * size + j] = s / l[j * size + j];
		}
}

static void update(void *buffers[], void *arg) {
	(void)arg;
	double *a = tile(buffers[0]), *b = tile(buffers[1]), *c = tile(buffers[2]);
	for (int i = 0; i < size; i++)
		for (int j = 0; j < size; j++) {
			double s = 0;
			for (int k = 0; k < size; k++)
				s += a[i * size + k] * b[j * size + k];
			c[i * size + j] -= s;
		}
}

static struct starpu_codelet diagonals = {.cpu_funcs = {diagonal}, .nbuffers = 1, .modes = {STARPU_RW}, .name = "diagonal"};
static struct starpu_codelet solves = {.cpu_funcs = {solve}, .nbuffers = 2, .modes = {STARPU_R, STARPU_RW}, .name = "solve"};
static struct starpu_codelet updates = {.cpu_funcs = {update}, .nbuffers = 3, .modes = {STARPU_R, STARPU_R, STARPU_RW}, .name = "update"};

int main(int argc, char **argv) {
	int tiles = argc > 1 ? atoi(argv[1]) : 6;
	size = argc > 2 ? atoi(argv[2]) : 96;
	slow = argc > 3 ? atoi(argv[3]) : 8;
	if (starpu_init(NULL) != 0)
		return 1;
	starpu_data_handle_t *a = calloc(tiles * tiles, sizeof *a);
	double *all = malloc(sizeof(double) * tiles * tiles * size * size);
	for (int i = 0; i < tiles; i++)
		for (int j = 0; j <= i; j++) {
			double *t = all + (size_t)(i * tiles + j) * size * size;
			for (int k = 0; k < size * size; k++)
				t[k] = i == j && k % (size + 1) == 0 ? 4.0 * tiles * size : 1;
			starpu_matrix_data_register(&a[i * tiles + j], STARPU_MAIN_RAM, (uintptr_t)t, size, size, size, sizeof(double));
		}
	for (int k = 0; k < tiles; k++) {
		starpu_task_insert(&diagonals, STARPU_RW, a[k * tiles + k], 0);
		for (int i = k + 1; i < tiles; i++)
			starpu_task_insert(&solves, STARPU_R, a[k * tiles + k], STARPU_RW, a[i * tiles + k], 0);
		for (int i = k + 1; i < tiles; i++)
			for (int j = k + 1; j <= i; j++)
				starpu_task_insert(&updates, STARPU_R, a[i * tiles + k], STARPU_R, a[j * tiles + k], STARPU_RW, a[i * tiles + j], 0);
	}
	starpu_task_wait_for_all();
	for (int i = 0; i < tiles * tiles; i++)
		if (a[i])
			starpu_data_unregister(a[i]);
	starpu_shutdown();
	free(all);
	free(a);
	return 0;
}
