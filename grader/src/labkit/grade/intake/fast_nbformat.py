"""Import nbformat without slow imports that it never uses: two grammars of internationalized addresses, and a date library.

nbformat imports jsonschema, which imports optional format checkers if they are installed, as they are with JupyterLab. Building
those grammars takes longer than all other imports of the grader together. Import this module before any import of nbformat.
"""

import sys

__all__ = ["nbformat"]
_UNUSED = [name for name in ("rfc3987_syntax", "rfc3986_validator", "isoduration") if name not in sys.modules]
for _name in _UNUSED:
    sys.modules[_name] = None  # type: ignore[assignment]  # an import of it raises ImportError, which jsonschema expects
try:
    import nbformat
finally:
    for _name in _UNUSED:
        del sys.modules[_name]
