"""Records and vectors passed by value: their bytes are the parameter."""
import numpy as np
import pycuda.autoinit
import pycuda.driver as drv
from pycuda.compiler import SourceModule

mod = SourceModule("""
struct Particle { float3 position; float mass; int id; };

__global__ void unpack(Particle p, float4 scale, float *out)
{
    out[0] = p.position.x * scale.x;
    out[1] = p.position.y * scale.y;
    out[2] = p.position.z * scale.z;
    out[3] = p.mass * scale.w;
    out[4] = (float)p.id;
}
""")
particle = np.dtype([("position", np.float32, 3), ("mass", np.float32), ("id", np.int32)])
value = np.zeros((), particle)
value["position"], value["mass"], value["id"] = (1, 2, 3), 10, 7
scale = np.array([2, 3, 4, 0.5], np.float32)
out = np.zeros(5, np.float32)
unpack = mod.get_function("unpack")
unpack(value, scale, drv.Out(out), block=(1, 1, 1))
assert out.tolist() == [2, 6, 12, 5, 7], out
out[:] = 0
unpack(value[()], scale, drv.Out(out), block=(1, 1, 1))
assert out.tolist() == [2, 6, 12, 5, 7], out
unpack.prepare([particle, "16s", np.intp])
memory = drv.mem_alloc(out.nbytes)
unpack.prepared_call((1, 1), (1, 1, 1), value.tobytes(), scale.tobytes(), memory)
assert drv.from_device(memory, 5, np.float32).tolist() == [2, 6, 12, 5, 7]
print("by value")
