/* Starts a program that may not copy from or to the memory of other processes, as in a container.
 *
 * usage: deny_remote_copies RANK|all PROGRAM [ARGUMENT...]
 *   RANK  only where the launcher gave that rank; elsewhere the program just starts */
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

static const char* rank_of_launcher(void) {
    const char* names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        if (getenv(names[i])) return getenv(names[i]);
    return "";
}

static int deny(void) {
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_writev, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    const struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

int main(int argc, char** argv) {
    if (argc < 3) return 2;
    const int is_meant = strcmp(argv[1], "all") == 0 || strcmp(argv[1], rank_of_launcher()) == 0;
    if (is_meant && !deny()) {
        printf("cannot deny: %s\n", strerror(errno));
        return 3;
    }
    execvp(argv[2], argv + 2);
    perror(argv[2]);
    return 4;
}
