"""What benchmarks share: compiling and launching programs, the report, the options."""
