/* unusual traps|rounds|closed|leaves|late|callback|widest|gaps|copies|children: programs that rely
 * on what the standard lets them, and that natively work. 0 if they do. */
#define _GNU_SOURCE
#include <errno.h>
#include <fenv.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CALLS = 2000, NUMBERS = 500, ATTEMPTS = 20 };

static MPI_Comm communicator;

/* Whether `calls` collectives, enough for learning, all have the right answers. */
static int all_are_right(int calls) {
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int call = 0; call < calls; ++call) {
        double mine[NUMBERS], sum[NUMBERS];
        for (int i = 0; i < NUMBERS; ++i) mine[i] = rank + i + call;
        MPI_Allreduce(mine, sum, NUMBERS, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        for (int i = 0; i < NUMBERS; ++i)
            if (sum[i] != ranks * (i + call) + ranks * (ranks - 1) / 2) return 0;
        int from_first = rank == 0 ? call : -1;
        MPI_Bcast(&from_first, 1, MPI_INT, 0, MPI_COMM_WORLD);
        if (from_first != call) return 0;
    }
    return 1;
}

/* With exceptions of floating-point arithmetic that end the process, as by gfortran -ffpe-trap; and
 * flags that tell of the program's arithmetic alone. */
static int traps(void) {
    const int of_errors = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW;
    int had = fetestexcept(of_errors);
#ifdef __GLIBC__
    feenableexcept(of_errors);
#endif
    int is_right = all_are_right(CALLS);
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_free(&copy);
    return is_right && fetestexcept(of_errors) == had;
}

/* Ranks that round differently, as those of interval arithmetic. */
static int rounds(void) {
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int mode = rank % 2 ? FE_UPWARD : FE_DOWNWARD;
    fesetround(mode);
    return all_are_right(CALLS) && fegetround() == mode;
}

/* Standard output is closed, and written to all the same. */
static int closed(void) {
    char noise[8192];
    memset(noise, 'x', sizeof noise);
    close(STDOUT_FILENO);
    int is_right = all_are_right(CALLS);
    int is_refused = write(STDOUT_FILENO, noise, sizeof noise) == -1 && errno == EBADF;
    return all_are_right(CALLS) && is_right && is_refused;
}

static void end_thread(MPI_Comm* of, int* code, ...) {
    (void)of;
    (void)code;
    pthread_exit(NULL);
}
static void* call_wrongly(void* came_back) {
    int number = 0;
    MPI_Bcast(&number, -1, MPI_INT, 0, communicator);
    *(int*)came_back = 1;
    return NULL;
}
/* The error handler does not return: the stack is unwound through MPI, as by C++ exceptions. */
static int leaves(void) {
    MPI_Errhandler handler;
    MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
    MPI_Comm_create_errhandler(end_thread, &handler);
    MPI_Comm_set_errhandler(communicator, handler);
    int came_back = 0;
    for (int attempt = 0; attempt < ATTEMPTS; ++attempt) {
        pthread_t thread;
        pthread_create(&thread, NULL, call_wrongly, &came_back);
        pthread_join(thread, NULL);
    }
    MPI_Errhandler_free(&handler);
    return !came_back && all_are_right(CALLS);
}

/* Collectives, and MPI_Finalize, when thread-local variables are gone. */
static int is_late;
__attribute__((destructor)) static void end_late(void) {
    if (!is_late) return;
    if (!all_are_right(CALLS)) _exit(1);
    /* Before, because MPICH's launcher loses what comes after. */
    fprintf(stderr, "ok: right to the end\n");
    MPI_Finalize();
}
static int late(void) {
    is_late = 1;
    return all_are_right(CALLS);
}

/* A function that deletes an attribute communicates on what is being freed. */
static int callbacks_are_right = 1;
static int communicate_once_more(MPI_Comm freed, int key, void* value, void* state) {
    (void)key;
    (void)value;
    (void)state;
    int one = 1, sum = 0, ranks;
    MPI_Comm_size(freed, &ranks);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, freed);
    callbacks_are_right = callbacks_are_right && sum == ranks;
    return MPI_SUCCESS;
}
static int callback(void) {
    int key;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, communicate_once_more, &key, NULL);
    for (int calls = 2; calls <= 200; calls *= 10) {
        MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
        MPI_Comm_set_attr(communicator, key, NULL);
        for (int call = 0; call < calls; ++call) {
            int one = 1, sum = 0;
            MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, communicator);
        }
        MPI_Comm_free(&communicator);
    }
    MPI_Comm_free_keyval(&key);
    return callbacks_are_right && all_are_right(CALLS);
}

/* The widest numbers that long double may be, asked for as Fortran programs do. */
static int widest(void) {
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Datatype real;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int code = MPI_Type_create_f90_real(18, MPI_UNDEFINED, &real);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    if (code != MPI_SUCCESS) return 1; /* this host has none */
    for (int call = 0; call < CALLS; ++call) {
        long double mine = rank + 1.5L, sum = 0;
        MPI_Allreduce(&mine, &sum, 1, real, MPI_SUM, MPI_COMM_WORLD);
        if (sum != ranks * 1.5L + ranks * (ranks - 1) / 2) return 0;
    }
    return 1;
}

/* Something of the program's between the parts of a pair, and between pairs. */
static int gaps(void) {
    enum { PAIRS = 40 };
    struct {
        double value;
        int place;
        int own;
    } mine[PAIRS], least[PAIRS];
    struct {
        short value;
        short own;
        int place;
    } short_mine[PAIRS], short_least[PAIRS];
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < PAIRS; ++i) {
        mine[i].value = short_mine[i].value = (short)(rank + i);
        mine[i].place = short_mine[i].place = rank;
        mine[i].own = least[i].own = short_mine[i].own = short_least[i].own = (short)(1000 + rank);
    }
    for (int call = 0; call < CALLS; ++call) {
        MPI_Allreduce(mine, least, PAIRS, MPI_DOUBLE_INT, MPI_MINLOC, MPI_COMM_WORLD);
        MPI_Allreduce(short_mine, short_least, PAIRS, MPI_SHORT_INT, MPI_MINLOC, MPI_COMM_WORLD);
        for (int i = 0; i < PAIRS; ++i) {
            if (least[i].value != i || least[i].place != 0) return 0;
            if (short_least[i].value != i || short_least[i].place != 0) return 0;
            if (least[i].own != 1000 + rank || short_least[i].own != 1000 + rank) return 0;
        }
    }
    for (int i = 0; i < PAIRS; ++i) least[i] = mine[i];
    MPI_Reduce_scatter_block(MPI_IN_PLACE, least, PAIRS / 2, MPI_DOUBLE_INT, MPI_MINLOC,
                             MPI_COMM_WORLD);
    for (int i = 0; i < PAIRS; ++i)
        if (least[i].own != 1000 + rank) return 0;
    /* Blocks of different sizes, and the same call again and again. */
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int counts[64] = {0};
    for (int i = 0; i < ranks; ++i) counts[i] = i % 3 + 1;
    for (int call = 0; call < CALLS; ++call) {
        for (int i = 0; i < PAIRS; ++i) least[i].own = 1000 + rank;
        MPI_Reduce_scatter(mine, least, counts, MPI_DOUBLE_INT, MPI_MINLOC, MPI_COMM_WORLD);
        for (int i = 0; i < PAIRS; ++i)
            if (least[i].own != 1000 + rank) return 0;
    }
    return 1;
}

/* Rank 0 is late, so that the copy is still under way in the collectives that follow. */
static int copies(void) {
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int round = 0; round < ATTEMPTS; ++round) {
        MPI_Comm original, copy;
        MPI_Request request;
        MPI_Comm_dup(MPI_COMM_WORLD, &original);
        if (rank == 0) usleep(3000);
        MPI_Comm_idup(original, &copy, &request);
        for (int call = 0; call < 20; ++call) {
            int sum, ranks;
            const int one = 1;
            MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, original);
            MPI_Comm_size(original, &ranks);
            if (sum != ranks) return 0;
            MPI_Info info;
            MPI_Info_create(&info);
            MPI_Info_set(info, "key", "value");
            MPI_Comm_set_info(original, info);
            MPI_Info_free(&info);
        }
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Comm_free(&copy);
        MPI_Comm_free(&original);
    }
    return all_are_right(CALLS / 10);
}

/* What the program starts may be of another MPI: nobody has asked for Tasuki there. */
static int children(void) {
    if (system("case \"$LD_PRELOAD\" in *libtasuki*) exit 1;; esac") != 0) return 0;
    return all_are_right(CALLS / 10);
}

int main(int argc, char** argv) {
    static const struct {
        const char* name;
        int (*run)(void);
    } kinds[] = {{"traps", traps},   {"rounds", rounds},     {"closed", closed}, {"leaves", leaves},
                 {"late", late},     {"callback", callback}, {"widest", widest}, {"gaps", gaps},
                 {"copies", copies}, {"children", children}};
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
        if (argc == 2 && strcmp(argv[1], kinds[i].name) == 0) {
            int is_right = kinds[i].run();
            if (!is_late) MPI_Finalize();
            if (is_right && !is_late) fprintf(stderr, "ok: right to the end\n");
            return !is_right;
        }
    return 2;
}
