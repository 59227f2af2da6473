"""What a lab notebook imports: `from labkit.notebook import check, cheat_sheet, look, predict, quiz, reveal, show, use_style`."""

from labkit.student.notebook import (
    cheat_sheet,
    check,
    look,
    predict,
    quiz,
    reveal,
    show,
    use_style,
)

__all__ = ["cheat_sheet", "check", "look", "predict", "quiz", "reveal", "show", "use_style"]
