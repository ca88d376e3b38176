"""What the service tells those who run it: figures for Prometheus, and logs."""
