// What NVIDIA's header of this name declares needs no #include.
#pragma once
