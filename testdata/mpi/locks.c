// Threads that hold a lock during all of their work.
//
//	locks TIMES
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int times = 3;

static void *work(void *none) {
	for (int i = 0; i < times; i++) {
		pthread_mutex_lock(&lock);
		usleep(1000);
		pthread_mutex_unlock(&lock);
	}
	return none;
}

int main(int argc, char **argv) {
	pthread_t threads[3];
	if (argc > 1)
		times = atoi(argv[1]);
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
