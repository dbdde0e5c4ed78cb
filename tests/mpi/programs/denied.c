/* Starts a program to which the system denies something, as a container may.
 *
 * usage: denied RANK|all CALL PROGRAM ARGUMENT...
 *   RANK  of the job: only that one; elsewhere the program just starts
 *   CALL  copies (process_vm_readv and process_vm_writev) or memory (memfd_create) */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static int deny(unsigned one, unsigned other) {
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, one, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, other, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/* As the launcher tells it, or NULL. */
static const char* own_rank(void) {
    const char* names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        if (getenv(names[i])) return getenv(names[i]);
    return NULL;
}

int main(int argc, char** argv) {
    if (argc < 4) return 2;
    const char* rank = own_rank();
    const int is_all = strcmp(argv[1], "all") == 0;
    if (rank == NULL && !is_all) {
        fprintf(stderr, "denied: the launcher does not tell the rank\n");
        return 2;
    }
    if (is_all || strcmp(argv[1], rank) == 0) {
        const int is_memory = strcmp(argv[2], "memory") == 0;
        if (!deny(is_memory ? SYS_memfd_create : SYS_process_vm_readv,
                  is_memory ? SYS_memfd_create : SYS_process_vm_writev)) {
            perror("denied: seccomp");
            return 3;
        }
    }
    execvp(argv[3], argv + 3);
    perror(argv[3]);
    return 2;
}
