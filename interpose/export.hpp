#pragma once

/// Marks what the preloaded library shows; all else is hidden.
#define TASUKI_EXPORT __attribute__((visibility("default")))
