// What goes on beside the memory transport while a rank waits.
#pragma once

namespace tasuki::memory {

/// Something that makes progress only when it is asked, such as the messages of an MPI library.
class Companion {
  public:
    virtual ~Companion() = default;

    /// Makes progress; true if something has come that ends the wait.
    virtual bool progress() = 0;
    /// Seconds from one question to the next while the rank is awake, and to the first one: shorter
    /// waits ask nothing.
    virtual double pause() const = 0;
    /// Seconds from its beginning in which a wait does not sleep, since this makes progress only
    /// while it is asked.
    virtual double seconds_awake() const { return 0; }
};

}  // namespace tasuki::memory
