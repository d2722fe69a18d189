"""This file is a Transformer that also looks where the same token stood before: the network that is embedded.

Attention has to learn, token by token, that a key matches itself; until it has, nothing can be looked up.
Here each layer is given two places for nothing: where the same token came first, and where it came last. And
each token begins with the two before it. What stands beside a match is then learnt within minutes.

It reads rows of documents (learn/data/rows.py): `document` begins a document, `question` a question, and a
question sees its document's opening and itself, as if it were alone. It has no `read` and `step`: what
decodes with its weights is models/embedded/network.py.

Letters: B rows, T tokens, N all tokens of all rows, D width, H heads (1 in masks), E width of a head.
"""

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from worldline.errors import UserError
from worldline.learn.networks.attention import Attention, turn
from worldline.learn.networks.decoder import EPSILON, FeedForward
from worldline.learn.networks.shape import Shape

DOCUMENT, QUESTION = 1, 2  # as in models/embedded/vocabulary.py; a test holds them together


class View(NamedTuple):
    """What each token of a row sees."""

    turns: tuple[Tensor, Tensor]  # of its position
    mask_BHTT: Tensor  # 0: is seen, minus infinity: is not
    first_N: Tensor  # where the same token came first; N: nowhere
    last_N: Tensor  # where it came last


class Layer(nn.Module):  # type: ignore[misc]
    """Attention, matches, a feed-forward part, each on a normalised copy of the residual stream."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.mixer_norm = nn.RMSNorm(shape.width, eps=EPSILON)
        self.mixer = Attention(shape)
        self.first_out = nn.Linear(shape.width, shape.width, bias=False)
        self.last_out = nn.Linear(shape.width, shape.width, bias=False)
        self.forward_norm = nn.RMSNorm(shape.width, eps=EPSILON)
        self.feed_forward = FeedForward(shape)

    def forward(self, x_BTD: Tensor, view: View) -> Tensor:
        """The residual stream after this layer."""
        normed_BTD = self.mixer_norm(x_BTD)
        x_BTD = x_BTD + self._gathered(normed_BTD, view)
        x_BTD = x_BTD + self.first_out(_taken(normed_BTD, view.first_N))
        x_BTD = x_BTD + self.last_out(_taken(normed_BTD, view.last_N))
        return x_BTD + self.feed_forward(self.forward_norm(x_BTD))

    def _gathered(self, x_BTD: Tensor, view: View) -> Tensor:
        mixer = self.mixer
        q_BHTE, k_BHTE, v_BHTE = (
            part_BTD.unflatten(-1, (mixer.heads, -1)).transpose(1, 2)
            for part_BTD in mixer.inner(x_BTD).chunk(3, -1)
        )
        y_BHTE = functional.scaled_dot_product_attention(
            turn(q_BHTE, view.turns), turn(k_BHTE, view.turns), v_BHTE, attn_mask=view.mask_BHTT
        )
        return mixer.out(y_BHTE.transpose(1, 2).flatten(2))


class Matching(nn.Module):  # type: ignore[misc]
    """The network; `forward` takes rows of documents."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.scale = float(shape.width) ** 0.5
        self.embedding = nn.Embedding(shape.vocabulary, shape.width)
        self.before = nn.Linear(shape.width, shape.width, bias=False)  # the token before
        self.earlier = nn.Linear(shape.width, shape.width, bias=False)  # the one before that
        self.layers = nn.ModuleList(Layer(shape) for _ in range(shape.layers))
        self.norm = nn.RMSNorm(shape.width, eps=EPSILON)

    def forward(self, ids_BT: Tensor) -> Tensor:
        """The logits of the token after each of these: logits_BTV."""
        plan = layout(ids_BT)
        e_BTD = self.embedding(ids_BT) * self.scale
        x_BTD = e_BTD + self.before(_taken(e_BTD, _numbered(plan.before_BT)))
        x_BTD = x_BTD + self.earlier(_taken(e_BTD, _numbered(plan.earlier_BT)))
        first_BT, last_BT = matches(ids_BT, plan.is_seen_BTT)
        turns = _turns(plan.positions_BT, self.shape, x_BTD)
        mask_BTT = torch.where(plan.is_seen_BTT, 0.0, float("-inf")).to(x_BTD.dtype)
        view = View(turns, mask_BTT[:, None], _numbered(first_BT), _numbered(last_BT))
        for layer in self.layers:
            x_BTD = layer(x_BTD, view)
        return functional.linear(self.norm(x_BTD), self.embedding.weight)


def matching(shape: Shape) -> Matching:
    """A network of this shape."""
    if shape.window:
        raise UserError(f"matching has no window, and is given one of {shape.window}", "leave it at 0")
    return Matching(shape)


class Layout(NamedTuple):
    """Where the tokens of a row stand in their documents."""

    positions_BT: Tensor
    is_seen_BTT: Tensor
    before_BT: Tensor  # the token before, as the question sees it; T: none
    earlier_BT: Tensor  # the one before that


def layout(ids_BT: Tensor) -> Layout:
    """Positions count as if each question were the only one of its document."""
    is_document, is_question = ids_BT == DOCUMENT, ids_BT == QUESTION
    tokens = ids_BT.shape[1]
    document_BT = is_document.cumsum(1)
    count_BT = is_question.cumsum(1)
    at_T = torch.arange(tokens, device=ids_BT.device)
    begin_BT = torch.where(is_document, at_T, 0).cummax(1).values  # where the document begins
    question_BT = count_BT - count_BT.gather(1, begin_BT)  # 0: the opening
    asked_BT = torch.where(is_question, at_T, 0).cummax(1).values
    first_BT = torch.where(is_question & (question_BT == 1), at_T, 0).cummax(1).values
    is_opening = question_BT == 0
    positions_BT = torch.where(is_opening, at_T - begin_BT, at_T - asked_BT + first_BT - begin_BT)
    same_document = document_BT[:, :, None] == document_BT[:, None]
    same_question = question_BT[:, :, None] == question_BT[:, None]
    is_before = at_T[:, None] >= at_T[None]
    is_seen_BTT = is_before & same_document & (same_question | is_opening[:, None])
    before_BT = torch.where(is_question, first_BT, at_T) - 1
    before_BT = torch.where(is_document | (before_BT < 0), tokens, before_BT)
    padded_BT = functional.pad(before_BT, (0, 1), value=tokens)
    return Layout(positions_BT, is_seen_BTT, before_BT, padded_BT.gather(1, before_BT))


def matches(ids_BT: Tensor, is_seen_BTT: Tensor) -> tuple[Tensor, Tensor]:
    """The first and the last place before each token at which the same token is seen; T: none."""
    tokens = ids_BT.shape[1]
    at_T = torch.arange(tokens, device=ids_BT.device)
    is_same_BTT = is_seen_BTT & (ids_BT[:, :, None] == ids_BT[:, None]) & (at_T[:, None] > at_T[None])
    first_BT = torch.where(is_same_BTT, at_T, tokens).amin(2)
    last_BT = torch.where(is_same_BTT, at_T, -1).amax(2)
    return first_BT, torch.where(last_BT < 0, tokens, last_BT)


def _taken(x_BTD: Tensor, which_N: Tensor) -> Tensor:
    """The numbers at other places of the row; nothing where there is none."""
    flat = functional.pad(x_BTD.flatten(0, 1), (0, 0, 0, 1))
    return flat.index_select(0, which_N).view_as(x_BTD)


def _numbered(which_BT: Tensor) -> Tensor:
    """Places of a row as places among all tokens of all rows: whole rows of numbers are taken at once."""
    rows, tokens = which_BT.shape
    begin_B = torch.arange(0, rows * tokens, tokens, device=which_BT.device)
    return torch.where(which_BT == tokens, rows * tokens, which_BT + begin_B[:, None]).flatten()


def _turns(positions_BT: Tensor, shape: Shape, like: Tensor) -> tuple[Tensor, Tensor]:
    width = shape.head_width
    speed_E = shape.theta ** (-torch.arange(0, width, 2, device=like.device, dtype=torch.float32) / width)
    angle_BTE = (positions_BT[..., None].float() * speed_E).repeat(1, 1, 2)
    return angle_BTE.cos().to(like.dtype)[:, None], angle_BTE.sin().to(like.dtype)[:, None]
