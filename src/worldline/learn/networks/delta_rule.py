"""This file is the delta rule, a memory corrected under one key at a time: in chunks, and as a plain loop.

For each token and each of its N steps, with a key k of length 1, a value v and a rate beta,
    S <- S (I - beta k k^T) + beta v k^T,
and after the last step of a token its query reads S q. Kept here is the transpose of S (keys by values).

The chunk form: inside a chunk of C steps, with L the strictly lower triangle of diag(beta) K K^T, the
corrections are (I + L)^-1 diag(beta) (V - K S) for the S before the chunk: one triangular solve for all
chunks at once. What is left to do one chunk after the other is a single product a chunk. Forward
substitution, not powers of L: those grow beyond all bounds where keys repeat.

Letters: B rows, H heads, T tokens, N steps a token, E width of a head, G chunks, A tokens a chunk, C = A N,
X = B H.
"""

import torch
from torch import Tensor
from torch.nn import functional


def delta_loop(
    q_BHTE: Tensor, k_BHTNE: Tensor, v_BHTNE: Tensor, beta_BHTN: Tensor, state_BHEE: Tensor
) -> tuple[Tensor, Tensor]:
    """What each token reads, and the memory after the last: as it is defined."""
    read = []
    for token in range(k_BHTNE.shape[2]):
        for one in range(k_BHTNE.shape[3]):
            k_BHE, v_BHE = k_BHTNE[:, :, token, one], v_BHTNE[:, :, token, one]
            held_BHE = (k_BHE[..., None, :] @ state_BHEE).squeeze(-2)
            change_BHE = beta_BHTN[:, :, token, one, None] * (v_BHE - held_BHE)
            state_BHEE = state_BHEE + k_BHE[..., :, None] * change_BHE[..., None, :]
        read.append((q_BHTE[:, :, token, None] @ state_BHEE).squeeze(-2))
    return torch.stack(read, 2), state_BHEE


def delta_chunks(
    q_BHTE: Tensor,
    k_BHTNE: Tensor,
    v_BHTNE: Tensor,
    beta_BHTN: Tensor,
    state_BHEE: Tensor,
    chunk: int,
) -> tuple[Tensor, Tensor]:
    """The same as `delta_loop`, about `chunk` steps at once."""
    rows, heads, tokens, steps, width = k_BHTNE.shape
    inside = max(1, min(chunk // steps, tokens))
    missing = -tokens % inside
    if missing:  # steps with a rate of 0 change nothing
        q_BHTE = functional.pad(q_BHTE, (0, 0, 0, missing))
        k_BHTNE, v_BHTNE = (functional.pad(x, (0, 0, 0, 0, 0, missing)) for x in (k_BHTNE, v_BHTNE))
        beta_BHTN = functional.pad(beta_BHTN, (0, 0, 0, missing))
    many, size, both = (tokens + missing) // inside, inside * steps, rows * heads
    q_XGAE = q_BHTE.reshape(both, many, inside, width)
    k_XGCE, v_XGCE = (x.reshape(both, many, size, width) for x in (k_BHTNE, v_BHTNE))
    beta_XGC1 = beta_BHTN.reshape(both, many, size, 1)

    scaled_XGCE = beta_XGC1 * k_XGCE
    lower_XGCC = scaled_XGCE @ k_XGCE.mT  # the solve reads only what is under the diagonal
    right = torch.cat([beta_XGC1 * v_XGCE, scaled_XGCE], -1)
    solved = torch.linalg.solve_triangular(lower_XGCC, right, upper=False, unitriangular=True)
    attend_XGAC = (q_XGAE @ k_XGCE.mT) * _seen(inside, steps, q_XGAE)
    added, removed = (k_XGCE.mT @ solved).split(width, -1)  # a chunk turns S into S - removed S + added
    direct_XGAE, less_XGAE = (attend_XGAC @ solved).split(width, -1)

    state_XEE = state_BHEE.reshape(both, width, width)
    before = []
    for added_XEE, removed_XEE in zip(added.unbind(1), removed.unbind(1), strict=True):
        before.append(state_XEE)
        state_XEE = torch.baddbmm(state_XEE + added_XEE, removed_XEE, state_XEE, alpha=-1)
    read_XGAE = direct_XGAE + (q_XGAE - less_XGAE) @ torch.stack(before, 1)
    read_BHTE = read_XGAE.reshape(rows, heads, tokens + missing, width)[:, :, :tokens]
    return read_BHTE, state_XEE.reshape(rows, heads, width, width)


def _seen(tokens: int, steps: int, like: Tensor) -> Tensor:
    """1 where a token of a chunk (a row) comes with or after a step (a column), else 0."""
    token_A1 = torch.arange(tokens, device=like.device)[:, None]
    step_1C = torch.arange(tokens * steps, device=like.device)[None]
    return (step_1C < (token_A1 + 1) * steps).to(like.dtype)
