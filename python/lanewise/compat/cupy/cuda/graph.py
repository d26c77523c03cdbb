"""cupy.cuda.graph: graphs of captured work."""


class Graph:
    """Not offered: the class is there for isinstance and annotations."""

    __module__ = "cupy.cuda"

    def __init__(self, *args, **kwargs):
        raise NotImplementedError(
            "cupy.cuda.Graph is not offered by lanewise yet: the work of a stream cannot be captured"
        )
