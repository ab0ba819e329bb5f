"""Binary floating point of any format: rounding, conversion, decimal text.

Values are represented by their bits, since NaN payloads, negative zero and
formats wider than Python's own (`f80`, `f128`) must survive. Conversions are exact, in integer arithmetic.

`parse` and `text` match MLIR's parser and printer. A literal is first parsed as a C `double`, then rounded to the
type, so `0.1 : f128` is the double nearest 0.1. Printing tries six significant digits in scientific form;
if these do not round-trip, it prints all digits that the precision can need; and
if that text would look like an integer, or the value is not finite, it prints the bits in hexadecimal.
Digits are chosen as in LLVM's `APFloat::toString`: a tie is rounded up, not to even.
"""

from __future__ import annotations

import struct
from functools import lru_cache
from typing import Final, Literal

from ..source.records import field, record


@record(frozen=True, eq=False)
class FloatFormat:
    """A binary floating point format.

    `precision` counts the bits of the significand with its leading one. `min_exponent` and `max_exponent`
    are those of normal numbers 1.m * 2**e. `specials` says what the top exponent encodes: `ieee` infinities
    and NaNs; `fn` one NaN, all ones; `fnuz` nothing, the NaN is what would be negative zero; `finite`
    nothing and there is no NaN; `e8m0` (powers of two without sign or zero) a NaN, all ones.
    """

    name: str
    width: int
    precision: int
    min_exponent: int
    max_exponent: int
    specials: Literal["ieee", "fn", "fnuz", "finite", "e8m0"] = "ieee"
    explicit_one: bool = False
    mantissa_bits: int = field(init=False)
    exponent_mask: int = field(init=False)
    mantissa_mask: int = field(init=False)
    sign_bit: int = field(init=False)

    def __post_init__(self) -> None:
        def put(name: str, value: int) -> None:
            object.__setattr__(self, name, value)

        put("mantissa_bits", self.precision - (0 if self.explicit_one else 1))
        sign_bits = 0 if self.specials == "e8m0" else 1
        put("exponent_mask", (1 << (self.width - sign_bits - self.mantissa_bits)) - 1)
        put("mantissa_mask", (1 << self.mantissa_bits) - 1)
        put("sign_bit", (1 << (self.width - 1)) if sign_bits else 0)

    @property
    def nan(self) -> int:
        """Bits of the default NaN; of the largest value if the format has none."""
        if self.specials == "ieee":
            quiet = 1 << (self.precision - 2)
            if self.explicit_one:
                quiet |= 1 << (self.precision - 1)
            return (self.exponent_mask << self.mantissa_bits) | quiet
        if self.specials == "fnuz":
            return self.sign_bit
        if self.specials == "finite":
            return self.largest
        return (self.exponent_mask << self.mantissa_bits) | self.mantissa_mask

    @property
    def infinity(self) -> int:
        """Bits of the result of positive overflow: infinity if the format has it."""
        if self.specials == "ieee":
            leading = 1 << (self.precision - 1) if self.explicit_one else 0
            return (self.exponent_mask << self.mantissa_bits) | leading
        return self.nan

    @property
    def largest(self) -> int:
        """Bits of the largest finite value."""
        top = (self.exponent_mask << self.mantissa_bits) | self.mantissa_mask
        if self.specials == "ieee":
            return top - self.mantissa_mask - 1 if not self.explicit_one else top - (1 << self.mantissa_bits)
        return top - 1 if self.specials in ("fn", "e8m0") else top

    def is_nan(self, bits: int) -> bool:
        magnitude = bits & ~self.sign_bit
        if self.specials == "ieee":
            return magnitude > self.infinity
        if self.specials == "fnuz":
            return bits == self.sign_bit
        return self.specials != "finite" and magnitude == self.nan

    def is_infinite(self, bits: int) -> bool:
        return self.specials == "ieee" and bits & ~self.sign_bit == self.infinity

    def is_finite(self, bits: int) -> bool:
        return not (self.is_nan(bits) or self.is_infinite(bits))

    def decompose(self, bits: int) -> tuple[bool, int, int]:
        """`(negative, m, e)` with the value m * 2**e, for finite values."""
        negative = bool(bits & self.sign_bit)
        exponent = (bits >> self.mantissa_bits) & self.exponent_mask
        mantissa = bits & self.mantissa_mask
        lowest = self.min_exponent - (self.precision - 1)
        if self.specials == "e8m0":
            return False, 1, self.min_exponent + exponent
        if exponent == 0:
            return negative, mantissa, lowest
        leading = 0 if self.explicit_one else 1 << self.mantissa_bits
        return negative, mantissa | leading, lowest + exponent - 1

    def round(self, negative: bool, numerator: int, denominator: int, exponent: int) -> int:
        """Bits of numerator / denominator * 2**exponent, rounded to nearest, ties to even.

        Only `exponent` may be negative.
        """
        sign = self.sign_bit if negative else 0
        if self.specials == "e8m0":
            return self._round_power(numerator, denominator, exponent)
        if numerator == 0:
            return 0 if self.specials == "fnuz" else sign
        lowest = self.min_exponent - (self.precision - 1)
        # Scale so that the quotient has at least `precision` bits, but no bit below the smallest subnormal.
        shift = numerator.bit_length() - denominator.bit_length() + exponent - self.precision
        unit = max(shift, lowest)
        scale = exponent - unit
        if scale >= 0:
            numerator <<= scale
        else:
            denominator <<= -scale
        mantissa, rest = divmod(numerator, denominator)
        if mantissa.bit_length() > self.precision:  # one bit too many: round once, at the right position
            unit += 1
            rest += (mantissa & 1) * denominator
            denominator <<= 1
            mantissa >>= 1
        if 2 * rest > denominator or (2 * rest == denominator and mantissa & 1):
            mantissa += 1
            if mantissa.bit_length() > self.precision:
                mantissa >>= 1
                unit += 1
        if mantissa == 0:
            return 0 if self.specials == "fnuz" else sign
        if mantissa.bit_length() < self.precision:
            bits = mantissa  # subnormal
        else:
            biased = unit - lowest + 1
            if unit + self.precision - 1 > self.max_exponent:
                return self._overflow(sign)
            bits = (biased << self.mantissa_bits) | (mantissa & self.mantissa_mask)
        if bits > self.largest:
            return self._overflow(sign)
        return sign | bits

    def _overflow(self, sign: int) -> int:
        return self.nan if self.specials == "fnuz" else sign | self.infinity

    def _round_power(self, numerator: int, denominator: int, exponent: int) -> int:
        if numerator == 0:
            return 0
        power = numerator.bit_length() - denominator.bit_length()
        if (numerator << max(-power, 0)) < (denominator << max(power, 0)):
            power -= 1
        # numerator / denominator is in [2**power, 2**(power + 1)); a tie rounds up.
        if 2 * (numerator << max(-power, 0)) >= 3 * (denominator << max(power, 0)):
            power += 1
        power += exponent
        return self.nan if power > self.max_exponent else max(power - self.min_exponent, 0)

    def from_double(self, value: float) -> int:
        """Bits of `value` rounded to this format."""
        if self is F64:
            return struct.unpack("<Q", struct.pack("<d", value))[0]
        bits = struct.unpack("<Q", struct.pack("<d", value))[0]
        negative = bool(bits >> 63)
        sign = self.sign_bit if negative else 0
        if not F64.is_finite(bits):
            if F64.is_infinite(bits):
                return self._overflow(sign)
            return self.nan if self.specials in ("fnuz", "e8m0") else sign | self.nan
        _, mantissa, exponent = F64.decompose(bits)
        return self.round(negative, mantissa, 1, exponent)

    def to_double(self, bits: int) -> float:
        """The nearest double; exact for all formats but `f80` and `f128`."""
        if self is F64:
            return struct.unpack("<d", struct.pack("<Q", bits))[0]
        negative = bool(bits & self.sign_bit)
        if self.is_nan(bits):
            return float("nan")
        if self.is_infinite(bits):
            return float("-inf") if negative else float("inf")
        negative, mantissa, exponent = self.decompose(bits)
        return F64.to_double(F64.round(negative, mantissa, 1, exponent))

    def from_decimal(self, text: str) -> int:
        """Bits of a decimal number such as `-1.5e+10`, rounded once."""
        negative = text.startswith("-")
        digits, _, exponent_text = text.lstrip("+-").lower().partition("e")
        whole, _, fraction = digits.partition(".")
        exponent = (int(exponent_text) if exponent_text else 0) - len(fraction)
        number = int((whole + fraction) or "0")
        if exponent >= 0:
            return self.round(negative, number * 10**exponent, 1, 0)
        return self.round(negative, number, 10**-exponent, 0)


F16: Final = FloatFormat("f16", 16, 11, -14, 15)
BF16: Final = FloatFormat("bf16", 16, 8, -126, 127)
F32: Final = FloatFormat("f32", 32, 24, -126, 127)
F64: Final = FloatFormat("f64", 64, 53, -1022, 1023)

FORMATS: Final[dict[str, FloatFormat]] = {
    known.name: known
    for known in (
        F16,
        BF16,
        F32,
        F64,
        FloatFormat("tf32", 19, 11, -126, 127),
        FloatFormat("f80", 80, 64, -16382, 16383, explicit_one=True),
        FloatFormat("f128", 128, 113, -16382, 16383),
        FloatFormat("f8E5M2", 8, 3, -14, 15),
        FloatFormat("f8E4M3", 8, 4, -6, 7),
        FloatFormat("f8E3M4", 8, 5, -2, 3),
        FloatFormat("f8E4M3FN", 8, 4, -6, 8, "fn"),
        FloatFormat("f8E5M2FNUZ", 8, 3, -15, 15, "fnuz"),
        FloatFormat("f8E4M3FNUZ", 8, 4, -7, 7, "fnuz"),
        FloatFormat("f8E4M3B11FNUZ", 8, 4, -10, 4, "fnuz"),
        FloatFormat("f4E2M1FN", 4, 2, 0, 2, "finite"),
        FloatFormat("f6E2M3FN", 6, 4, 0, 2, "finite"),
        FloatFormat("f6E3M2FN", 6, 3, -2, 4, "finite"),
        FloatFormat("f8E8M0FNU", 8, 1, -127, 127, "e8m0"),
    )
}
"""All floating point types of MLIR 22 by name."""


def _digits(mantissa: int, exponent: int, precision: int) -> tuple[str, int]:
    """Up to `precision` significant decimal digits d and a power e: mantissa * 2**exponent ~ d * 10**e."""
    trailing = (mantissa & -mantissa).bit_length() - 1
    mantissa >>= trailing
    exponent += trailing
    power = 0
    if exponent >= 0:
        mantissa <<= exponent
    else:
        mantissa *= 5**-exponent
        power = exponent
    # Drop bits that cannot affect the wanted digits, towards zero, before the decimal conversion.
    wanted_bits = (precision * 196 + 58) // 59
    if mantissa.bit_length() > wanted_bits:
        removable = (mantissa.bit_length() - wanted_bits) * 59 // 196
        power += removable
        mantissa //= 10**removable
    digits = str(mantissa)
    stripped = digits.rstrip("0")
    power += len(digits) - len(stripped)
    digits = stripped
    if len(digits) > precision:
        dropped = len(digits) - precision
        round_up = digits[precision] >= "5"
        power += dropped
        digits = digits[:precision]
        if round_up:
            digits = str(int(digits) + 1)
        stripped = digits.rstrip("0")
        power += len(digits) - len(stripped)
        digits = stripped
    return digits, power


def _short_text(negative: bool, mantissa: int, exponent: int) -> str:
    sign = "-" if negative else ""
    if mantissa == 0:
        return sign + "0.000000e+00"
    digits, power = _digits(mantissa, exponent, 6)
    power += len(digits) - 1
    return f"{sign}{digits[0]}.{digits[1:].ljust(6, '0')}e{'-' if power < 0 else '+'}{abs(power):02}"


def _long_text(negative: bool, mantissa: int, exponent: int, precision: int) -> str:
    sign = "-" if negative else ""
    digits, power = _digits(mantissa, exponent, precision)
    most_significant = power + len(digits) - 1
    padding = power if power >= 0 else -most_significant
    scientific = padding > 3 or (power >= 0 and len(digits) + power > precision)
    if scientific:
        rest = digits[1:] or "0"
        return f"{sign}{digits[0]}.{rest}E{'-' if most_significant < 0 else '+'}{abs(most_significant)}"
    if power >= 0:
        return sign + digits + "0" * power
    whole = len(digits) + power
    return f"{sign}{digits[:whole]}.{digits[whole:]}" if whole > 0 else f"{sign}0.{'0' * -whole}{digits}"


@lru_cache(maxsize=1 << 14)
def text(form: FloatFormat, bits: int) -> str:
    """The text of a value as `mlir-opt` prints it: `1.000000e+00`, `3.14159274`, `0x7FC00000`."""
    if form.is_finite(bits):
        negative, mantissa, exponent = form.decompose(bits)
        short = _short_text(negative, mantissa, exponent)
        if form.from_decimal(short) == bits:
            return short
        full = _long_text(negative, mantissa, exponent, 2 + form.precision * 59 // 196)
        if "." in full:
            return full
    return f"0x{bits:X}"
