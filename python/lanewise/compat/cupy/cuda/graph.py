"""cupy.cuda.graph: graphs of captured work."""

from lanewise.cuda import Graph

__all__ = ["Graph"]
