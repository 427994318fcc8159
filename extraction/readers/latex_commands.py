"""What the reader knows about commands that are not symbols: arguments to drop, lengths to skip."""

from __future__ import annotations

from typing import Final

from extraction.readers.latex_symbols import words


def _arity(lines: str) -> dict[str, int]:
    words = lines.split()
    return {name: int(count) for name, count in zip(words[::2], words[1::2], strict=True)}


DROPPED: Final[dict[str, int]] = _arity(
    """vspace 1 hspace 1 includegraphics 1 setlength 2 addtolength 2 setcounter 2 addtocounter 2
    stepcounter 1 refstepcounter 1 color 1 definecolor 3 colorlet 2 fontsize 2 pagestyle 1 thispagestyle
    1 pagenumbering 1 hypersetup 1 bibliographystyle 1 phantom 1 vphantom 1 hphantom 1 rule 2
    addcontentsline 3 markboth 2 markright 1 usepackage 1 RequirePackage 1 graphicspath 1 newcounter 1
    newlength 1 newtheorem 2 theoremstyle 1 input 1 include 1 index 1 glsadd 1 pdfbookmark 2
    phantomsection 0 captionsetup 1 newcolumntype 2 cellcolor 1 rowcolor 1 rowcolors 3 columncolor 1
    arrayrulecolor 1 includepdf 1 nocite 1 tag 1 hyphenation 1 enlargethispage 1 DeclareSIUnit 2 sisetup
    1 protect 0 AtBeginDocument 1 AtEndDocument 1 email 1 affiliation 1 affil 1 orcid 1
    correspondingauthor 1 shortauthors 1 shorttitle 1 received 1 accepted 1 submitjournal 1 published 1
    thanks 1 software 1 facilities 1 facility 1 date 1 institute 1 address 1 altaffiliation 1
    altaffiltext 2 altaffilmark 1 preprint 1 keywords 1 pacs 1 animategraphics 4 usetikzlibrary 1
    tikzset 1 pgfplotsset 1 newpage 0 todo 1 footnotemark 0 selectlanguage 1 printbibliography 0
    tableofcontents 0 listoffigures 0 listoftables 0 DeclareGraphicsExtensions 1 crefname 3 Crefname 3
    titlerunning 1 authorrunning 1 author 1 editor 1 subtitle 1 collaboration 1 nocollaboration 1 corref
    1 fnref 1 tnotetext 1 cortext 1 ead 1 journal 1 label 1 script 1 tablewidth 1 tablenum 1
    tabletypesize 1 tablecolumns 1 fbox 0 mathtoolsset 1 allowdisplaybreaks 0 markdownInput 1 acrodef 2
    newacronym 3 newglossaryentry 2 makeglossaries 0 printglossary 0 addbibresource 1 hspace* 1 vspace*
    1 lstset 1 lstinputlisting 1 linespread 1 setstretch 1 textblockorigin 1 noalign 1 bibitem 1 eprint
    1 uppercase 0 newboolean 1 extracolsep 1 titlespacing 4 titleformat 5 providecolor 3 nolinenumbers 0
    resumecontents 1"""
)
"""Commands that are dropped with so many mandatory arguments (and their optional ones)."""

KEEP_LAST: Final[dict[str, int]] = _arity(
    """textcolor 1 colorbox 1 fcolorbox 2 resizebox 2 scalebox 1 rotatebox 1 raisebox 1 parbox 1 makebox 0
    framebox 0 foreignlanguage 1 overset 1 underset 1 stackrel 1 href 1 hyperref 0 adjustbox 1
    texorpdfstring 0 mathchoice 0 otherlanguage 1 acs 0 newunicodechar 1 minipage 1 underaccent 1
    sidenote 0 accentset 1"""
)
"""Commands whose first arguments are dropped and whose last one is text."""

LENGTHS: Final = frozenset({"kern", "mskip", "mkern", "hskip", "vskip", "raise", "lower", "hsize", "vsize"})
"""Commands that are followed by a bare length."""

LAYOUT: Final = words(
    """HepParticle HepProcess ensuremath xspace rm mathrm it mathit bf mathbf sf mathsf tt mathtt cal mathcal
    mit sl sc em up boldsymbol bm pmb symbf symup symit symsf symtt symcal symbfit mathbfit mathnormal
    mathord mathbin mathrel mathopen mathclose mathpunct mathinner normalfont textstyle displaystyle
    scriptstyle scriptscriptstyle limits nolimits displaylimits nonumber notag relax protect nobreak
    allowbreak break linebreak nolinebreak pagebreak noindent tabularnewline hline big Big bigg Bigg
    bigl bigr bigm Bigl Bigr Bigm biggl biggr biggm Biggl Biggr Biggm rlap llap clap mathrlap mathllap
    mathclap smash strut mathstrut null hfill hfil hss vfill centering raggedright tiny scriptsize
    footnotesize small normalsize large Large LARGE huge Huge shortstack underbrace overbrace substack
    begingroup endgroup bgroup egroup expandafter unskip ignorespaces cancel bcancel xcancel boxed vb va
    vu abs norm qty pqty bqty vqty mqty dd dv pdv order comm acomm bra ket braket mel ev expval qq
    lefteqn intertext shortintertext leftroot uproot cramped mathstrut vcenter hbox vbox mbox color
    textnormal unboldmath boldmath selectfont sb sp"""
)
"""Commands of LaTeX and common packages that change how a formula looks and leave no sign of their own."""

CITE_DROPPED: Final = words(
    """cite citep autocite parencite supercite citealp footcite citepalias onlinecite cites autocites
    parencites citenum citeyearpar"""
)
CITE_SHOWN: Final = frozenset(
    {"citet", "textcite", "citealt", "citeauthor", "citeyear", "Citet", "textcites"}
)
REFERENCES: Final = words(
    """ref eqref cref Cref autoref pageref nameref subref vref labelcref figref tabref secref"""
)
GLOSSARY: Final = words(
    """gls Gls glspl Glspl acrshort acrlong acrfull ac Ac acp acl acf acfp acs acsp aclp textsc"""
)

DISPLAY: Final = words(
    """equation equation* align align* eqnarray eqnarray* gather gather* multline multline* alignat
    alignat* flalign flalign* displaymath math dmath dmath* xalignat IEEEeqnarray IEEEeqnarray*"""
)
"""Environments that are one displayed equation each."""

FLOATS: Final = words(
    """figure figure* table table* sidewaystable sidewaystable* sidewaysfigure sidewaysfigure* wrapfigure
    wraptable longtable longtable* deluxetable deluxetable* floattable rotatetable rotatetable*
    subfigure subtable SCfigure marginfigure margintable supertabular xltabular algorithm listing
    landscape subfloat threeparttable"""
)

TABULARS: Final[dict[str, int]] = _arity(
    """tabular 1 tabular* 2 tabularx 2 tabulary 2 longtable 1 longtable* 1 xltabular 2 supertabular 1 array
    1 deluxetable 1 deluxetable* 1 tblr 1 longtblr 1 tabu 1 longtabu 1 NiceTabular 1"""
)
"""Table environments with the number of their mandatory arguments."""

SKIPPED: Final = words(
    """thebibliography tikzpicture feynman scope acknowledgements acknowledgments acknowledgement ack
    comment keywords keyword icmlauthorlist CCSXML pspicture picture feynmandiagram fmffile tikzcd axis
    filecontents filecontents* authorlist contributions highlights forest pgfpicture circuitikz"""
)
"""Environments without prose of the paper: left out whole."""
