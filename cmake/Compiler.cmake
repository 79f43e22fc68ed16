# Rebuilds are quick where ccache is; a person's own choice of launcher stands.
find_program(SCALESCOPE_CCACHE ccache)
mark_as_advanced(SCALESCOPE_CCACHE)
if(SCALESCOPE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Without this, ccache stores nothing that is compiled with precompiled headers: all of the window and the tests.
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros ${SCALESCOPE_CCACHE})
endif()

# lld links the test programs in a fraction of the time of binutils' ld; what is installed is linked as the system does.
find_program(SCALESCOPE_LLD ld.lld)
mark_as_advanced(SCALESCOPE_LLD)

# One interface target carries the flags of every target of the project.
add_library(scalescope_flags INTERFACE)
target_compile_options(scalescope_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wold-style-cast -Woverloaded-virtual -Wnon-virtual-dtor
  -Wformat=2
  # Same bits on every run: no fused multiply-add, no fast-math (see ARCHITECTURE.md, determinism).
  -ffp-contract=off)
# g++ 12 sees overlaps in "text" + std::to_string(n) where there are none (GCC bug 105651), but only when it optimizes.
target_compile_options(scalescope_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
if(SCALESCOPE_WERROR)
  target_compile_options(scalescope_flags INTERFACE -Werror)
endif()
if(SCALESCOPE_LLD AND NOT CMAKE_BUILD_TYPE STREQUAL "Release")
  target_link_options(scalescope_flags INTERFACE -fuse-ld=lld)
endif()
if(SCALESCOPE_SANITIZE)
  target_compile_options(scalescope_flags INTERFACE -fsanitize=${SCALESCOPE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(scalescope_flags INTERFACE -fsanitize=${SCALESCOPE_SANITIZE})
endif()
if(SCALESCOPE_COVERAGE)
  target_compile_options(scalescope_flags INTERFACE --coverage)
  target_link_options(scalescope_flags INTERFACE --coverage)
endif()
if(SCALESCOPE_FUZZ)
  target_compile_options(scalescope_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
