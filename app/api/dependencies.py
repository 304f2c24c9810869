"""What routes ask FastAPI for."""

from typing import Annotated, cast

from fastapi import Depends, Request

from app.domain.workflows.owners import Changer, changer_of
from app.service.components import Components
from app.usecases.index.search_index import SearchIndex


# `async`, though they await nothing: FastAPI would give a `def` to a thread.
async def _components(request: Request) -> Components:
    return cast("Components", request.state.components)


async def _index(request: Request) -> SearchIndex:
    return cast("Components", request.state.components).keeper.index


async def _changer(request: Request) -> Changer:
    return changer_of(getattr(request.state, "caller", None))


ComponentsDep = Annotated[Components, Depends(_components)]
ChangerDep = Annotated[Changer, Depends(_changer)]
"""Who changes workflows."""
IndexDep = Annotated[SearchIndex, Depends(_index)]
