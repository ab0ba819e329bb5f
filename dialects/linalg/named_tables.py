"""Names, shapes of access and bodies of the named operations."""

from __future__ import annotations

UNARY = (
    "linalg.exp",
    "linalg.log",
    "linalg.abs",
    "linalg.ceil",
    "linalg.floor",
    "linalg.negf",
    "linalg.reciprocal",
    "linalg.round",
    "linalg.sqrt",
    "linalg.rsqrt",
    "linalg.square",
    "linalg.tanh",
    "linalg.erf",
)


BINARY = {
    "linalg.add": "add",
    "linalg.sub": "sub",
    "linalg.mul": "mul",
    "linalg.div": "div",
    "linalg.div_unsigned": "div_unsigned",
    "linalg.max": "max_signed",
    "linalg.min": "min_signed",
    "linalg.powf": "powf",
}


# fmt: off
# Operation, loops, left, right, output.
CONTRACTIONS = (
    ("linalg.quantized_matmul", "m n k", "m k", "k n", "m n"),
    ("linalg.mmt4d", "m n k m0 n0 k0", "m k m0 k0", "n k n0 k0", "m n m0 n0"),
    ("linalg.batch_mmt4d", "b m n k m0 n0 k0", "b m k m0 k0", "b n k n0 k0", "b m n m0 n0"),
    ("linalg.quantized_batch_matmul", "b m n k", "b m k", "b k n", "b m n"),
    ("linalg.matvec", "m n", "m n", "n", "m"),
    ("linalg.vecmat", "n m", "m", "m n", "n"),
    ("linalg.batch_matvec", "b m n", "b m n", "b n", "b m"),
    ("linalg.batch_vecmat", "b n m", "b m", "b m n", "b n"),
    ("linalg.dot", "m", "m", "m", ""),
)


# Operation, loops, image, filter, output.
CONVOLUTIONS = (
    ("linalg.conv_1d", "ow kw", "ow+kw", "kw", "ow"),
    ("linalg.conv_2d", "oh ow kh kw", "oh+kh ow+kw", "kh kw", "oh ow"),
    ("linalg.conv_3d", "od oh ow kd kh kw", "od+kd oh+kh ow+kw", "kd kh kw", "od oh ow"),
    ("linalg.conv_1d_nwc_wcf", "n ow f kw c", "n ow~kw c", "kw c f", "n ow f"),
    ("linalg.conv_1d_ncw_fcw", "n f ow c kw", "n c ow~kw", "f c kw", "n f ow"),
    ("linalg.conv_2d_nhwc_hwcf", "n oh ow f kh kw c", "n oh~kh ow~kw c", "kh kw c f", "n oh ow f"),
    ("linalg.conv_2d_nhwc_fhwc", "n oh ow f kh kw c", "n oh~kh ow~kw c", "f kh kw c", "n oh ow f"),
    ("linalg.conv_2d_nhwc_hwcf_q", "n oh ow f kh kw c", "n oh~kh ow~kw c", "kh kw c f", "n oh ow f"),
    ("linalg.conv_2d_nhwc_fhwc_q", "n oh ow f kh kw c", "n oh~kh ow~kw c", "f kh kw c", "n oh ow f"),
    ("linalg.conv_2d_nchw_fchw_q", "n f oh ow c kh kw", "n c oh~kh ow~kw", "f c kh kw", "n f oh ow"),
    ("linalg.conv_2d_nchw_fchw", "n f oh ow c kh kw", "n c oh~kh ow~kw", "f c kh kw", "n f oh ow"),
    ("linalg.conv_2d_ngchw_fgchw", "n g f oh ow c kh kw", "n g c oh~kh ow~kw", "f g c kh kw", "n g f oh ow"),
    ("linalg.conv_2d_ngchw_gfchw", "n g f oh ow c kh kw", "n g c oh~kh ow~kw", "g f c kh kw", "n g f oh ow"),
    ("linalg.conv_2d_nhwgc_gfhwc", "n oh ow g f kh kw c", "n oh~kh ow~kw g c", "g f kh kw c", "n oh ow g f"),
    ("linalg.conv_2d_nhwgc_gfhwc_q", "n oh ow g f kh kw c", "n oh~kh ow~kw g c", "g f kh kw c", "n oh ow g f"),
    ("linalg.conv_2d_ngchw_gfchw_q", "n g f oh ow c kh kw", "n g c oh~kh ow~kw", "g f c kh kw", "n g f oh ow"),
    ("linalg.conv_3d_ndhwc_dhwcf", "n od oh ow f kd kh kw c", "n od~kd oh~kh ow~kw c", "kd kh kw c f", "n od oh ow f"),
    ("linalg.conv_3d_ndhwc_dhwcf_q", "n od oh ow f kd kh kw c", "n od~kd oh~kh ow~kw c", "kd kh kw c f", "n od oh ow f"),
    ("linalg.conv_3d_ncdhw_fcdhw", "n f od oh ow c kd kh kw", "n c od~kd oh~kh ow~kw", "f c kd kh kw", "n f od oh ow"),
    ("linalg.depthwise_conv_1d_nwc_wc", "n ow c kw", "n ow~kw c", "kw c", "n ow c"),
    ("linalg.depthwise_conv_1d_ncw_cw", "n ow c kw", "n c ow~kw", "c kw", "n c ow"),
    ("linalg.depthwise_conv_1d_nwc_wcm", "n ow c m kw", "n ow~kw c", "kw c m", "n ow c m"),
    ("linalg.depthwise_conv_2d_nhwc_hwc", "n oh ow c kh kw", "n oh~kh ow~kw c", "kh kw c", "n oh ow c"),
    ("linalg.depthwise_conv_2d_nchw_chw", "n oh ow c kh kw", "n c oh~kh ow~kw", "c kh kw", "n c oh ow"),
    ("linalg.depthwise_conv_2d_nhwc_hwc_q", "n oh ow c kh kw", "n oh~kh ow~kw c", "kh kw c", "n oh ow c"),
    ("linalg.depthwise_conv_2d_nhwc_hwcm", "n oh ow c m kh kw", "n oh~kh ow~kw c", "kh kw c m", "n oh ow c m"),
    ("linalg.depthwise_conv_2d_nhwc_hwcm_q", "n oh ow c m kh kw", "n oh~kh ow~kw c", "kh kw c m", "n oh ow c m"),
    ("linalg.depthwise_conv_3d_ndhwc_dhwc", "n od oh ow kd kh kw c", "n od~kd oh~kh ow~kw c", "kd kh kw c", "n od oh ow c"),
    ("linalg.depthwise_conv_3d_ncdhw_cdhw", "n od oh ow kd kh kw c", "n c od~kd oh~kh ow~kw", "c kd kh kw", "n c od oh ow"),
    ("linalg.depthwise_conv_3d_ndhwc_dhwcm", "n od oh ow m kd kh kw c", "n od~kd oh~kh ow~kw c", "kd kh kw c m", "n od oh ow c m"),
)


# Operation, loops, image, window, output, how elements are combined.
POOLINGS = (
    ("linalg.pooling_nhwc_sum", "n oh ow c kh kw", "n oh~kh ow~kw c", "kh kw", "n oh ow c", "add"),
    ("linalg.pooling_nchw_sum", "n c oh ow kh kw", "n c oh~kh ow~kw", "kh kw", "n c oh ow", "add"),
    ("linalg.pooling_nhwc_max", "n oh ow c kh kw", "n oh~kh ow~kw c", "kh kw", "n oh ow c", "max_signed"),
    ("linalg.pooling_nhwc_max_unsigned", "n oh ow c kh kw", "n oh~kh ow~kw c", "kh kw", "n oh ow c", "max_unsigned"),
    ("linalg.pooling_nchw_max", "n c oh ow kh kw", "n c oh~kh ow~kw", "kh kw", "n c oh ow", "max_signed"),
    ("linalg.pooling_nhwc_min", "n oh ow c kh kw", "n oh~kh ow~kw c", "kh kw", "n oh ow c", "min_signed"),
    ("linalg.pooling_nhwc_min_unsigned", "n oh ow c kh kw", "n oh~kh ow~kw c", "kh kw", "n oh ow c", "min_unsigned"),
    ("linalg.pooling_nwc_sum", "n ow c kw", "n ow~kw c", "kw", "n ow c", "add"),
    ("linalg.pooling_ncw_sum", "n c ow kw", "n c ow~kw", "kw", "n c ow", "add"),
    ("linalg.pooling_nwc_max", "n ow c kw", "n ow~kw c", "kw", "n ow c", "max_signed"),
    ("linalg.pooling_nwc_max_unsigned", "n ow c kw", "n ow~kw c", "kw", "n ow c", "max_unsigned"),
    ("linalg.pooling_ncw_max", "n c ow kw", "n c ow~kw", "kw", "n c ow", "max_signed"),
    ("linalg.pooling_nwc_min", "n ow c kw", "n ow~kw c", "kw", "n ow c", "min_signed"),
    ("linalg.pooling_nwc_min_unsigned", "n ow c kw", "n ow~kw c", "kw", "n ow c", "min_unsigned"),
    ("linalg.pooling_ndhwc_sum", "n od oh ow c kd kh kw", "n od~kd oh~kh ow~kw c", "kd kh kw", "n od oh ow c", "add"),
    ("linalg.pooling_ndhwc_max", "n od oh ow c kd kh kw", "n od~kd oh~kh ow~kw c", "kd kh kw", "n od oh ow c", "max_signed"),
    ("linalg.pooling_ndhwc_min", "n od oh ow c kd kh kw", "n od~kd oh~kh ow~kw c", "kd kh kw", "n od oh ow c", "min_signed"),
)
