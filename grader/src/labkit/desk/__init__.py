"""The instructor's desk: what people add to results. Results go in and out; the raw ones are never altered."""
