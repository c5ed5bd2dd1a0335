# SPDX-License-Identifier: Apache-2.0
# generated/plumbline_version.h: version from project(), revision from git ("unknown" outside a checkout).
execute_process(COMMAND git -C ${PROJECT_SOURCE_DIR} rev-parse --short=7 HEAD
                OUTPUT_VARIABLE PLUMBLINE_REVISION OUTPUT_STRIP_TRAILING_WHITESPACE
                RESULT_VARIABLE plumb_git_result ERROR_QUIET)
if(NOT plumb_git_result EQUAL 0)
  set(PLUMBLINE_REVISION unknown)
endif()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/plumbline_version.h CONTENT
"// SPDX-License-Identifier: Apache-2.0
#pragma once
#define PLUMBLINE_VERSION \"@PROJECT_VERSION@\"
#define PLUMBLINE_REVISION \"@PLUMBLINE_REVISION@\"
" @ONLY)
