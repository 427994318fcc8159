"""Words that macros of decays are made of, and the quantum numbers that decide what they leave open."""

from __future__ import annotations


def _each(names: str, *meant: str) -> dict[str, tuple[str, ...]]:
    """The same meaning for every name of a list with blanks."""
    return dict.fromkeys(names.split(), meant)


PARENTS: dict[str, tuple[str, ...]] = {
    **_each("Lb Lbz LbZ Lbzero Lambdab LambdaB", "Lambda_b0"),
    **_each("Lc Lcp Lcplus Lambdac LambdaC", "Lambda_c+"),
    **_each("Bs Bsz Bszero", "B_s0"), **_each("Bd Bz Bzero BZ BdZ", "B0"),
    **_each("Bu Bp Bplus", "B+"), **_each("Bc Bcp", "B_c+"),
    **_each("Ds Dsp Dsplus", "D_s+"), **_each("Dz DZ Dzero", "D0"), **_each("Dp Dplus", "D+"),
    **_each("Dstp Dstarp", "D*(2010)+"), **_each("Dst Dstar", "D*(2010)+", "D*(2007)0"),
    **_each("Xibm", "Xi_b-"), **_each("Xibz", "Xi_b0"), **_each("Xib", "Xi_b-", "Xi_b0"),
    **_each("Omegab Omegabm Ob Obm Omb Ombm", "Omega_b-"),
    **_each("Omegac Omegacz Omegaczero Oc Ocz", "Omega_c0"),
    **_each("Xicp Xicplus", "Xi_c+"), **_each("Xicz Xiczero", "Xi_c0"),
    **_each("Xic", "Xi_c+", "Xi_c0"),
    **_each("Xiccpp", "Xi_cc++"), **_each("Xiccp", "Xi_cc+"), **_each("Xicc", "Xi_cc++", "Xi_cc+"),
    **_each("Sigmap", "Sigma+"), **_each("B", "B"), **_each("b", "b"),
}  # fmt: skip
"""Read with or without "To" after them, lone letters with it only; of several, the one that can decay."""
PARENTS_BEFORE_TO: dict[str, tuple[str, ...]] = {
    **_each("jpsi Jpsi JPsi", "J/psi(1S)"), **_each("Psi psits psitwos psiTwoS PsitwoS PsiTwoS", "psi(2S)"),
    **_each("phi Phi phiz", "phi(1020)"), **_each("Kstz Kstarz", "K*(892)0"),
    **_each("Kst Kstar", "K*(892)0", "K*(892)+"), **_each("KS Ks KSz", "K0S"),
    **_each("L Lz Lambda", "Lambda"), **_each("tau Tau", "tau-"), **_each("Z z", "Z0"),
    **_each("W w", "W"), **_each("Wp", "W+"), **_each("Xi Xim Ximinus", "Xi-"),
    **_each("Omega Omegam Om Omm Omegaminus", "Omega-"),
    **_each("rho rhoz", "rho(770)0"),
    **_each("ups Ups upsilon Upsilon OneS UpsOneS UpsilonOneS YOneS", "Upsilon(1S)"),
    **_each("TwoS UpsTwoS UpsilonTwoS YTwoS", "Upsilon(2S)"),
    **_each("ThreeS UpsThreeS UpsilonThreeS YThreeS", "Upsilon(3S)"),
    **_each("D", "D0", "D+"), **_each("Sigma", "Sigma+"),
}  # fmt: skip
"""Read only before "To": without it such a name is that of a particle."""
ANTIPARENTS = {
    **dict.fromkeys(("Bdb", "Bzb", "Bdbar", "Bzbar"), "B0"), **dict.fromkeys(("Bsb", "Bsbar"), "B_s0"),
    "Bub": "B+", **dict.fromkeys(("Dzb", "Dzbar"), "D0"), **dict.fromkeys(("Lbbar", "Lbb"), "Lambda_b0"),
    "Lcbar": "Lambda_c+", **dict.fromkeys(("Kstarzb", "Kstzb", "Kstb"), "K*(892)0"),
}  # fmt: skip
"""Antiparticles, each read as its particle and turned."""
ANTIPARENTS_BEFORE_TO = {"Bm": "B+", "Dm": "D+", "Dsm": "D_s+", "Bcm": "B_c+", "Wm": "W+"}

PRODUCTS: dict[str, tuple[str, ...]] = {
    **_each("jpsi Jpsi JPs JPsi JPSI Jps jps psi", "J/psi(1S)"),
    **_each("Psi psits psitwos psiTwoS PsitwoS PsiTwoS Psitwos psitwoS PsiTwos psiTwos psitwo", "psi(2S)"),
    **_each("etac", "eta_c(1S)"), **_each("chicone", "chi_c1(1P)"), **_each("chictwo", "chi_c2(1P)"),
    **_each("phi Phi phiz", "phi(1020)"), **_each("fz fzero fnot", "f_0(980)"),
    **_each("mumu MuMu Mumu mm MM mupmum mupmun", "mu+", "mu-"), **_each("ee EE epem epen", "e+", "e-"),
    **_each("ll LL ellell", "lepton+", "lepton-"), **_each("tautau TauTau", "tau+", "tau-"),
    **_each("munu MuNu Munu mun", "mu", "nu_mu"), **_each("taunu TauNu Taunu", "tau", "nu_tau"),
    **_each("enu ENu", "e", "nu_e"), **_each("lnu ellnu LNu", "lepton", "nu_lepton"),
    **_each("gamma Gamma gam Gam g G", "gamma"),
    **_each("Kstz Kstarz KStarz Kstzero", "K*(892)0"), **_each("Kstb Kstzb Kstarzb Kstarb", "Kbar*(892)0"),
    **_each("Kst Kstar KStar", "K*(892)"), **_each("KS Ks KsZ KSz KSzero Kshort", "K0S"),
    **_each("Lz Lambda Lambdaz Lm L", "Lambda"),
    **_each("Lst Lstar LStar Lzst Lzstar Lres LstarX", "Lambda(1520)"),
    **_each("LambdaStar Lambdastar Lambdast Lambdares", "Lambda(1520)"),
    **_each("pi Pi", "pi"), **_each("K k", "K"), **_each("p P", "p"), **_each("mu Mu", "mu"),
    **_each("e E", "e"), **_each("eta Eta", "eta"), **_each("etap etapr", "eta'(958)"),
    **_each("nu", "nu"), **_each("s", "s"), **_each("d", "d"), **_each("pbar", "pbar"),
    **_each("ppbar PPbar", "p", "pbar"), **_each("pp PP", "p", "p"),
    **_each("rho Rho", "rho(770)"), **_each("rhoz", "rho(770)0"), **_each("omega", "omega(782)"),
    **_each("Kp", "K+"), **_each("Km", "K-"), **_each("pip Pip", "pi+"), **_each("pim Pim", "pi-"),
    **_each("piz Piz", "pi0"), **_each("mup", "mu+"), **_each("mum", "mu-"), **_each("taup", "tau+"),
    **_each("taum", "tau-"), **_each("tau Tau", "tau"),
    **_each("Ds", "D_s"), **_each("Dsp", "D_s+"), **_each("Dsm", "D_s-"), **_each("Dst Dstar", "D*"),
    **_each("Dstp Dstarp", "D*(2010)+"), **_each("Dstm Dstarm", "D*(2010)-"),
    **_each("Dz", "D0"), **_each("Dzb", "Dbar0"), **_each("D", "D"), **_each("Dp", "D+"), **_each("Dm", "D-"),
    **_each("DzDzb DzDzbar", "D0", "Dbar0"), **_each("DpDm", "D+", "D-"),
    **_each("Lc Lcp", "Lambda_c+"), **_each("Lb Lbz", "Lambda_b0"), **_each("Bs", "B_s0"),
    **_each("mumumu MuMuMu mmm", "mu", "mu", "mu"),
    **_each("KstKst KstarKstar KstzKstz", "K*(892)0", "Kbar*(892)0"),
    **_each("Xim Xi", "Xi-"), **_each("Om Omm Omega Omegam", "Omega-"), **_each("Xicp", "Xi_c+"),
    **_each("Xicz", "Xi_c0"), **_each("Xic", "Xi_c"), **_each("Omegac Omegacz", "Omega_c0"),
}  # fmt: skip
QUARKS = {
    **_each("s S", "s"), **_each("d D", "d"), **_each("c", "c"), **_each("u", "u"),
    **_each("ccs", "c", "cbar", "s"), **_each("ccd", "c", "cbar", "d"), **_each("qq", "q", "qbar"),
}  # fmt: skip
"""What a b quark goes to, as macros of quark transitions spell it."""
_LEPTONS = (frozenset({"mu+", "mu-"}), frozenset({"e+", "e-"}), frozenset({"lepton+", "lepton-"}))
OWN_DECAYS = {"J/psi(1S)": _LEPTONS, "psi(2S)": _LEPTONS, "gamma": (frozenset({"e+", "e-"}),)}
"""Pairs that, last in a name, are the decay of a product before them: ``\\BuToKJPsmm``, ``\\BdToKstGee``."""
CHARGED = {
    "K": ("K+", "K-"), "pi": ("pi+", "pi-"), "p": ("p", "pbar"), "D_s": ("D_s+", "D_s-"), "D": ("D+", "D-"),
    "D*": ("D*(2010)+", "D*(2010)-", "D*(2007)0", "Dbar*(2007)0"), "mu": ("mu+", "mu-"),
    "tau": ("tau+", "tau-"), "e": ("e+", "e-"), "lepton": ("lepton+", "lepton-"),
    "K*(892)": ("K*(892)0", "Kbar*(892)0", "K*(892)+", "K*(892)-"),
    "Lambda_c+": ("Lambda_c+", "Lambdabar_c-"),
    "rho(770)": ("rho(770)0", "rho(770)+", "rho(770)-"), "Xi_c": ("Xi_c+", "Xi_c0"),
    "D0": ("D0", "Dbar0"), "K*(892)0": ("K*(892)0", "Kbar*(892)0"), "Lambda": ("Lambda", "Lambdabar"),
    **{f"nu_{x}": (f"nu_{x}", f"nubar_{x}") for x in ("e", "mu", "tau", "lepton")},
}  # fmt: skip
STRANGE = {
    "K+": 1, "K*(892)0": 1, "K*(892)+": 1, "Lambda": -1, "D_s+": 1, "B_s0": -1, "Xi_b-": -1, "Xi_b0": -1,
    "Omega_b-": -2, "Lambda(1520)": -1, "Xi-": -2, "Omega-": -3, "Sigma+": -1,
    "Xi_c+": -1, "Xi_c0": -1, "Omega_c0": -2,
}  # fmt: skip
CHARM = {
    **dict.fromkeys(("D0", "D+", "D_s+", "D*(2010)+", "D*(2007)0", "Lambda_c+", "Xi_c+", "Xi_c0"), 1),
    **dict.fromkeys(("Omega_c0", "B_c+"), 1), **dict.fromkeys(("Xi_cc++", "Xi_cc+"), 2),
}  # fmt: skip
BEAUTY = {
    **dict.fromkeys(("B0", "B+", "B_s0", "B_c+"), -1),
    **dict.fromkeys(("Lambda_b0", "Xi_b-", "Xi_b0", "Omega_b-"), 1),
}
"""Strangeness, charm, and the number of b quarks less that of their antiquarks."""
STRONG = frozenset({"D*(2010)+", "D*(2007)0"})
"""Of the parents with charm, those that keep it."""
CONJUGATE = {
    "K-": "K+", "Kbar*(892)0": "K*(892)0", "K*(892)-": "K*(892)+", "Lambdabar": "Lambda", "D_s-": "D_s+",
    "Dbar0": "D0", "D-": "D+", "D*(2010)-": "D*(2010)+", "Dbar*(2007)0": "D*(2007)0",
    "Lambdabar_c-": "Lambda_c+",
}  # fmt: skip
