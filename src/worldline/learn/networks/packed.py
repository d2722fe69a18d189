"""This file is a Transformer that reads rows of documents: a question sees its document's opening and itself.

Which tokens see which is read off the row: `document` begins a document, `question` a question. Positions
count as if the question were the only one of its document. For one document with one question that is plain
causal attention, so the weights are those of a Transformer and decode as one.

Letters: B rows, T tokens, D width, H heads, E width of a head.
"""

import torch
from torch import Tensor
from torch.nn import functional

from worldline.learn.networks.attention import Attention, turn
from worldline.learn.networks.decoder import Decoder
from worldline.learn.networks.shape import Shape

DOCUMENT, QUESTION = 1, 2  # as in models/embedded/vocabulary.py; a test holds them together


class Packed(Decoder):
    """Reads whole rows as packed documents, and decodes (`read`, `step`) as a plain Transformer."""

    def after_drawing(self) -> None:
        """Half of the heads begin by looking for what is the same: their keys are made as their queries are.

        Whether two tokens are equal is half of what the questions ask, and found late without this.
        """
        width = self.shape.width
        half = self.shape.heads // 2 * self.shape.head_width
        for layer in self.layers:
            weight = layer.mixer.inner.weight
            weight[width : width + half] = weight[:half]

    def forward(self, ids_BT: Tensor) -> Tensor:
        """The logits of the token after each of these."""
        positions_BT, is_seen_BTT = layout(ids_BT)
        x_BTD = self.embedding(ids_BT) * self.scale
        turns = _turns(positions_BT, self.shape, x_BTD)
        for layer in self.layers:
            x_BTD = x_BTD + _gathered(layer.mixer, layer.mixer_norm(x_BTD), turns, is_seen_BTT)
            x_BTD = x_BTD + layer.feed_forward(layer.forward_norm(x_BTD))
        return self.logits(self.norm(x_BTD))


def packed(shape: Shape) -> Packed:
    """Attention in every layer, within documents."""
    return Packed(shape, (Attention(shape) for _ in range(shape.layers)))


def layout(ids_BT: Tensor) -> tuple[Tensor, Tensor]:
    """Positions, and which token (second T) each token (first T) sees."""
    is_document, is_question = ids_BT == DOCUMENT, ids_BT == QUESTION
    document_BT = is_document.cumsum(1)
    count_BT = is_question.cumsum(1)
    at_T = torch.arange(ids_BT.shape[1], device=ids_BT.device)
    begin_BT = torch.where(is_document, at_T, 0).cummax(1).values  # where the document begins
    before_BT = count_BT.gather(1, begin_BT)  # questions of earlier documents
    question_BT = count_BT - before_BT  # 0: the opening
    asked_BT = torch.where(is_question, at_T, 0).cummax(1).values
    first_BT = torch.where(is_question & (question_BT == 1), at_T, 0).cummax(1).values
    is_opening = question_BT == 0
    positions_BT = torch.where(is_opening, at_T - begin_BT, at_T - asked_BT + first_BT - begin_BT)
    same_document = document_BT[:, :, None] == document_BT[:, None]
    same_question = question_BT[:, :, None] == question_BT[:, None]
    is_before = at_T[:, None] >= at_T[None]
    return positions_BT, is_before & same_document & (same_question | is_opening[:, None])


def _turns(positions_BT: Tensor, shape: Shape, like: Tensor) -> tuple[Tensor, Tensor]:
    width = shape.head_width
    speed_E = shape.theta ** (-torch.arange(0, width, 2, device=like.device, dtype=torch.float32) / width)
    angle_BTE = (positions_BT[..., None].float() * speed_E).repeat(1, 1, 2)
    return angle_BTE.cos().to(like.dtype)[:, None], angle_BTE.sin().to(like.dtype)[:, None]


def _gathered(mixer: Attention, x_BTD: Tensor, turns: tuple[Tensor, Tensor], is_seen_BTT: Tensor) -> Tensor:
    q_BHTE, k_BHTE, v_BHTE = (
        part_BTD.unflatten(-1, (mixer.heads, -1)).transpose(1, 2)
        for part_BTD in mixer.inner(x_BTD).chunk(3, -1)
    )
    y_BHTE = functional.scaled_dot_product_attention(
        turn(q_BHTE, turns), turn(k_BHTE, turns), v_BHTE, attn_mask=is_seen_BTT[:, None]
    )
    return mixer.out(y_BHTE.transpose(1, 2).flatten(2))
