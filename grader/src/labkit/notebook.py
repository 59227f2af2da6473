"""What a lab notebook imports: `from labkit.notebook import check, cheat_sheet, look, predict, quiz, reveal, show, use_style`; a script imports `run_cells` too."""

from labkit.student.notebook import (
    cheat_sheet,
    check,
    look,
    predict,
    quiz,
    reveal,
    run_cells,
    show,
    use_style,
)

__all__ = ["cheat_sheet", "check", "look", "predict", "quiz", "reveal", "run_cells", "show", "use_style"]
