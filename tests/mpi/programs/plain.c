/* No MPI at all: what a launcher is given by mistake, or to look around.
 *
 * usage: plain [EXIT_CODE [SIGNAL]] */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    printf("hello\n");
    fflush(stdout);
    if (argc > 2) raise(atoi(argv[2]));
    return argc > 1 ? atoi(argv[1]) : 0;
}
