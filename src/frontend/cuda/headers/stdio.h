// printf() needs no #include; there are no files on a device.
#pragma once

#include <stddef.h>
