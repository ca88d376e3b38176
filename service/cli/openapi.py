"""`cantiere openapi`: the contract of the REST API."""

import rich_click as click

from schema.openapi import printed
from service.cli.command import Command


@click.command(
    "openapi",
    cls=Command,
    examples=("cantiere openapi > openapi.json", "cantiere openapi | jq '.paths | keys'"),
)
def command() -> None:
    """Print the OpenAPI 3.1 document of the REST API, as JSON."""
    click.echo(printed(), nl=False)
