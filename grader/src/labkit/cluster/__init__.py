"""Judge on many machines: batches of submissions on the workers of a Dask cluster, which share nothing with this machine."""
