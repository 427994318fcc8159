"""Tiny models, made here for the real libraries: random for GLiNER, overfitted on one triplet for REBEL."""

from __future__ import annotations

import importlib
import os
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from schemas.documents import Block, BlockKind, Document, DocumentKind, Section, SourceMap
from schemas.ids import DocumentKey

WORDS = (
    "aspirin treats fever . flu causes cough headache severe the a of and in patients drug medicine disease "
    "disorder symptom sign protein gene concept process is used for interacts with , 6 il -"
)
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
MARKS = ("<triplet>", "<subj>", "<obj>")
TAUGHT = ("aspirin treats fever .", "<triplet> aspirin <subj> fever <obj> treats")


def library(name: str) -> Any:
    """A library of the extra ``[models]``; in CI its absence is an error, elsewhere a reason to skip."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the libraries' own, on being imported
        try:
            return importlib.import_module(name)
        except ImportError as e:
            if os.environ.get("CI"):
                pytest.fail(f"the extra [models] must be installed in CI: {e}")
            pytest.skip(f"the extra [models] is not installed: {e}")


@pytest.fixture(scope="session")
def torch() -> Iterator[Any]:
    """torch on one thread: tiny matrices on several are slower, and not alike from run to run."""
    module = library("torch")
    before = module.get_num_threads()
    module.set_num_threads(1)
    yield module
    module.set_num_threads(before)


def _tokenizer(folder: Path, marks: tuple[str, ...] = ()) -> Any:
    """A WordPiece tokenizer that knows the words above, saved to the folder."""
    tokenizers, transformers = library("tokenizers"), library("transformers")
    vocabulary = {word: n for n, word in enumerate(dict.fromkeys((*SPECIAL, *WORDS.split(), *marks)))}
    words = tokenizers.Tokenizer(tokenizers.models.WordPiece(vocabulary, unk_token="[UNK]"))
    words.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    words.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B [SEP]",
        special_tokens=[("[CLS]", vocabulary["[CLS]"]), ("[SEP]", vocabulary["[SEP]"])],
    )
    made = transformers.PreTrainedTokenizerFast(
        tokenizer_object=words,
        unk_token="[UNK]",
        pad_token="[PAD]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
        bos_token="[CLS]",
        eos_token="[SEP]",
        additional_special_tokens=list(marks),
    )
    made.save_pretrained(folder)
    return made


def _gliner(torch: Any, folder: Path, **options: Any) -> Path:
    """A GLiNER of one layer with random weights, which score everything at about a half."""
    gliner, transformers = library("gliner"), library("transformers")
    bert = folder / "bert"
    tokenizer = _tokenizer(bert)
    torch.manual_seed(7)
    transformers.BertModel(
        transformers.BertConfig(
            vocab_size=len(tokenizer),
            hidden_size=32,
            num_hidden_layers=1,
            num_attention_heads=2,
            intermediate_size=32,
            max_position_embeddings=128,
        )
    ).save_pretrained(bert)
    config = gliner.GLiNERConfig(
        model_name=str(bert),
        hidden_size=32,
        max_width=4,
        max_len=24,
        num_rnn_layers=1,
        span_mode="markerV0",
        **options,
    )
    gliner.GLiNER.from_config(config).save_pretrained(str(folder / "tiny"))
    return folder / "tiny"


@pytest.fixture(scope="session")
def gliner_folder(torch: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A saved GLiNER for entities."""
    return _gliner(torch, tmp_path_factory.mktemp("gliner"))


@pytest.fixture(scope="session")
def relation_folder(torch: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A saved GLiNER for entities and relations."""
    return _gliner(torch, tmp_path_factory.mktemp("relations"), relations_layer="dot")


@pytest.fixture(scope="session")
def rebel_folder(torch: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A saved BART of one layer that has learned to write one triplet."""
    transformers = library("transformers")
    folder = tmp_path_factory.mktemp("rebel") / "tiny"
    tokenizer = _tokenizer(folder, MARKS)
    torch.manual_seed(7)
    model = transformers.BartForConditionalGeneration(
        transformers.BartConfig(
            vocab_size=len(tokenizer),
            d_model=32,
            encoder_layers=1,
            decoder_layers=1,
            encoder_attention_heads=2,
            decoder_attention_heads=2,
            encoder_ffn_dim=64,
            decoder_ffn_dim=64,
            max_position_embeddings=64,
            dropout=0.0,
            attention_dropout=0.0,
            pad_token_id=0,
            bos_token_id=2,
            eos_token_id=3,
            decoder_start_token_id=2,
            forced_eos_token_id=None,
        )
    )
    _teach(torch, model, tokenizer)
    model.save_pretrained(folder)
    return folder


def _teach(torch: Any, model: Any, tokenizer: Any) -> None:
    text, linear = (tokenizer(t, return_tensors="pt") for t in TAUGHT)
    labels = linear["input_ids"][:, 1:]  # the start token is added by the model
    optimiser = torch.optim.AdamW(model.parameters(), lr=5e-3)
    model.train()
    for _ in range(300):
        loss = model(input_ids=text["input_ids"], attention_mask=text["attention_mask"], labels=labels).loss
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        if loss.item() < 0.01:
            break
    model.eval()


@pytest.fixture(scope="session")
def document_of() -> Callable[..., Document]:
    """Makes a document of one paragraph per text."""

    def make(*texts: str) -> Document:
        text, blocks = "", []
        for content in texts:
            blocks.append(
                Block(
                    kind=BlockKind.PARAGRAPH,
                    start=len(text),
                    end=len(text) + len(content),
                    text=content,
                    section=0,
                )
            )
            text += content + "\n\n"
        return Document(
            key=DocumentKey("note"),
            kind=DocumentKind.TEXT,
            title="A note",
            text=text,
            sections=(Section(index=0, parent=None, level=0, title="", start=0, end=len(text)),),
            blocks=tuple(blocks),
            source_map=SourceMap(files=("a",), offsets=(0,), file_of=(0,), lines=(1,)),
        )

    return make
