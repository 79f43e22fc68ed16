# scalescope_unity(target sources…): with CMAKE_UNITY_BUILD each folder is compiled as one file, so that names in anonymous
# namespaces need to be unique in their room only. The readers of PALEO's files are compiled one by one: they speak of
# PALEO's layers and shapes, the rest of formats of ours, by the same names.
function(scalescope_unity target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  foreach(source IN LISTS ARGN)
    if(source MATCHES "/formats/paleo/")
      continue()
    endif()
    get_filename_component(folder ${source} DIRECTORY)
    file(RELATIVE_PATH group ${CMAKE_SOURCE_DIR} ${folder})
    string(REPLACE "/" "_" group ${group})
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
  endforeach()
endfunction()
