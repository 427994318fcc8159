"""What LaTeX's symbol commands look like as text."""

from __future__ import annotations

from typing import Final


def words(text: str) -> frozenset[str]:
    """The set of blank-separated words."""
    return frozenset(text.split())


def _table(lines: str) -> dict[str, str]:
    words = lines.split()
    return dict(zip(words[::2], words[1::2], strict=True))


_LOWER: Final = _table(
    """alpha α beta β gamma γ delta δ epsilon ε zeta ζ eta η theta θ iota ι kappa κ lambda λ mu μ nu ν xi ξ
    omicron ο pi π rho ρ sigma σ tau τ upsilon υ phi φ chi χ psi ψ omega ω varepsilon ε vartheta ϑ varpi
    ϖ varrho ϱ varsigma ς varphi φ varkappa ϰ digamma ϝ"""
)
_UPPER: Final = _table(
    """Alpha Α Beta Β Gamma Γ Delta Δ Epsilon Ε Zeta Ζ Eta Η Theta Θ Iota Ι Kappa Κ Lambda Λ Mu Μ Nu Ν Xi Ξ
    Omicron Ο Pi Π Rho Ρ Sigma Σ Tau Τ Upsilon Υ Phi Φ Chi Χ Psi Ψ Omega Ω"""
)
GREEK: Final[dict[str, str]] = (
    _LOWER
    | _UPPER
    | {f"up{name}": sign for name, sign in _LOWER.items()}
    | {up: sign for name, sign in _UPPER.items() for up in (f"Up{name.lower()}", f"up{name}")}
    | {f"var{name}": sign for name, sign in _UPPER.items()}
    | {f"text{name}": sign for name, sign in _LOWER.items()}
)

LETTERS: Final[dict[str, str]] = _table(
    """ell ℓ hbar ħ hslash ħ imath ı jmath ȷ Re Re Im Im wp ℘ aleph ℵ beth ℶ infty ∞ partial ∂ nabla ∇
    emptyset ∅ varnothing ∅ forall ∀ exists ∃ nexists ∄ top ⊤ bot ⊥ angle ∠ square □ Box □ triangle △
    star ⋆ bigstar ★ dagger † ddagger ‡ dag † ddag ‡ prime ′ backprime ‵ degree ° textdegree ° AA Å aa å
    AE Æ ae æ OE Œ oe œ O Ø o ø L Ł l ł ss ß SS ẞ i ı j ȷ S § P ¶ pounds £ texteuro € euro € copyright ©
    textcopyright © textregistered ® texttrademark ™ textmu μ micro µ odot ⊙ sun ☉ Sun ☉ astrosun ☉
    earth ⊕ Earth ⊕ checkmark ✓ complement ∁ ldots … dots … cdots … dotsc … dotsb … dotsm … textellipsis
    … vdots ⋮ ddots ⋱ textbackslash \\ backslash \\ textasciitilde ~ textasciicircum ^ textunderscore _
    textbar | textless < textgreater > textdollar $ textquoteleft ‘ textquoteright ’ textquotedblleft “
    textquotedblright ” textendash – textemdash — textbullet • bullet • cdotp · lbrace { rbrace } lbrack
    [ rbrack ] th þ TH Þ dh ð DH Ð LaTeX LaTeX TeX TeX LaTeXe LaTeX2e diamond ⋄ Diamond ◇ clubsuit ♣
    heartsuit ♡ flat ♭ natural ♮ sharp ♯ mho ℧ eth ð blacksquare ■ colon : textsuperscript ^ slash /
    textpm ± texttimes × zero 0 plusplus ++ degr °"""
)

RELATIONS: Final[dict[str, str]] = _table(
    """to → rightarrow → longrightarrow → Rightarrow ⇒ Longrightarrow ⇒ implies ⇒ leftarrow ← gets ←
    Leftarrow ⇐ longleftarrow ← leftrightarrow ↔ Leftrightarrow ⇔ iff ⇔ longleftrightarrow ↔ mapsto ↦
    longmapsto ↦ rightleftharpoons ⇌ leadsto ⇝ rightsquigarrow ⇝ hookrightarrow ↪ nearrow ↗ searrow ↘
    uparrow ↑ downarrow ↓ updownarrow ↕ xrightarrow → leq ≤ le ≤ leqslant ≤ geq ≥ ge ≥ geqslant ≥ neq ≠
    ne ≠ ll ≪ gg ≫ equiv ≡ approx ≈ approxeq ≊ sim ~ simeq ≃ cong ≅ propto ∝ varpropto ∝ lesssim ≲
    gtrsim ≳ lessapprox ⪅ gtrapprox ⪆ in ∈ notin ∉ ni ∋ subset ⊂ subseteq ⊆ supset ⊃ supseteq ⊇ perp ⊥
    parallel ∥ mid | vert | lt < gt > coloneqq ≔ doteq ≐ triangleq ≜ prec ≺ succ ≻ vdash ⊢ models ⊨
    asymp ≍ lsim ≲ gsim ≳ la ≲ ga ≳ apprle ≲ apprge ≳ textrightarrow → rightarrowtail ↣ dashrightarrow ⇢
    therefore ∴ because ∵"""
)

BINARIES: Final[dict[str, str]] = _table(
    """pm ± mp ∓ times × div ÷ cdot · ast * cap ∩ cup ∪ wedge ∧ land ∧ vee ∨ lor ∨ oplus ⊕ ominus ⊖ otimes
    ⊗ setminus ∖ circ ∘ amalg ⨿ sqcup ⊔ sqcap ⊓ uplus ⊎ bigcdot · textperiodcentered · bigtriangleup △"""
)

OPERATORS: Final[dict[str, str]] = _table(
    """sum ∑ prod ∏ int ∫ iint ∬ iiint ∭ oint ∮ coprod ∐ bigcup ⋃ bigcap ⋂ bigoplus ⨁ bigotimes ⨂ bigwedge
    ⋀ bigvee ⋁ bigintssss ∫ bigintss ∫ bigint ∫"""
)

FUNCTIONS: Final = words(
    """sin cos tan cot sec csc sinh cosh tanh coth arcsin arccos arctan log ln lg exp lim limsup liminf max
    min sup inf arg det dim gcd ker deg Pr hom mod"""
)

DELIMITERS: Final[dict[str, str]] = _table(
    """{ { } } langle ⟨ rangle ⟩ lvert | rvert | lVert ‖ rVert ‖ | ‖ Vert ‖ lfloor ⌊ rfloor ⌋ lceil ⌈ rceil
    ⌉ lgroup ( rgroup )"""
)

ESCAPES: Final[dict[str, str]] = {c: c for c in "%&#$_"}

SPACES: Final = frozenset(
    {
        ",",
        ";",
        ":",
        ">",
        " ",
        "\n",
        "\t",
        "quad",
        "qquad",
        "thinspace",
        "medspace",
        "thickspace",
        "enspace",
        "enskip",
    }
    | {
        "space",
        "nobreakspace",
        "hfill",
        "hfil",
        "hskip",
        "hspace",
        "newline",
        "linebreak",
        "textvisiblespace",
    }
)

ACCENTS: Final[dict[str, str]] = {
    "'": "\u0301",
    "`": "\u0300",
    "^": "\u0302",
    '"': "\u0308",
    "~": "\u0303",
    "=": "\u0304",
    ".": "\u0307",
    "u": "\u0306",
    "v": "\u030c",
    "H": "\u030b",
    "r": "\u030a",
    "c": "\u0327",
    "k": "\u0328",
    "d": "\u0323",
    "b": "\u0331",
    "t": "\u0361",
}
"""Text accents: combining characters that follow their base."""

MATH_ACCENTS: Final[dict[str, str]] = {
    "bar": "\u0304",
    "overline": "\u0304",
    "overbar": "\u0304",
    "widebar": "\u0304",
    "hat": "\u0302",
    "widehat": "\u0302",
    "tilde": "\u0303",
    "widetilde": "\u0303",
    "dot": "\u0307",
    "ddot": "\u0308",
    "vec": "\u20d7",
    "overrightarrow": "\u20d7",
    "check": "\u030c",
    "breve": "\u0306",
    "acute": "\u0301",
    "grave": "\u0300",
    "mathring": "\u030a",
    "underline": "",
}

SCRIPT_LETTERS: Final[dict[str, str]] = {"B": "ℬ", "L": "ℒ"}
r"""``\mathcal`` letters that mean something else than the plain letter: branching fraction, luminosity."""

TEXT_SYMBOLS: Final[dict[str, str]] = (
    GREEK
    | LETTERS
    | RELATIONS
    | BINARIES
    | OPERATORS
    | DELIMITERS
    | ESCAPES
    | {name: name for name in FUNCTIONS}
)
"""Every symbol, as it reads in running text."""
