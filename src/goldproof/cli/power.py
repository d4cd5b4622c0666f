"""`goldproof power`: the power, sample size or smallest effect of a planned study."""

from typing import TYPE_CHECKING, Annotated, cast

import typer

from goldproof.cli.command import Call, command
from goldproof.cli.help import examples
from goldproof.cli.output import Printing, print_json
from goldproof.errors import InputError

if TYPE_CHECKING:
    from goldproof.stats import Alternative
    from goldproof.study.power_plan import Conditions, PlanAnswer


@examples(
    ("How many questions show a medium effect with 80% power?", "goldproof power --effect 0.3"),
    ("How many 0/1 questions, if one system wins 20% and loses 10%?", "goldproof power --p10 0.2 --p01 0.1"),
)
@command()
def power(
    _call: Call,
    output: Printing,
    n: Annotated[int | None, typer.Option("--n", metavar="N", help="Number of questions.")] = None,
    effect: Annotated[
        float | None,
        typer.Option(
            "--effect", metavar="D", help="Effect worth finding: mean difference / its standard deviation (d_z)."
        ),
    ] = None,
    power: Annotated[float, typer.Option("--power", metavar="P", help="Chance of finding it.")] = 0.8,
    alpha: Annotated[float, typer.Option("--alpha", metavar="P", help="Chance of a false alarm.")] = 0.05,
    alternative: Annotated[
        str, typer.Option("--alternative", metavar="NAME", help="two-sided, greater or less.")
    ] = "two-sided",
    half_width: Annotated[
        float | None, typer.Option("--half-width", metavar="W", help="Plan n for an interval of +-W.")
    ] = None,
    sd: Annotated[
        float | None,
        typer.Option(
            "--sd", metavar="SD", help="Standard deviation, for --half-width (at most 0.5 for scores from 0 to 1)."
        ),
    ] = None,
    confidence: Annotated[float, typer.Option("--confidence", metavar="P", help="Confidence of the interval.")] = 0.95,
    p10: Annotated[
        float | None, typer.Option("--p10", metavar="SHARE", help="Share of questions won (exact McNemar test).")
    ] = None,
    p01: Annotated[float | None, typer.Option("--p01", metavar="SHARE", help="Share of questions lost.")] = None,
    design_effect: Annotated[
        float | None, typer.Option("--design-effect", metavar="X", help="Variance inflation by clusters.")
    ] = None,
    cluster_size: Annotated[
        float | None,
        typer.Option("--cluster-size", metavar="N", help="Questions per cluster; with --icc gives 1 + (N - 1) ICC."),
    ] = None,
    icc: Annotated[float | None, typer.Option("--icc", metavar="ICC", help="Correlation within a cluster.")] = None,
) -> None:
    """Plan a study: how many questions show which difference.

    Computes n from an effect, the smallest effect from n, or the power from both; without either it prints a table.
    """
    from goldproof.report import render
    from goldproof.stats import check_alternative
    from goldproof.study.power_plan import Conditions, overview, overview_table

    check_alternative(alternative)
    conditions = Conditions(
        alpha=alpha,
        power=power,
        alternative=cast("Alternative", alternative),
        design_effect=_design_effect(design_effect, cluster_size, icc),
    )
    answer = _answer(
        conditions, n=n, effect=effect, half_width=half_width, sd=sd, confidence=confidence, p10=p10, p01=p01
    )
    if answer is None:
        if output.json:
            plan = overview(conditions)
            print_json({"n": {f"d={d:g}": {f"power={p:g}": n for p, n in row.items()} for d, row in plan.items()}})
        else:
            typer.echo(render(overview_table(conditions), output.format), nl=False)
    elif output.json:
        options = {"n": n, "effect": effect, "half_width": half_width, "p10": p10, "p01": p01}
        named = {name: value for name, value in options.items() if value is not None}
        rules = {"alpha": alpha, "target_power": power, "design_effect": conditions.design_effect}
        print_json({**named, **rules, answer.name: answer.value, "sentence": answer.sentence})
    else:
        typer.echo(answer.sentence)


def _answer(
    conditions: "Conditions",
    *,
    n: int | None,
    effect: float | None,
    half_width: float | None,
    sd: float | None,
    confidence: float,
    p10: float | None,
    p01: float | None,
) -> "PlanAnswer | None":
    from goldproof.study.power_plan import plan_half_width, plan_mcnemar, plan_means

    _refuse_unused(n=n, effect=effect, half_width=half_width, sd=sd, p10=p10)
    if n is not None and n < 1:
        raise InputError(f"--n {n}: a study has at least one question.")
    if (p10 is None) != (p01 is None):
        raise InputError("--p10 and --p01 go together: the shares of questions won and lost.")
    if half_width is not None:
        return plan_half_width(half_width, sd=sd, confidence=confidence, conditions=conditions)
    if p10 is not None and p01 is not None:
        return plan_mcnemar(p10=p10, p01=p01, n=n, conditions=conditions)
    if n is None and effect is None:
        return None
    return plan_means(n=n, effect=effect, conditions=conditions)


def _refuse_unused(
    *, n: int | None, effect: float | None, half_width: float | None, sd: float | None, p10: float | None
) -> None:
    """Refuse options that would have no effect."""
    if sd is not None and half_width is None:
        raise InputError("--sd is for --half-width; give both.")
    if half_width is not None and not (n is None and effect is None and p10 is None):
        raise InputError("--half-width plans n for an interval; leave out --n, --effect, --p10 and --p01.")
    if p10 is not None and effect is not None:
        raise InputError("--p10 and --p01 say what the effect is; leave out --effect.")


def _design_effect(design_effect: float | None, cluster_size: float | None, icc: float | None) -> float:
    if cluster_size is None and icc is None:
        return 1.0 if design_effect is None else design_effect
    if design_effect is not None:
        raise InputError("give either --design-effect, or --cluster-size with --icc.")
    if cluster_size is None or icc is None:
        raise InputError("--cluster-size and --icc go together.")
    if cluster_size < 1 or not -1 <= icc <= 1:
        raise InputError(
            f"--cluster-size {cluster_size:g} --icc {icc:g}: expected a size of 1 or more and an icc in -1..1."
        )
    return 1 + (cluster_size - 1) * icc
