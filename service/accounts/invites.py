"""The invites of the operator: those in the settings, and those in a file."""

from pathlib import Path

from service.settings import BadSettings, Settings, variable_of


def invites(settings: Settings) -> frozenset[str]:
    """All of them; the file is read now. Raises BadSettings if it cannot be."""
    try:
        text = Path(settings.invites_file).expanduser().read_text("utf-8") if settings.invites_file else ""
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or error
        raise BadSettings(
            f"{variable_of('invites_file')}: {settings.invites_file} cannot be read: {why}."
        ) from None
    return frozenset(f"{settings.invites.replace(',', ' ')} {text}".split())
