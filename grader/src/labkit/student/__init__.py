"""What runs beside a student: an answer in a notebook, compared with stored values, and a verdict in words."""
