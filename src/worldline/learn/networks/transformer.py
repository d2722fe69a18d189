"""This file is the Transformer: rotary attention and SwiGLU behind RMSNorm, no biases, tied embeddings.

These are the parts of a Llama, so the weights can be written as one: `learn/export.py` does, and its test
compares the logits with those of transformers. Per layer: `mixer.inner` is q_proj, k_proj and v_proj one
under the other, `mixer.out` o_proj, `feed_forward.inner` gate_proj over up_proj, `feed_forward.out`
down_proj, `mixer_norm` input_layernorm, `forward_norm` post_attention_layernorm; the rotary layout is the
same. A Llama has no `window`.
A Llama does not multiply its embedding by sqrt(width): write `embedding * sqrt(width)` and
`norm / sqrt(width)`. The tied head then has sqrt(width) too much and the last norm as much too little: the
logits stay as they are.
"""

from worldline.learn.networks.attention import Attention
from worldline.learn.networks.decoder import Decoder
from worldline.learn.networks.shape import Shape


def transformer(shape: Shape) -> Decoder:
    """Attention in every layer; with `shape.window` over that many tokens."""
    return Decoder(shape, (Attention(shape) for _ in range(shape.layers)))
