// Where in the one post of a rank that lies which its program sends.
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/program.hpp"

namespace tasuki {

/// Each region that is sent has a place, in chunks; those that are sent to many have one. Regions
/// that are neighbours in a buffer are neighbours in the post.
class PostLayout {
  public:
    struct Part {
        Region region;
        std::int64_t place;
    };

    explicit PostLayout(const Program& program);

    /// What is to be copied, in as few pieces as there can be.
    const std::vector<Part>& parts() const { return parts_; }
    std::int64_t chunks() const { return chunks_; }
    /// Of what a send sends.
    std::int64_t place_of(const Region& region) const;

  private:
    std::vector<Part> parts_;
    std::int64_t chunks_ = 0;
};

}  // namespace tasuki
