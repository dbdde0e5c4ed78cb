#include "transport/host/runs.hpp"

namespace tasuki::host {

MPI_Count Runs::bytes() const {
    MPI_Count bytes = 0;
    for (const Run& run : runs_) bytes += run.bytes;
    return bytes;
}

bool Runs::add(Run run) {
    if (run.bytes == 0) return true;
    if (!runs_.empty() && runs_.back().place + runs_.back().bytes == run.place) {
        runs_.back().bytes += run.bytes;
        return true;
    }
    if (runs_.size() == most) return false;
    runs_.push_back(run);
    return true;
}

bool Runs::add(const Runs& runs, MPI_Count place, MPI_Count times, MPI_Count distance) {
    if (runs.runs_.empty() || times == 0) return true;
    const Run& first = runs.runs_.front();
    // However many times: one run.
    if (runs.runs_.size() == 1 && first.bytes == distance) {
        return add({place + first.place, times * first.bytes});
    }
    for (MPI_Count time = 0; time < times; ++time, place += distance) {
        for (const Run& run : runs.runs_) {
            if (!add({place + run.place, run.bytes})) return false;
        }
    }
    return true;
}

}  // namespace tasuki::host
