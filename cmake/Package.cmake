# The .deb and the tarball; packaging/package makes both.
set(SCALESCOPE_MAINTAINER "Scalescope developers <scalescope@example.org>" CACHE STRING "Maintainer of the package")

set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_NAME scalescope)
set(CPACK_PACKAGE_VENDOR "Scalescope developers")
set(CPACK_PACKAGE_CONTACT "${SCALESCOPE_MAINTAINER}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "explorer of how the training of neural networks scales")
set(CPACK_PACKAGE_DESCRIPTION "\
Scalescope answers how the training of a neural network scales. Open a network
(ONNX, Keras, Hugging Face, Caffe, PALEO), pick devices, links, worker counts,
a batch size and a way to divide the work: time per layer, computing against
communicating, speedup, the step as a timeline, memory and cost answer while
you drag.
.
Nothing runs on a GPU: a performance model predicts, shows the formula behind
every figure, and says where its numbers come from. Measured runs calibrate it.
The same program is a command line that needs no display.")
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)

# One package of each kind, of the components that belong to it (cmake/PackageComponents.cmake).
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_CURRENT_LIST_DIR}/PackageComponents.cmake)

string(TOLOWER ${CMAKE_SYSTEM_NAME} system)
set(CPACK_PACKAGE_FILE_NAME scalescope-${PROJECT_VERSION}-${system}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_ARCHIVE_FILE_NAME ${CPACK_PACKAGE_FILE_NAME})

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
if(SCALESCOPE_HOMEPAGE)
  set(CPACK_DEBIAN_PACKAGE_HOMEPAGE ${SCALESCOPE_HOMEPAGE})
endif()
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)  # Depends, from the libraries that are linked
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS qt6-wayland)  # a window where there is Wayland only
set(CPACK_DEBIAN_PACKAGE_SUGGESTS python3)  # measure_operators.py
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
