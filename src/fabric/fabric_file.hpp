// The file by which a run learns its fabric.
//
//     tasuki-fabric 1
//     chosen-by receiver
//     hosts 3
//     node4 0/2
//     node0 1/0
//     node7 1/1
//
// A line for each host: its name, then its groups and roots as in NodeRoutes. Lines that begin with
// # are for people. `tasuki fabric assign` and `tasuki fabric map` write it.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "fabric/node_routes.hpp"

namespace tasuki {

/// What is wrong with a file: "line 3: expected ...".
class FabricFileError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Hosts with their routes. Memory: a name and 8 bytes a level for each host.
class FabricFile {
  public:
    /// Throws FabricFileError that names the file, and the line.
    static FabricFile read(const std::string& path);
    /// As read(), from the text. Errors do not name a file.
    static FabricFile parse(std::string_view text);

    /// The number of the host with this name, in the order of the file. Else of the only one that
    /// is equal up to the first dot. -1 if there is none.
    std::int32_t find(std::string_view host) const;
    const std::vector<std::string>& hosts() const { return hosts_; }
    const NodeRoutes& routes() const { return *routes_; }
    /// Equal for equal contents, whoever computes it.
    std::uint64_t fingerprint() const;

  private:
    std::vector<std::string> hosts_;
    std::shared_ptr<const NodeRoutes> routes_;
};

}  // namespace tasuki
