"""This file is data sets of the Hugging Face Hub, by the Hub's own client."""

from pathlib import Path

from worldline.errors import UserError, missing_extra


def fetched(name: str, patterns: str) -> Path:
    """The files of a data set that fit a pattern, in the client's cache; its folder."""
    try:
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError
    except ImportError:
        raise missing_extra("huggingface_hub", "hub") from None
    try:
        return Path(snapshot_download(name, repo_type="dataset", allow_patterns=patterns))
    except (HfHubHTTPError, LocalEntryNotFoundError, OSError, ValueError) as error:
        reason = str(error).strip().partition("\n")[0]
        what = f"the Hub does not give a data set {name}: {reason}"
        raise UserError(what, "check the name; a private one needs HF_TOKEN") from None
