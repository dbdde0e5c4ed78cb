// MPI_THREAD_MULTIPLE for a program that asks for less: threads of ours carry out its non-blocking
// reductions.
#pragma once

namespace tasuki::interpose {

/// Whether MPI is to start with MPI_THREAD_MULTIPLE where the program asks for `required`: a mode
/// is asked for by TASUKI_REPRODUCIBLE, and none of the variables by which users set the level of
/// their MPI is there.
bool raises_thread_level(int required);

/// After the start: the program gets what it would have got, from MPI_Query_thread too. `provided`
/// is what the host gives; returns what the program is told.
int told_of_raised(int required, int provided);

/// What MPI_Query_thread says; -1: what the host does.
int told_thread_level();

/// Whether this rank may have threads of ours that call MPI.
bool has_thread_multiple();

/// The symbol of MPI_Init_thread that is spelled like `symbol` of MPI_Init.
class InitThreadSymbol {
  public:
    consteval explicit InitThreadSymbol(const char* symbol) {
        constexpr int length_of_mpi_init = 8;
        int at = 0;
        for (; at < length_of_mpi_init; ++at) text_[at] = symbol[at];
        for (const char* more = symbol[4] == 'i' ? "_thread" : "_THREAD"; *more != 0; ++more) {
            text_[at++] = *more;
        }
        for (const char* rest = symbol + length_of_mpi_init; *rest != 0; ++rest) {
            text_[at++] = *rest;
        }
    }
    constexpr const char* text() const { return text_; }

  private:
    char text_[32] = {};
};

}  // namespace tasuki::interpose
