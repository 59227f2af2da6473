"""What lab 02 is given, and lab 01 asks for."""
