/* Exact sums and dot products of one array, shared by more and more ranks in different ways. */
#include "tasuki_control.h"

enum { length = 3001 };

typedef int sum_function(const double*, size_t, int, double*);
typedef int dot_function(const double*, const double*, size_t, int, double*);

static double term(int index) {
    double value = 1 + mix(index, 1, 2, 3) / 4294967296.0;
    int exponent = (int)(mix(index, 4, 5, 6) % 200) - 100;
    for (; exponent > 0; --exponent) value *= 2;
    for (; exponent < 0; ++exponent) value /= 2;
    return index % 2 ? -value : value;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    check_begin();
    sum_function* sum;
    dot_function* dot;
    *(void**)&sum = dlsym(RTLD_DEFAULT, "tasuki_exact_sum");
    *(void**)&dot = dlsym(RTLD_DEFAULT, "tasuki_exact_dot");
    if (check(sum != NULL && dot != NULL, "there are no exact sums")) {
        double all[length], squares[length], mine[length];
        for (int i = 0; i < length; ++i) all[i] = term(i), squares[i] = all[i] * 3;
        double alone = 0, product_alone = 0, total, product;
        int self = MPI_Comm_c2f(MPI_COMM_SELF);
        check(sum(all, length, self, &alone) == 0, "no sum on one rank");
        check(dot(all, squares, length, self, &product_alone) == 0, "no product on one rank");
        for (int ranks = 1; ranks <= check_ranks; ++ranks) {
            MPI_Comm comm;
            MPI_Comm_split(MPI_COMM_WORLD, check_rank < ranks ? 0 : MPI_UNDEFINED, 0, &comm);
            if (comm == MPI_COMM_NULL) continue;
            in_case("%d ranks", ranks);
            int count = 0;
            for (int i = check_rank; i < length; i += ranks) mine[count++] = all[i];
            check(sum(mine, count, MPI_Comm_c2f(comm), &total) == 0, "no sum");
            check(memcmp(&total, &alone, sizeof total) == 0, "%g is not %g", total, alone);
            /* Everything on the last rank, nothing on the others. */
            int has_all = check_rank == ranks - 1;
            check(dot(all, squares, has_all ? length : 0, MPI_Comm_c2f(comm), &product) == 0,
                  "no product");
            check(memcmp(&product, &product_alone, sizeof product) == 0, "%g is not %g", product,
                  product_alone);
            MPI_Comm_free(&comm);
        }
        check(sum(all, 1, MPI_Comm_c2f(MPI_COMM_NULL), &total) == -1, "a sum on no communicator");
        if (check_rank == 0) printf("sum %a product %a\n", alone, product_alone);
    }
    int code = check_end();
    MPI_Finalize();
    return code;
}
