"""How often clients may ask: token buckets in the store, which hold whatever worker is asked."""
