// What this library keeps is not destroyed when the process ends: destructors of the program's
// global objects may still call MPI, and run after those of what was made during its calls.

/// Where the compiler registers destructors of global variables, in all of this library.
extern "C" [[gnu::visibility("hidden")]] int __cxa_atexit(  // NOLINT(bugprone-reserved-identifier)
    void (*)(void*), void*, void*) {
    return 0;
}
