"""This file is DeltaNet: layers whose memory is one matrix a head, corrected by the delta rule at each token.

No positions, no short convolution and no activation on keys: keys keep their signs. A rate beta in (0, 1)
gives a transition with eigenvalues in [0, 1]; in (0, 2) they are in [-1, 1], and a step can be a reflection
(`is_negative`). Decoding takes the same memory however long the text. The delta rule is worked out in float32
at least, also under autocast.

Letters: B rows, T tokens, N steps a token, D width, H heads, E width of a head.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional

from worldline.errors import UserError
from worldline.learn.networks.decoder import EPSILON, Decoder
from worldline.learn.networks.delta_rule import delta_chunks, delta_loop
from worldline.learn.networks.shape import Shape


def deltanet(shape: Shape) -> Decoder:
    """One step of the delta rule a token."""
    if shape.householders != 1:
        raise UserError(
            f"a deltanet of {shape.householders} householders", "several steps a token are a deltaproduct"
        )
    return Decoder(shape, (Delta(shape) for _ in range(shape.layers)))


class Delta(nn.Module):  # type: ignore[misc]
    """A mixer of `shape.householders` steps of the delta rule a token."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.heads = shape.heads
        self.steps = shape.householders
        self.largest = 2.0 if shape.is_negative else 1.0
        self.chunk = shape.chunk
        self.is_plain = False
        self.inner = nn.Linear(shape.width, (1 + 2 * self.steps) * shape.width, bias=False)
        self.rate = nn.Linear(shape.width, self.steps * shape.heads)
        self.norm = nn.RMSNorm(shape.head_width, eps=EPSILON)
        self.out = nn.Linear(shape.width, shape.width, bias=False)

    def start(self, batch: int) -> Tensor:
        """An empty memory."""
        weight = self.out.weight
        width = weight.shape[0] // self.heads
        dtype = torch.promote_types(weight.dtype, torch.float32)
        return torch.zeros(batch, self.heads, width, width, device=weight.device, dtype=dtype)

    def forward(self, x_BTD: Tensor, state_BHEE: Tensor) -> tuple[Tensor, Tensor]:
        """What each token reads, and the memory after the last."""
        parts = self.questions(x_BTD)
        dtype = state_BHEE.dtype
        with torch.autocast(x_BTD.device.type, enabled=False):
            q_BHTE, k_BHTNE, v_BHTNE, beta_BHTN = (part.to(dtype) for part in parts)
            if self.is_plain or x_BTD.shape[1] == 1:
                read_BHTE, state_BHEE = delta_loop(q_BHTE, k_BHTNE, v_BHTNE, beta_BHTN, state_BHEE)
            else:
                read_BHTE, state_BHEE = delta_chunks(
                    q_BHTE, k_BHTNE, v_BHTNE, beta_BHTN, state_BHEE, self.chunk
                )
        read_BTHE = self.norm(read_BHTE.transpose(1, 2).to(parts[0].dtype))
        return self.out(read_BTHE.flatten(2)), state_BHEE

    def questions(self, x_BTD: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Query, keys and values, and rates: q_BHTE and k_BHTNE of length 1, v_BHTNE, beta_BHTN."""
        width, steps = x_BTD.shape[-1], self.steps
        q_BTD, k_BTND, v_BTND = self.inner(x_BTD).split([width, steps * width, steps * width], -1)
        q_BHTE = q_BTD.unflatten(-1, (self.heads, -1)).transpose(1, 2)
        k_BHTNE = k_BTND.unflatten(-1, (steps, self.heads, -1)).movedim(3, 1)
        v_BHTNE = v_BTND.unflatten(-1, (steps, self.heads, -1)).movedim(3, 1)
        rate_BHTN = self.rate(x_BTD).unflatten(-1, (steps, self.heads)).movedim(3, 1)
        beta_BHTN = self.largest * torch.sigmoid(rate_BHTN)
        return functional.normalize(q_BHTE, dim=-1), functional.normalize(k_BHTNE, dim=-1), v_BHTNE, beta_BHTN
