// Compiles the headers that tests/CMakeLists.txt names for all tests.
