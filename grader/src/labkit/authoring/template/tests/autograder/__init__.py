"""The truth that answers are held to, by lab."""
