// duo: a worker takes two jobs from a queue under a mutex; the main thread sleeps, puts them there, and waits for a child process.
#include <pthread.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static int jobs, taken;
static volatile double sum;

static void *worker(void *arg) {
	while (taken < 2) {
		pthread_mutex_lock(&lock);
		while (jobs == 0)
			pthread_cond_wait(&more, &lock);
		jobs--;
		taken++;
		pthread_mutex_unlock(&lock);
		for (int i = 0; i < 300000; i++)
			sum += i * 0.5;
	}
	return 0;
}

int main(void) {
	pthread_t a;
	struct timespec t = {0, 1000000};
	pthread_create(&a, 0, worker, 0);
	for (int i = 0; i < 2; i++) {
		nanosleep(&t, 0);
		pthread_mutex_lock(&lock);
		jobs++;
		pthread_cond_signal(&more);
		pthread_mutex_unlock(&lock);
	}
	if (fork() == 0)
		execlp("true", "true", (char *)0);
	pthread_join(a, 0);
	wait(0);
	return 0;
}
