"""Players with accounts, as tests need them."""

from typing import Any, NamedTuple

import httpx

from tests.service.table import bearer


class Account(NamedTuple):
    """A player and an API token of its own."""

    id: str
    name: str
    token: str

    @property
    def headers(self) -> dict[str, str]:
        return bearer(self.token)


async def registered(api: httpx.AsyncClient, name: str, **more: Any) -> Account:
    """A new player."""
    answer = await api.post("/players", json={"name": name} | more)
    assert answer.status_code == 201, answer.text
    told = answer.json()
    return Account(told["player"]["id"], name, told["token"])


async def token_with(api: httpx.AsyncClient, account: Account, *scopes: str, **more: Any) -> Account:
    """The same player with another token."""
    asked = {"label": "narrow", "scopes": scopes} | more
    answer = await api.post("/me/tokens", json=asked, headers=account.headers)
    assert answer.status_code == 201, answer.text
    return account._replace(token=answer.json()["token"])
