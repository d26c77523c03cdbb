// printf() needs no #include; there are no files on a device, but functions of the host name their type.
#pragma once

#include <stddef.h>

typedef struct _IO_FILE FILE;
