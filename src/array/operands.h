// From the operands of a call to the inputs of a node.
#pragma once

#include "array/engine.h"
#include "array/program.h"

namespace lanewise {

Input scalar_input(const Scalar& scalar, DType dtype, int ndim);
/// A Python number becomes `wanted`.
Input operand_input(const Operand& operand, const Dims& shape, DType wanted);
Dims broadcast_dims(const char* call, const Dims& a, const Dims& b);
Dims broadcast_shape(const char* call, std::span<const Operand> operands);
/// The dtypes that decide a result's: those of arrays, or what they and Python numbers have in common.
std::vector<DType> operand_dtypes(std::span<const Operand> operands);
DType common_dtype(std::span<const Operand> operands);
/// The stream of operations on the array: the current one of its device.
const std::shared_ptr<Stream>& stream_of(const Array& x);
/// `given`, or the current stream of the arrays' device; Error(Value) for several devices.
const std::shared_ptr<Stream>& operand_stream(std::span<const Operand> operands, const std::shared_ptr<Stream>& given);
/// Records the node, or writes its value where the options say.
Array finish_operation(const NodePtr& node, const UfuncOptions& options, const char* call);
/// Writes the value to `out` where there is one; Error(Value) for another shape. Gives what the caller gets.
Array into(const Array& value, const std::optional<Array>& out);
Array record_op(ElementOp op, DType type, DType dtype, std::span<const Operand> operands, const char* call,
                const UfuncOptions& options);

}  // namespace lanewise
