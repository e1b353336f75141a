"""Vectors: a type for Numba with one number for each of `LANES` throws, so that a kernel computes many throws at once.

A kernel on vectors reads like one on numbers. Each of its operations *is* one operation of LLVM on a vector of fixed
length, which LLVM splits for the registers of the processor. So nothing depends on whether LLVM can vectorise a loop,
and no lane sees another: a result in a lane follows from that lane alone, bit for bit.

Without compilation a vector is an array of NumPy of shape (LANES,), and a mask an array of bool. The functions here are
plain functions of such arrays; Numba replaces them, and the operators, by instructions on registers.

Only public interfaces of Numba and llvmlite are used (`numba.extending`, `numba.types`, `llvmlite.ir`).
"""

import math
import operator
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any, TypeAlias

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import lower_builtin, models, register_model, type_callable

from brickphys.engines.kernels.rows import LANES
from brickphys.jit import kernel
from brickphys.units import Array
from brickphys.units import Mask as BoolArray

Vector: TypeAlias = Array
"""A number for each lane."""
Mask: TypeAlias = BoolArray
"""A truth for each lane."""


class _LanesType(types.Type):
    def __init__(self, lanes: int) -> None:
        self.lanes = lanes
        super().__init__(f"{type(self).__name__.removesuffix('Type')}({lanes})")


class VectorType(_LanesType):
    """The type of a vector in Numba."""


class MaskType(_LanesType):
    """The type of a mask in Numba."""


class _Model(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: _LanesType) -> None:
        element = ir.DoubleType() if isinstance(kind, VectorType) else ir.IntType(1)
        super().__init__(  # type: ignore[no-untyped-call]
            manager, kind, ir.VectorType(element, kind.lanes)
        )


register_model(VectorType)(_Model)
register_model(MaskType)(_Model)


# --- rules of types, and instructions ---


def _lanes(kinds: Sequence[types.Type]) -> int | None:
    """Return the number of lanes of operands that are vectors or numbers; None if there is no vector, or others."""
    found = {kind.lanes for kind in kinds if isinstance(kind, VectorType)}
    fits = all(isinstance(kind, VectorType | types.Number) for kind in kinds)
    return found.pop() if fits and len(found) == 1 else None


def _spread(context: Any, builder: Any, value: Any, kind: types.Type, lanes: int) -> Any:
    """Return a vector; a number stands in each of its lanes."""
    if isinstance(kind, VectorType):
        return value
    number = context.cast(builder, value, kind, types.float64)
    empty = ir.Constant(ir.VectorType(ir.DoubleType(), lanes), ir.Undefined)
    first = builder.insert_element(empty, number, ir.Constant(ir.IntType(32), 0))
    order = ir.Constant(ir.VectorType(ir.IntType(32), lanes), [0] * lanes)
    return builder.shuffle_vector(first, empty, order)


def _teach(
    function: Callable[..., Any],
    kinds: Sequence[tuple[Any, ...]],
    typed: Callable[..., Any],
    build: Callable[..., Any],
) -> None:
    """Teach Numba a function.

    Parameters
    ----------
    kinds
        Classes of the types of its arguments, once for each way to call it.
    typed
        Returns the type of its result for types of arguments, None if they do not fit.
    build
        Emits it, given Numba's context, LLVM's builder, the signature and the values.
    """
    # Numba asks a rule for the number of its parameters
    exact: Any = (lambda a: typed(a), lambda a, b: typed(a, b), lambda a, b, c: typed(a, b, c))
    type_callable(function)(lambda _context: exact[len(kinds[0]) - 1])
    for each in kinds:
        lower_builtin(function, *each)(build)  # type: ignore[no-untyped-call]


def _teach_mixed(
    function: Callable[..., Any], gives: type, emit: Callable[..., Any], count: int = 2
) -> None:
    """Teach an operation on vectors and numbers, at least one vector, that gives vectors or masks."""

    def typed(*kinds: types.Type) -> types.Type | None:
        lanes = _lanes(kinds)
        return gives(lanes) if lanes else None

    def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        lanes, each = signature.return_type.lanes, zip(values, signature.args, strict=True)
        return emit(builder, *(_spread(context, builder, *one, lanes) for one in each))

    _teach(function, _mixed(count), typed, build)


def _mixed(count: int) -> list[tuple[Any, ...]]:
    """Return the classes of so many operands, of which at least one is a vector."""
    return [*product((VectorType, types.Number), repeat=count)][:-1]


def _teach_alike(
    function: Callable[..., Any],
    kind: type,
    count: int,
    emit: Callable[..., Any],
    gives: types.Type | None = None,
) -> None:
    """Teach an operation on masks, vectors or integers alone, that gives the same if no other type is named."""

    def typed(*kinds: types.Type) -> types.Type | None:
        return (gives or kinds[0]) if all(isinstance(one, kind) for one in kinds) else None

    def build(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        return emit(builder, *values)

    _teach(function, [(kind,) * count], typed, build)


for _operator, _emit in (
    (operator.add, lambda b, x, y: b.fadd(x, y)),
    (operator.sub, lambda b, x, y: b.fsub(x, y)),
    (operator.mul, lambda b, x, y: b.fmul(x, y)),
    (operator.truediv, lambda b, x, y: b.fdiv(x, y)),
):
    _teach_mixed(_operator, VectorType, _emit)
for _operator, _emit in (
    (operator.lt, lambda b, x, y: b.fcmp_ordered("<", x, y)),
    (operator.le, lambda b, x, y: b.fcmp_ordered("<=", x, y)),
    (operator.gt, lambda b, x, y: b.fcmp_ordered(">", x, y)),
    (operator.ge, lambda b, x, y: b.fcmp_ordered(">=", x, y)),
    (operator.eq, lambda b, x, y: b.fcmp_ordered("==", x, y)),
):
    _teach_mixed(_operator, MaskType, _emit)
_teach_alike(operator.neg, VectorType, 1, lambda b, x: b.fneg(x))
_teach_alike(operator.invert, MaskType, 1, lambda b, x: b.not_(x))
_teach_alike(operator.and_, MaskType, 2, lambda b, x, y: b.and_(x, y))
_teach_alike(operator.or_, MaskType, 2, lambda b, x, y: b.or_(x, y))


def _library(builder: Any, name: str, *values: Any) -> Any:
    """Call an intrinsic of LLVM from vectors to a vector."""
    kind = values[0].type
    full = f"llvm.{name}.v{kind.count}f64"
    known = builder.module.globals.get(full)
    called = known or ir.Function(builder.module, ir.FunctionType(kind, [kind] * len(values)), full)
    return builder.call(called, values)


# --- functions of vectors ---


def root(x: Vector) -> Vector:
    """Return the square roots; NaN for negative numbers."""
    return np.sqrt(x)


def size(x: Vector) -> Vector:
    """Return the absolute values."""
    return np.abs(x)


def nearest(x: Vector) -> Vector:
    """Return the nearest whole numbers; halves go to the even one."""
    return np.rint(x)


_teach_alike(root, VectorType, 1, lambda b, x: _library(b, "sqrt", x))
_teach_alike(size, VectorType, 1, lambda b, x: _library(b, "fabs", x))
_teach_alike(nearest, VectorType, 1, lambda b, x: _library(b, "rint", x))


def least(a: Vector, b: Vector | float) -> Vector:
    """Return the smaller numbers; `b` where one is NaN."""
    return np.where(a < b, a, b)


def most(a: Vector, b: Vector | float) -> Vector:
    """Return the larger numbers; `b` where one is NaN."""
    return np.where(a > b, a, b)


_teach_mixed(least, VectorType, lambda b, x, y: b.select(b.fcmp_ordered("<", x, y), x, y))
_teach_mixed(most, VectorType, lambda b, x, y: b.select(b.fcmp_ordered(">", x, y), x, y))


def fused(a: Vector | float, b: Vector | float, c: Vector | float) -> Vector:
    """Return ``a b + c``, rounded once; at least one is a vector. Without compilation it is rounded twice."""
    return a * b + c  # type: ignore[return-value]


_teach_mixed(fused, VectorType, lambda b, x, y, z: _library(b, "fma", x, y, z), 3)


def select(mask: Mask, yes: Vector | float, no: Vector | float) -> Vector:
    """Return `yes` where the mask holds, else `no`; at least one of them is a vector."""
    return np.where(mask, yes, no)


def _select_typed(mask: types.Type, yes: types.Type, no: types.Type) -> types.Type | None:
    lanes = _lanes((yes, no))
    return VectorType(lanes) if lanes and mask == MaskType(lanes) else None


def _select_build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    lanes, mask = signature.return_type.lanes, values[0]
    pair = zip(values[1:], signature.args[1:], strict=True)
    return builder.select(mask, *(_spread(context, builder, *one, lanes) for one in pair))


_teach(select, [(MaskType, *pair) for pair in _mixed(2)], _select_typed, _select_build)


def spread(number: float, like: Vector) -> Vector:
    """Return a vector with a number in each lane, as long as another vector."""
    return np.full(like.shape, number)


_teach(
    spread,
    [(types.Number, VectorType)],
    lambda number, like: like if isinstance(number, types.Number) else None,
    lambda context, builder, signature, values: _spread(
        context, builder, values[0], signature.args[0], signature.return_type.lanes
    ),
)


# --- masks as numbers ---


def lanes_of(mask: Mask) -> int:
    """Return the lanes in which a mask holds, as the bits of a number; 0 if it holds in none."""
    return sum(1 << lane for lane in np.flatnonzero(mask).tolist())


def _bits(builder: Any, mask: Any) -> Any:
    whole = builder.bitcast(mask, ir.IntType(mask.type.count))
    return builder.zext(whole, ir.IntType(64))


_teach_alike(lanes_of, MaskType, 1, _bits, types.int64)


def first_lane(lanes: int) -> int:
    """Return the first of the lanes that the bits of a number tell; there must be one."""
    return (lanes & -lanes).bit_length() - 1


_SURELY_ONE = ir.Constant(ir.IntType(1), 1)
_teach_alike(first_lane, types.Integer, 1, lambda b, x: b.cttz(x, _SURELY_ONE), types.int64)


def some(mask: Mask) -> bool:
    """Return whether a mask holds in any lane."""
    return bool(mask.any())


def _any(builder: Any, mask: Any) -> Any:
    whole = builder.bitcast(mask, ir.IntType(mask.type.count))
    return builder.icmp_unsigned("!=", whole, ir.Constant(whole.type, 0))


_teach_alike(some, MaskType, 1, _any, types.boolean)


# --- vectors in memory ---


def load(rows: Array, row: int) -> Vector:
    """Return the vector in a row of a contiguous array of shape (rows, LANES), or (rows,) for one lane."""
    return np.array(rows[row])


def store(rows: Array, row: int, vector: Vector) -> None:
    """Write a vector into a row of a contiguous array of shape (rows, LANES), or (rows,) for one lane."""
    rows[row] = vector


def _place(context: Any, builder: Any, signature: Any, values: Any, lanes: int) -> Any:
    """Return the pointer to a row; rows are as long as vectors, so the stride is not asked for."""
    data = context.make_array(signature.args[0])(context, builder, values[0]).data
    row = context.cast(builder, values[1], signature.args[1], types.intp)
    start = builder.mul(row, ir.Constant(row.type, lanes))
    vector = ir.VectorType(ir.DoubleType(), lanes)
    return builder.bitcast(builder.gep(data, [start]), ir.PointerType(vector))


def _vector_in(rows: Any, row: types.Type) -> VectorType | None:
    """Return the type of a row of an array, of one lane if the array has one dimension; None if it cannot have any."""
    flat = isinstance(rows, types.Array) and rows.ndim in (1, 2) and rows.layout == "C"
    fits = flat and rows.dtype == types.float64 and isinstance(row, types.Integer)
    return VectorType(LANES if rows.ndim == 2 else 1) if fits else None


_ALIGNED = 8
"""Bytes: rows begin at any number."""


def _load_build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    lanes = signature.return_type.lanes
    return builder.load(_place(context, builder, signature, values, lanes), align=_ALIGNED)


def _store_build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    place = _place(context, builder, signature, values, signature.args[2].lanes)
    builder.store(values[2], place, align=_ALIGNED)
    return context.get_dummy_value()


_teach(load, [(types.Array, types.Integer)], _vector_in, _load_build)
_teach(
    store,
    [(types.Array, types.Integer, VectorType)],
    lambda rows, row, vector: types.none if _vector_in(rows, row) == vector else None,
    _store_build,
)


# --- sine and cosine ---

_SINE = tuple((-1.0) ** k / math.factorial(2 * k + 1) for k in range(8))
_COSINE = tuple((-1.0) ** k / math.factorial(2 * k) for k in range(9))
"""Coefficients of the series; the next terms are below 1e-16 up to a quarter of pi."""
_TURN, _TURN_REST = 2 * math.pi, 2.4492935982947064e-16
"""A whole turn is the sum of the two: the second is what the first lacks."""


@kernel
def sine_cosine(x: Vector) -> tuple[Vector, Vector]:
    """Return sine and cosine, within 1e-15 plus the rounding of the angle; NaN for infinite angles.

    The angle is reduced to at most half a turn and divided by 4; the series is followed by two doublings of the angle.
    """
    turns = nearest(x * (1.0 / _TURN))
    quarter = 0.25 * fused(turns, -_TURN_REST, fused(turns, -_TURN, x))
    q = quarter * quarter
    sine, cosine = spread(_SINE[7], x), spread(_COSINE[8], x)
    for k in range(6, -1, -1):
        sine = fused(sine, q, _SINE[k])
    for k in range(7, -1, -1):
        cosine = fused(cosine, q, _COSINE[k])
    sine = sine * quarter
    for _ in range(2):
        sine, cosine = 2.0 * sine * cosine, fused(-2.0 * sine, sine, 1.0)
    return sine, cosine
