#include "algorithms/growing_sum.hpp"

#include <utility>

namespace tasuki {

GrowingSum::GrowingSum(ProgramBuilder& program, std::optional<Partial> own,
                       std::optional<Region> into, const Region& shape, std::int32_t receives)
    : program_(program), sum_(std::move(own)), shape_(shape), receives_(receives) {
    rooms_[0].place = into;
}

void GrowingSum::send(std::int32_t rank) {
    const StepId sent = program_.send(rank, sum_->region, sum_->after);
    if (room_ >= 0) rooms_[room_].readers.push_back(sent);
}

const Partial& GrowingSum::arrive(std::int32_t rank) {
    --receives_;
    Room& room = rooms_[receives_ % 2];
    if (!room.place) {
        room.place = scratch(program_.reserve_scratch(shape_.count, shape_.first), shape_.count);
    }
    arrived_ = {*room.place, {program_.recv(rank, *room.place, room.readers)}};
    room.readers.clear();
    return arrived_;
}

void GrowingSum::absorb(Operand side) {
    if (sum_) {
        const StepId reduced = program_.reduce(sum_->region, opposite(side), arrived_.region,
                                               joined(sum_->after, arrived_.after));
        if (room_ >= 0) rooms_[room_].readers.push_back(reduced);
        arrived_.after = {reduced};
    }
    sum_ = arrived_;
    room_ = receives_ % 2;
}

}  // namespace tasuki
