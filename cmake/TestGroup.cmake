# Joins tests into one source file, so that what they all include and instantiate is compiled once for a group of them:
#   cmake -DOUTPUT=group.cpp "-DFILES=tst_a.cpp;tst_b.cpp" -DPREFIX=core -P TestGroup.cmake
# Each test keeps its own names in a namespace of its own. Its includes come before all namespaces; where the test repeats
# them, their guards make them empty. The program runs the test that it is called as: core_a, core_b.
cmake_minimum_required(VERSION 3.25)
set(includes "")
set(tests "")
set(choices "")
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME_WE)
  string(REGEX REPLACE "^tst_" "" name ${name})
  file(STRINGS ${file} lines REGEX "^#include [<\"][^>\"]+[>\"]")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^(#include [<\"][^>\"]+[>\"]).*" "\\1" line "${line}")
    if(NOT line MATCHES "\\.moc\"$" AND NOT line IN_LIST includes)
      list(APPEND includes "${line}")
    endif()
  endforeach()
  string(APPEND tests "namespace test_${name} {\n#include \"${file}\"\n}\n")
  string(APPEND choices "    if (name == \"${PREFIX}_${name}\") return test_${name}::run_test(argc, argv);\n")
endforeach()
list(JOIN includes "\n" includes)
file(WRITE ${OUTPUT} "// Made by cmake/TestGroup.cmake.
${includes}
#include <cstdio>
#include <string_view>
#define main run_test
${tests}#undef main
int main(int argc, char** argv) {
    std::string_view name = argv[0];
    name.remove_prefix(name.rfind('/') + 1);
${choices}    std::fputs(\"Run a test by its own name, such as tests/core_json.\\n\", stderr);
    return 2;
}
")
