# SPDX-License-Identifier: Apache-2.0
# The floors of core: libraries of which each knows only those that it names, all of them below it.
#
#   plumb_floor(NAME SOURCES file... [ON floor...] [PRIVATE library...])
#
# makes plumb::NAME of core/NAME. With tests it is also linked by itself with nothing but what it stands on, so that
# a use of a higher floor, which a program that links all of them would not notice, is an undefined symbol.
file(WRITE ${PROJECT_BINARY_DIR}/floor.cpp "// A link of a floor by itself needs a source.\n")
function(plumb_floor name)
  cmake_parse_arguments(arg "" "" "SOURCES;ON;PRIVATE" ${ARGN})
  add_library(plumb_${name} STATIC ${arg_SOURCES})
  add_library(plumb::${name} ALIAS plumb_${name})
  list(TRANSFORM arg_ON PREPEND plumb::)
  target_link_libraries(plumb_${name} PUBLIC plumb::options ${arg_ON} PRIVATE fmt::fmt ${arg_PRIVATE})
  if(PLUMBLINE_TESTS AND NOT PLUMBLINE_SANITIZE)   # the run-time libraries of sanitizers come with the program
    add_library(plumb_${name}_alone MODULE ${PROJECT_BINARY_DIR}/floor.cpp)
    target_link_libraries(plumb_${name}_alone PRIVATE $<LINK_LIBRARY:WHOLE_ARCHIVE,plumb_${name}>)
    target_link_options(plumb_${name}_alone PRIVATE LINKER:-z,defs)
  endif()
endfunction()
