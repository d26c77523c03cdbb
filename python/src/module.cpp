// The module lanewise._core: everything Python needs of the compiled core, bound file by file.
#include "base/host_lock.h"
#include "bindings.h"
#include "numpy.h"

NB_MODULE(_core, m) {
    using namespace lanewise::bindings;
    // Caches of types, launchers and wrappers live to the end of the process on purpose.
    nb::set_leak_warnings(false);
    m.attr("__version__") = LANEWISE_VERSION;
    lanewise::set_host_lock({[]() -> void* { return PyGILState_Check() ? PyEval_SaveThread() : nullptr; },
                             [](void* state) { PyEval_RestoreThread(static_cast<PyThreadState*>(state)); }});
    load_numpy();
    bind_errors(m);
    bind_types(m);
    bind_devices(m);
    bind_graphs(m);
    bind_buffers(m);
    bind_allocators(m);
    bind_raw_memory(m);
    bind_arrays(m);
    bind_nd_arrays(m);
    bind_kernels(m);
    bind_raw_kernels(m);
    bind_raw_images(m);
    bind_linker(m);
    bind_compiling(m);
    bind_cache(m);
}
