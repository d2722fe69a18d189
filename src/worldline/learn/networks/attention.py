"""This file is attention with rotary positions, over all tokens before or a window of them: a mixer.

The fast path is torch's own `scaled_dot_product_attention`, the twin a loop over tokens. Angles pair number i
of a head with number i + E/2, as Llama's weights at Hugging Face do.

Letters: B rows, T tokens, P tokens remembered, S = P + T, D width, H heads, E width of a head.
"""

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from worldline.learn.networks.shape import Shape


class Cache(NamedTuple):
    """Keys (turned already) and values of the tokens that may still be seen, and how many there have been."""

    k_BHPE: Tensor
    v_BHPE: Tensor
    position: int


class Attention(nn.Module):  # type: ignore[misc]
    """Causal attention; with a window the cache stays as small as the window."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.heads = shape.heads
        self.window = shape.window
        self.theta = shape.theta
        self.is_plain = False
        self.inner = nn.Linear(shape.width, 3 * shape.width, bias=False)
        self.out = nn.Linear(shape.width, shape.width, bias=False)

    def start(self, batch: int) -> Cache:
        """An empty cache."""
        width = self.out.weight.shape[0] // self.heads
        empty_BHPE = self.out.weight.new_empty(batch, self.heads, 0, width)
        return Cache(empty_BHPE, empty_BHPE, 0)

    def forward(self, x_BTD: Tensor, cache: Cache) -> tuple[Tensor, Cache]:
        """What each token gathers, and the cache with these tokens in it."""
        q_BHTE, k_BHTE, v_BHTE = (
            part_BTD.unflatten(-1, (self.heads, -1)).transpose(1, 2)
            for part_BTD in self.inner(x_BTD).chunk(3, -1)
        )
        turns = angles(cache.position, x_BTD.shape[1], q_BHTE, self.theta)
        q_BHTE, k_BHSE, v_BHSE = turn(q_BHTE, turns), turn(k_BHTE, turns), v_BHTE
        if cache.k_BHPE.shape[2]:
            k_BHSE = torch.cat([cache.k_BHPE.to(k_BHSE.dtype), k_BHSE], 2)
            v_BHSE = torch.cat([cache.v_BHPE.to(v_BHSE.dtype), v_BHSE], 2)
        attend = attend_loop if self.is_plain else attend_fast
        y_BHTE = attend(q_BHTE, k_BHSE, v_BHSE, self.window)
        kept = min(self.window - 1, k_BHSE.shape[2]) if self.window else k_BHSE.shape[2]
        first = k_BHSE.shape[2] - kept
        after = Cache(k_BHSE[:, :, first:], v_BHSE[:, :, first:], cache.position + x_BTD.shape[1])
        return self.out(y_BHTE.transpose(1, 2).flatten(2)), after


def attend_fast(q_BHTE: Tensor, k_BHSE: Tensor, v_BHSE: Tensor, window: int) -> Tensor:
    """The last T of S tokens, each looking at itself and those before it."""
    tokens, seen = q_BHTE.shape[2], k_BHSE.shape[2]
    is_whole = not window or seen <= window
    if is_whole and (tokens == seen or tokens == 1):
        return functional.scaled_dot_product_attention(q_BHTE, k_BHSE, v_BHSE, is_causal=tokens > 1)
    back_TS = (
        torch.arange(seen - tokens, seen, device=q_BHTE.device)[:, None]
        - torch.arange(seen, device=q_BHTE.device)[None]
    )
    mask_TS = (back_TS >= 0) if is_whole else (back_TS >= 0) & (back_TS < window)
    return functional.scaled_dot_product_attention(q_BHTE, k_BHSE, v_BHSE, attn_mask=mask_TS)


def attend_loop(q_BHTE: Tensor, k_BHSE: Tensor, v_BHSE: Tensor, window: int) -> Tensor:
    """The twin of `attend_fast`, one token after the other."""
    tokens, seen = q_BHTE.shape[2], k_BHSE.shape[2]
    rows = []
    for token in range(tokens):
        end = seen - tokens + token + 1
        begin = max(0, end - window) if window else 0
        scores_BHS = torch.einsum("bhe,bhse->bhs", q_BHTE[:, :, token], k_BHSE[:, :, begin:end])
        weights_BHS = torch.softmax(scores_BHS * q_BHTE.shape[-1] ** -0.5, -1)
        rows.append(torch.einsum("bhs,bhse->bhe", weights_BHS, v_BHSE[:, :, begin:end]))
    return torch.stack(rows, 2)


def angles(position: int, tokens: int, like: Tensor, theta: float) -> tuple[Tensor, Tensor]:
    """Cosine and sine (both T by E) for tokens from a position on, worked out in float32 at least."""
    dtype = torch.promote_types(like.dtype, torch.float32)
    width = like.shape[-1]
    speed_E = theta ** (-torch.arange(0, width, 2, device=like.device, dtype=dtype) / width)
    at_T = torch.arange(position, position + tokens, device=like.device, dtype=dtype)
    angle_TE = torch.outer(at_T, speed_E).repeat(1, 2)
    return angle_TE.cos().to(like.dtype), angle_TE.sin().to(like.dtype)


def turn(x_BHTE: Tensor, turns: tuple[Tensor, Tensor]) -> Tensor:
    """Turn each pair of numbers by its angle."""
    cosine_TE, sine_TE = turns
    one, other = x_BHTE.chunk(2, -1)
    return x_BHTE * cosine_TE + torch.cat([-other, one], -1) * sine_TE
