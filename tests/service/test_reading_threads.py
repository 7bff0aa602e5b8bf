"""Work beside the event loop always comes to an end for whoever waits for it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from ledger.service.running import Service, Settings
from tests.patience import PATIENCE_S
from tests.web.serving import Access, ledger_of


def test_work_that_runs_out_of_what_it_reads_is_a_fault_and_not_waited_for(tmp_path: Path) -> None:
    async def tried(service: Service) -> None:
        await service.start()
        try:
            with pytest.raises(RuntimeError):
                await asyncio.wait_for(service.beside(lambda: next(iter(()))), PATIENCE_S)
            with pytest.raises(RuntimeError):
                await asyncio.wait_for(service.beside(lambda: next(service.store().read())), PATIENCE_S)
        finally:
            await service.stop()

    asyncio.run(tried(Service(ledger_of(tmp_path), Settings(), Access())))  # type: ignore[arg-type]
