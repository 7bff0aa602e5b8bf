"""The examination by `doctor`, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.i18n import in_words
from ledger.reports.doctor import Diagnosis, DoctorAnswer, DoctorCheck
from ledger.text.catalogue import Wording, counted, label
from ledger.text.layout import padded, width_of

_BETWEEN: Final = 2


def doctor_answer(diagnosis: Diagnosis, lang: str) -> DoctorAnswer:
    """Return an examination for programs."""
    return DoctorAnswer(
        healthy=diagnosis.is_healthy,
        versions=diagnosis.versions,
        checks=[
            DoctorCheck(
                check=one.name,
                status=one.status,
                what=in_words(one.what, lang),
                next=None if one.next_step is None else in_words(one.next_step, lang),
            )
            for one in diagnosis.checks
        ],
    )


def doctor_text(diagnosis: Diagnosis, lang: str) -> Iterator[str]:
    """Yield the versions, a line for each check, one for each next step, and whether the evening can begin."""
    wording, versions = Wording(lang), diagnosis.versions
    build = label(lang, "doctor.compiled" if versions.compiled else "doctor.not_compiled")
    yield label(lang, "doctor.program", program=versions.program, contract=versions.contract, build=build)
    duckdb = versions.duckdb or label(lang, "doctor.not_installed")
    yield label(lang, "doctor.libraries", python=versions.python, duckdb=duckdb, sqlite=versions.sqlite)
    yield ""
    heads = [
        (wording.known("doctor_status", one.status), wording.known("doctor_check", one.name))
        for one in diagnosis.checks
    ]
    widths = [width_of(column) + _BETWEEN for column in zip(*heads, strict=True)]
    for (status, name), one in zip(heads, diagnosis.checks, strict=True):
        yield padded(status, widths[0]) + padded(name, widths[1]) + in_words(one.what, lang)
        if one.next_step is not None:
            step = in_words(one.next_step, lang)
            yield " " * sum(widths) + label(lang, "doctor.next", step=step)
    yield ""
    faults, notes = (sum(one.status == status for one in diagnosis.checks) for status in ("fault", "note"))
    if faults:
        yield label(lang, "doctor.ill", faults=counted(lang, faults, "fault"))
    else:
        yield label(lang, "doctor.healthy", notes=counted(lang, notes, "note"))
