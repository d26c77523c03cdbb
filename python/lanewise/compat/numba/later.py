"""What the face answers for names that lanewise does not offer yet."""


def unavailable(name, topic):
    """NotImplementedError that names what was asked for."""
    raise NotImplementedError(f"{name} is not offered by lanewise yet ({topic})")


def module_getattr(module, topic, known=()):
    """A module's __getattr__ that refuses every public name, or those in `known`."""

    def __getattr__(name):
        if name.startswith("__") or (known and name not in known):
            raise AttributeError(f"module {module!r} (the face of lanewise) has no attribute {name!r}")
        unavailable(f"{module}.{name}", topic)

    return __getattr__
