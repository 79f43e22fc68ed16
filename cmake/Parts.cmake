# scalescope_part(target sources…): a part of the program. What people install is one program with its parts in it; where
# SCALESCOPE_SHARED is on (the trees of the tests) parts are shared libraries: linked into every one of some 200 programs they
# would fill 12 GB of disk.
function(scalescope_part target)
  if(NOT SCALESCOPE_SHARED)
    add_library(${target} STATIC ${ARGN})
    return()
  endif()
  add_library(${target} SHARED ${ARGN})
  # What is inlined in a static library is inlined here too.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fno-semantic-interposition>)
  set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN")
  install(TARGETS ${target} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/scalescope COMPONENT program)
endfunction()

# Where the installed program finds its parts, if they are not in it.
if(SCALESCOPE_SHARED)
  file(RELATIVE_PATH SCALESCOPE_PARTS_FROM_PROGRAM ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR}/scalescope)
endif()
