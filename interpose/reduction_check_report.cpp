#include "interpose/reduction_check_report.hpp"

#include <fstream>
#include <string>

#include "interpose/checked_sites.hpp"
#include "interpose/process.hpp"
#include "interpose/reduction_check.hpp"
#include "interpose/reduction_mode.hpp"
#include "interpose/say.hpp"
#include "sites/site_report.hpp"

namespace tasuki::interpose {

namespace {

void include_all(void* from, void* to, int* count, MPI_Datatype*) {
    for (int at = 0; at < *count; ++at) {
        static_cast<SiteTable*>(to)[at].include(static_cast<const SiteTable*>(from)[at]);
    }
}

/// On rank 0 what all ranks have.
void reduce_to_one(const SiteTable& mine, SiteTable& all) {
    static_assert(sizeof(SiteTable) % sizeof(std::uint64_t) == 0);
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Op operation = MPI_OP_NULL;
    PMPI_Type_contiguous(sizeof(SiteTable) / sizeof(std::uint64_t), MPI_UINT64_T, &type);
    PMPI_Type_commit(&type);
    PMPI_Op_create(include_all, 0, &operation);
    PMPI_Reduce(&mine, &all, 1, type, operation, 0, MPI_COMM_WORLD);
    PMPI_Op_free(&operation);
    PMPI_Type_free(&type);
}

void write_file(const std::string& name, const std::string& text) {
    std::ofstream file(name);
    file << text;
    if (!file.flush()) {
        say("the report of TASUKI_CHECK_REDUCTIONS could not be written to " + name +
            "; give it a file in a folder that rank 0 may write to");
    }
}

}  // namespace

void report_reduction_checks() {
    if (!checks_reductions()) return;
    static SiteTable all;
    reduce_to_one(checked_sites(), all);
    const Process& self = process();
    if (self.world_rank != 0) return;
    const ReportedRun run{self.world_size, name_of(reduction_mode())};
    for (const std::string& line : report_lines(all, run)) say(line);
    const std::string& file = self.settings.check_file;
    if (!file.empty()) write_file(file, report_json(all, run));
}

}  // namespace tasuki::interpose
