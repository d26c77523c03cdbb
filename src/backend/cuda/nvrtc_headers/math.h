// What NVRTC lacks of <math.h>.
#pragma once

#include <__lanewise/host_and_device.h>
#include <__lanewise/math_constants.h>
#include <__lanewise/math_promotions.h>
#include <__lanewise/std_math.h>
