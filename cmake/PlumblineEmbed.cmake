# SPDX-License-Identifier: Apache-2.0
# plumbline_embed(FILE NAME OUT_VARIABLE): writes a source with `const std::string_view plumb::NAME`, the text
# of FILE, and sets OUT_VARIABLE to its path. A change of FILE runs the configure step again, so no custom
# command has to cross directory scopes.
function(plumbline_embed file name out_variable)
  file(READ ${file} text)
  set(output ${PROJECT_BINARY_DIR}/generated/${name}.cpp)
  string(CONCAT source
    "// SPDX-License-Identifier: Apache-2.0\n"
    "#include <string_view>\n"
    "namespace plumb {\n"
    "extern const std::string_view ${name};\n"
    "const std::string_view ${name} = R\"embedded(${text})embedded\";\n"
    "}  // namespace plumb\n")
  set(before "")
  if(EXISTS ${output})
    file(READ ${output} before)
  endif()
  if(NOT before STREQUAL source)
    file(WRITE ${output} "${source}")
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  set(${out_variable} ${output} PARENT_SCOPE)
endfunction()
