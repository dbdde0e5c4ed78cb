/* Reductions in the mode "exact" that are no sums of floating-point numbers; argv[1] says which:
 * those whose result is the same in any order, products, the program's own operation, or all. */
#include "tasuki_control.h"

static void add(void* in, void* inout, int* count, MPI_Datatype* type) {
    (void)type;
    for (int i = 0; i < *count; ++i) ((int*)inout)[i] += ((int*)in)[i];
}

static void without_rounding(void) {
    int mine[2] = {check_rank, 1}, result[2], place[2];
    double number = check_rank, largest, sum;
    MPI_Allreduce(mine, result, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    check(result[0] == check_ranks - 1, "the largest is %d", result[0]);
    MPI_Allreduce(mine, result, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    check(result[1] == check_ranks, "the sum is %d", result[1]);
    MPI_Allreduce(mine, result, 2, MPI_INT, MPI_BXOR, MPI_COMM_WORLD);
    MPI_Allreduce(mine, place, 1, MPI_2INT, MPI_MAXLOC, MPI_COMM_WORLD);
    check(place[0] == check_ranks - 1, "the largest is %d", place[0]);
    MPI_Allreduce(&number, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    check(largest == check_ranks - 1, "the largest is %g", largest);
    MPI_Allreduce(&number, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    check(sum == check_ranks * (check_ranks - 1) / 2.0, "the sum is %g", sum);
    check_ran_exactly("allreduce", check_ranks);
}

static void products(void) {
    double number = 2, product;
    MPI_Allreduce(&number, &product, 1, MPI_DOUBLE, MPI_PROD, MPI_COMM_WORLD);
    check(product == 1 << check_ranks, "the product is %g", product);
}

static void own_operation(void) {
    MPI_Op operation;
    int sum, one = 1;
    MPI_Op_create(add, 1, &operation);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, operation, MPI_COMM_WORLD);
    check(sum == check_ranks, "the sum is %d", sum);
    MPI_Op_free(&operation);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    check_begin();
    const char* kinds = argc > 1 ? argv[1] : "all";
    int has_all = strcmp(kinds, "all") == 0;
    for (int time = 0; time < 2; ++time) {
        if (has_all || strcmp(kinds, "without rounding") == 0) without_rounding();
        if (has_all || strcmp(kinds, "product") == 0) products();
        if (has_all || strcmp(kinds, "own operation") == 0) own_operation();
    }
    int code = check_end();
    MPI_Finalize();
    return code;
}
