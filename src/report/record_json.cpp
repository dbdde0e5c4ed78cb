#include "report/record_json.hpp"

#include "report/json_writer.hpp"
#include "report/summary.hpp"
#include "report/texts.hpp"

namespace tasuki::report {

namespace {

class RecordWriter {
  public:
    std::string write(const RunRecord& run) {
        json_.object([&] {
            json_.member("tasuki_report", json_version);
            json_.object("run", [&] { write_facts(run); });
            json_.object("summary", [&] { write_summary(run); });
            json_.array("communicators", [&] {
                for (const CommunicatorRecord& communicator : run.communicators) {
                    json_.object([&] { write_communicator(communicator); });
                }
            });
            json_.array("left_to_the_mpi_library", [&] {
                for (const RefusedCalls& refused : run.refused) {
                    json_.object([&] {
                        json_.member("collective", refused.collective);
                        json_.member("reason", refused.reason);
                        json_.member("calls", refused.calls);
                    });
                }
            });
            json_.member("left_out_communicators", run.left_out_communicators);
        });
        return json_.take();
    }

  private:
    void write_facts(const RunRecord& run) {
        const RunFacts& facts = run.facts;
        json_.member("command", plain_text(facts.command));
        json_.member("began", facts.began);
        json_.member("tasuki", facts.tasuki);
        json_.member("mpi_library", plain_text(facts.library));
        json_.member("settings", plain_text(facts.settings));
        json_.member("first_node", plain_text(facts.node));
        json_.member("processor", plain_text(facts.processor));
        json_.member("ranks", facts.ranks);
        json_.member("seconds", facts.seconds);
    }

    void write_summary(const RunRecord& run) {
        const LearntTogether learnt = learnt_together(run);
        json_.member("collective_seconds_mean", mean_seconds(run));
        json_.member("collective_seconds_max", run.seconds.most);
        json_.member("learnt_keys", learnt.decisions);
        json_.member("saved_seconds", learnt.saved_seconds);
        json_.member("learning_seconds", learnt.learning_seconds);
    }

    void write_communicator(const CommunicatorRecord& communicator) {
        json_.member("name", plain_text(communicator.name));
        json_.member("ranks", communicator.ranks);
        json_.member("ordinal", communicator.ordinal);
        json_.member("communicators", communicator.communicators);
        json_.member("first_rank", communicator.first_rank);
        json_.key("placement");
        if (communicator.placement.empty()) {
            json_.null();
        } else {
            json_.value(communicator.placement);
        }
        json_.key("shares_cores");
        if (communicator.shares_cores) {
            json_.value(*communicator.shares_cores);
        } else {
            json_.null();
        }
        json_.key("quick_measurement");
        if (communicator.quick) {
            json_.object([&] { write_quick(*communicator.quick); });
        } else {
            json_.null();
        }
        json_.object("traffic", [&] { write_traffic(communicator.traffic); });
        json_.array("sizes", [&] {
            for (const SizeRecord& size : communicator.sizes) {
                json_.object([&] { write_size(size); });
            }
        });
        json_.member("left_out_seconds", communicator.left_out_seconds);
    }

    void write_quick(const QuickRecord& quick) {
        json_.member("is_done", quick.is_done);
        json_.member("call", quick.call);
        json_.member("paid_by_seconds", quick.paid_by_seconds);
        json_.member("seconds", quick.seconds);
        json_.array("messages", [&] {
            for (const QuickTime& time : quick.times) {
                json_.object([&] {
                    json_.member("pairs", time.pairs);
                    json_.member("bytes", time.bytes);
                    json_.member("seconds", time.seconds);
                });
            }
        });
    }

    void write_traffic(const Traffic& traffic) {
        const memory::Counters& counters = traffic.memory;
        json_.object("paths", [&] {
            for (std::size_t path = 0; path < memory::paths; ++path) {
                write_path(memory::path_names[path], counters.messages[path], counters.bytes[path]);
            }
            write_path("host", traffic.host_messages, traffic.host_bytes);
        });
        json_.member("copies_per_byte", copies_per_byte(counters));
        json_.member("sleeps", counters.sleeps);
        json_.member("asleep_seconds", counters.asleep_seconds);
        json_.member("awake_seconds", counters.awake_seconds);
    }

    void write_path(std::string_view name, std::uint64_t messages, std::uint64_t bytes) {
        json_.object(name, [&] {
            json_.member("messages", messages);
            json_.member("bytes", bytes);
        });
    }

    void write_size(const SizeRecord& size) {
        json_.member("collective", size.collective);
        json_.key("size");
        if (size.size == SizeRecord::any_size) {
            json_.null();
        } else {
            json_.value(size.size);
        }
        json_.member("ranks", size.ranks);
        json_.member("calls", size.calls / size.ranks);
        json_.member("bytes", size.bytes / size.ranks);
        json_.member("seconds_mean", size.seconds.sum / size.ranks);
        json_.member("seconds_max", size.seconds.most);
        json_.array("algorithms", [&] {
            for (const AlgorithmUse& use : size.algorithms) {
                json_.object([&] {
                    json_.member("name", use.name);
                    json_.member("calls", use.calls / size.ranks);
                    json_.member("seconds_mean", use.seconds / size.ranks);
                });
            }
        });
        write_course(size.course);
    }

    void write_course(const Course& course) {
        json_.array("algorithm_over_calls", [&] {
            for (const Span& span : course.spans) {
                json_.object([&] {
                    json_.member("first_call", span.first);
                    json_.member("last_call", span.first + span.calls - 1);
                    json_.member("algorithm", course.names[span.algorithm]);
                });
            }
        });
        json_.array("seconds_over_calls", [&] {
            for (const TimePoint& point : course.points) {
                json_.object([&] {
                    json_.member("first_call", point.first);
                    json_.member("seconds_mean", point.mean);
                });
            }
        });
        json_.key("learnt");
        if (!course.decision) return json_.null();
        json_.object([&] {
            json_.member("phase", course.phase);
            json_.key("parameters");
            if (course.parameters.empty()) {
                json_.null();
            } else {
                json_.value(course.parameters);
            }
            write_decision(*course.decision);
        });
    }

    void write_decision(const Decision& decision) {
        json_.member("winner", decision.winner);
        json_.member("margin", decision.margin);
        json_.member("calls", decision.calls);
        json_.member("switched_at", decision.switched_at);
        json_.member("relearnings", decision.relearnings);
        json_.member("common_drifts", decision.common_drifts);
        json_.member("learning_seconds", decision.learning_seconds);
        json_.member("saved_seconds", decision.saved_seconds);
        json_.member("break_even_calls", decision.break_even_calls());
        json_.array("candidates", [&] {
            for (const CandidateRecord& candidate : decision.candidates) {
                json_.object([&] {
                    json_.member("name", candidate.name);
                    json_.member("predicted_seconds", candidate.predicted);
                    json_.member("measured_seconds", candidate.measured);
                    json_.member("samples", candidate.samples);
                    json_.member("fate", name_of(candidate.fate));
                });
            }
        });
    }

    JsonWriter json_;
};

}  // namespace

std::string record_json(const RunRecord& run) {
    return RecordWriter().write(run);
}

}  // namespace tasuki::report
