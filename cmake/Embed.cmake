# scalescope_embed(target folder): every JSON file below `folder` becomes a byte array in `target`, found at run time by
# its path relative to `folder`. Core knows no Qt, so it cannot use the resource compiler.
function(scalescope_embed target folder)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE ${folder} ${folder}/*.json)
  list(SORT files)
  set(out ${CMAKE_CURRENT_BINARY_DIR}/embedded_presets.cpp)
  set(deps "")
  foreach(f IN LISTS files)
    list(APPEND deps ${folder}/${f})
  endforeach()
  string(REPLACE ";" "|" joined "${files}")
  add_custom_command(OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} "-DFOLDER=${folder}" "-DFILES=${joined}" "-DOUT=${out}"
            -P ${CMAKE_SOURCE_DIR}/cmake/EmbedFiles.cmake
    DEPENDS ${deps} ${CMAKE_SOURCE_DIR}/cmake/EmbedFiles.cmake
    COMMENT "Embedding presets" VERBATIM)
  target_sources(${target} PRIVATE ${out})
endfunction()
