"""Modules that were imported beforehand, and that a submission still has to import itself.

With `matplotlib.pyplot` loaded, `import matplotlib` alone would make `matplotlib.pyplot` work, and hide that a notebook
fails elsewhere. So what was imported with it is taken out of reach, and put back when one of the modules is imported.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType


class Preloaded:
    """A finder and loader on sys.meta_path for the submodules of a package that importing these of it brings."""

    def __init__(self, *names: str):
        package = names[0].partition(".")[0]
        import_module(package)
        before = set(sys.modules)
        for name in names:
            import_module(name)
        brought = [each for each in sys.modules if each not in before and each.startswith(f"{package}.")]
        self.modules: dict[str, ModuleType] = {each: sys.modules[each] for each in brought}

    def hide(self) -> None:
        for name in self.modules:
            del sys.modules[name]
            parent, _, own = name.rpartition(".")
            vars(self._module(parent)).pop(own, None)
        sys.meta_path.insert(0, self)

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        if name not in self.modules:
            return None
        sys.meta_path.remove(self)
        for each, module in self.modules.items():
            parent, _, own = each.rpartition(".")
            vars(self._module(parent)).setdefault(own, module)
            if each != name:  # that one comes by create_module: found here already, it would be loaded anew
                sys.modules[each] = module
        return ModuleSpec(name, self)

    def _module(self, name: str) -> ModuleType:
        return self.modules.get(name) or sys.modules[name]

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        self._spec = self.modules[spec.name].__spec__
        return self.modules[spec.name]

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self._spec
