/* All-to-all with every layout and count, by every candidate in one run. Now and then a rank gives
 * a buffer as MPI_BOTTOM, with its address in the datatype.
 *
 * usage: alltoall NODES SHARE [CANDIDATE...]
 *   NODES   of MPI_COMM_WORLD, as TASUKI_PLACEMENT says
 *   SHARE   1 runs every case; N runs one in N, others for each candidate and number of ranks */
#include "layouts.h"
#include "tasuki_control.h"

enum { send_fill = 0xA5, receive_fill = 0x5A };

/* One call: this rank's layouts with the elements of a block, and the number of the data. */
struct call {
    struct layout send, receive;
    int send_count, receive_count;
    uint32_t seed;
};

static const struct candidate* current;
static int nodes;
static uint32_t share;

/* Whether this case is in our share; equal on all ranks. */
static int is_selected(uint32_t seed) {
    return mix(seed, (uint32_t)check_ranks, 10, 10) % share == 0;
}

static void check_what_ran(int is_empty) {
    if (is_empty && !begins_with_name(current->choice, "native"))
        check_passed_to_host("nothing to move");
    else
        check_ran(current, check_ranks, nodes);
}

/* A buffer as an argument pair of a call. */
struct argument {
    void* address;
    MPI_Datatype type;
    int is_absolute; /* MPI_BOTTOM, with a type of our own */
};

static struct argument make_argument(const struct layout* layout, const struct image* image,
                                     uint32_t seed, uint32_t side) {
    struct argument argument = {image->base, layout->type, 0};
    /* In types made of them Open MPI leaves out the six bytes that a long double does not use. */
    if (layout->type == MPI_LONG_DOUBLE || layout->type == MPI_LONG_DOUBLE_INT) return argument;
    if (mix(seed, (uint32_t)check_rank, side, 11) % 4 != 0) return argument;
    const int one = 1;
    MPI_Aint place;
    MPI_Get_address(image->base, &place);
    MPI_Type_create_hindexed(1, &one, &place, layout->type, &argument.type);
    MPI_Type_commit(&argument.type);
    argument.address = MPI_BOTTOM;
    argument.is_absolute = 1;
    return argument;
}

static void free_argument(struct argument* argument) {
    if (argument->is_absolute) MPI_Type_free(&argument->type);
}

static const char* absolute_note(const struct argument* argument) {
    return argument->is_absolute ? " at MPI_BOTTOM" : "";
}

static void run(struct call* call) {
    const int ranks = check_ranks, rank = check_rank;
    const long sent = (long)ranks * call->send_count, received = (long)ranks * call->receive_count;
    struct image input = make_image(&call->send, sent, send_fill);
    struct image input_after = make_image(&call->send, sent, send_fill);
    struct image output = make_image(&call->receive, received, receive_fill);
    struct image expected = make_image(&call->receive, received, receive_fill);
    for (int peer = 0; peer < ranks; ++peer) {
        long first = (long)peer * call->send_count;
        write_stream(&call->send, &input, first, call->send_count, rank, peer, call->seed);
        write_stream(&call->send, &input_after, first, call->send_count, rank, peer, call->seed);
        write_stream(&call->receive, &expected, (long)peer * call->receive_count,
                     call->receive_count, peer, rank, call->seed);
    }
    struct argument from = make_argument(&call->send, &input, call->seed, 1);
    struct argument to = make_argument(&call->receive, &output, call->seed, 2);
    int code = MPI_Alltoall(from.address, call->send_count, from.type, to.address,
                            call->receive_count, to.type, MPI_COMM_WORLD);
    check(code == MPI_SUCCESS, "MPI_Alltoall gave %d", code);
    check_same(&output, &expected, "receive buffer", absolute_note(&to));
    check_same(&input, &input_after, "send buffer", absolute_note(&from));
    free_argument(&from), free_argument(&to);
    check_what_ran(received == 0 || call->receive.fields == 0);
    free(input.memory), free(input_after.memory), free(output.memory), free(expected.memory);
}

static void run_in_place(const struct layout* layout, int count, uint32_t seed) {
    const int ranks = check_ranks, rank = check_rank;
    struct image buffer = make_image(layout, (long)ranks * count, receive_fill);
    struct image expected = make_image(layout, (long)ranks * count, receive_fill);
    for (int peer = 0; peer < ranks; ++peer) {
        write_stream(layout, &buffer, (long)peer * count, count, rank, peer, seed);
        write_stream(layout, &expected, (long)peer * count, count, peer, rank, seed);
    }
    struct argument argument = make_argument(layout, &buffer, seed, 3);
    int code = MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, argument.address, count,
                            argument.type, MPI_COMM_WORLD);
    check(code == MPI_SUCCESS, "MPI_Alltoall gave %d", code);
    check_same(&buffer, &expected, "buffer", absolute_note(&argument));
    free_argument(&argument);
    check_what_ran(count == 0 || layout->fields == 0);
    free(buffer.memory), free(expected.memory);
}

/* The number of twelves of ints in a block: none, one, some, and past the hosts' eager limits. */
static int random_twelves(uint32_t seed) {
    static const int largest[] = {0, 1, 4, 30, 200, 1500};
    uint32_t most = (uint32_t)largest[mix(seed, 7, 7, 7) % 6];
    return (int)(most - (most > 4 ? mix(seed, 8, 8, 8) % (most / 2) : 0));
}

static void ints(int send_kind, int receive_kind, int twelves, uint32_t seed) {
    if (!is_selected(seed)) return;
    long in_buffer = 12L * twelves * check_ranks;
    struct call call = {.send = int_layout(send_kind, in_buffer),
                        .receive = int_layout(receive_kind, in_buffer),
                        .seed = seed};
    call.send_count = 12 * twelves / call.send.fields;
    call.receive_count = 12 * twelves / call.receive.fields;
    in_case("%s: %d of %s to %d of %s", current->choice, call.send_count, call.send.name,
            call.receive_count, call.receive.name);
    run(&call);
    free_layout(&call.send), free_layout(&call.receive);
}

static void ints_in_place(int kind, int twelves, uint32_t seed) {
    if (!is_selected(seed + 1)) return;
    struct layout layout = int_layout(kind, 12L * twelves * check_ranks);
    in_case("%s: in place, %d of %s", current->choice, 12 * twelves / layout.fields, layout.name);
    run_in_place(&layout, 12 * twelves / layout.fields, seed);
    free_layout(&layout);
}

/* MPICH 4.0 says "message truncated" where it receives more than 8 KiB of bytes, or of another
 * type, into pair types: in its own all-to-all in place, and in plain messages. Tasuki sends it
 * bytes instead, which bruck has to show; the other rows may leave the call to the host. */
static int pairs_that_the_host_takes(int count) {
#if defined(MPICH_NUMVERSION) && MPICH_NUMVERSION >= 40000000 && MPICH_NUMVERSION < 40100000
    return strncmp(current->choice, "bruck", 5) == 0 ? count : count % 9;
#else
    return count;
#endif
}

static void pairs(int send_kind, int receive_kind, int count, uint32_t seed) {
    if (!is_selected(seed + 2)) return;
    count = pairs_that_the_host_takes(count);
    struct call call = {
        .send = pair_layout(send_kind), .receive = pair_layout(receive_kind), .seed = seed};
    call.send_count = 4 * count / call.send.fields;
    call.receive_count = 4 * count / call.receive.fields;
    in_case("%s: %d of %s to %d of %s", current->choice, call.send_count, call.send.name,
            call.receive_count, call.receive.name);
    run(&call);
    free_layout(&call.send), free_layout(&call.receive);
}

static void basics(int kind, int count, uint32_t seed) {
    if (!is_selected(seed + 3)) return;
    struct call call = {.send = basic_layout(kind), .receive = basic_layout(kind), .seed = seed};
    if (call.send.fields > 1) count = pairs_that_the_host_takes(count);
    call.send_count = call.receive_count = count;
    in_case("%s: %d of %s", current->choice, count, call.send.name);
    run(&call);
    in_case("%s: in place, %d of %s", current->choice, count, call.send.name);
    run_in_place(&call.receive, count, seed + 1);
    free_layout(&call.send), free_layout(&call.receive);
}

static void huge_elements(int send_kind, int receive_kind, int count, uint32_t seed) {
    if (!is_selected(seed + 4)) return;
    struct call call = {.send = huge_layout(send_kind),
                        .receive = huge_layout(receive_kind),
                        .send_count = count,
                        .receive_count = count,
                        .seed = seed};
    in_case("%s: %d of %s to %s", current->choice, count, call.send.name, call.receive.name);
    run(&call);
    in_case("%s: in place, %d of %s", current->choice, count, call.receive.name);
    run_in_place(&call.receive, count, seed + 1);
    free_layout(&call.send), free_layout(&call.receive);
}

/* The same layouts on all ranks, each kind. */
static void run_alike(uint32_t seed) {
    for (int kind = 0; kind < int_layouts; ++kind, seed += 2) {
        ints(kind, kind, random_twelves(seed), seed);
        ints_in_place(kind, random_twelves(seed + 1), seed + 1);
    }
    for (int kind = 0; kind < pair_layouts; ++kind, ++seed)
        pairs(kind, kind, (int)(mix(seed, 1, 1, 1) % 50), seed);
    for (int kind = 0; kind < basic_layouts; ++kind, seed += 2)
        basics(kind, (int)(mix(seed, 2, 2, 2) % 5000), seed);
    ints(0, 0, 8000, seed);
    huge_elements(0, 0, 2, seed + 1);
}

/* Each rank with its own layouts on each side. */
static void run_mixed(uint32_t seed) {
    const uint32_t me = (uint32_t)check_rank;
    for (int repeat = 0; repeat < 12; ++repeat, ++seed) {
        int twelves = random_twelves(seed);
        ints((int)(mix(seed, me, 3, 3) % int_layouts), (int)(mix(seed, me, 4, 4) % int_layouts),
             twelves, seed);
        pairs((int)(mix(seed, me, 6, 6) % pair_layouts), (int)(mix(seed, me, 7, 7) % pair_layouts),
              (int)(mix(seed, 9, 9, 9) % 300), seed);
        ints_in_place((int)(mix(seed, me, 5, 5) % int_layouts), twelves, seed);
    }
    huge_elements((int)(mix(seed, me, 8, 8) % huge_layouts),
                  (int)(mix(seed, me, 9, 9) % huge_layouts), 1, seed);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    check_begin();
    if (argc < 3) MPI_Abort(MPI_COMM_WORLD, 2);
    nodes = atoi(argv[1]);
    share = (uint32_t)atoi(argv[2]);
    for (int argument = 3; argument < argc; ++argument) {
        struct candidate candidate = parse_candidate(argv[argument]);
        current = &candidate;
        choose(current);
        run_alike((uint32_t)argument << 16);
        run_mixed((uint32_t)argument << 16 | 1 << 15);
    }
    int code = check_end();
    MPI_Finalize();
    return code;
}
