"""Grade on many machines: the workers of a Dask cluster grade batches of submissions and share no files with this machine."""
