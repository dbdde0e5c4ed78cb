"""All-to-all in stages of which none has a hot spot: construction, proof, and the general case."""
