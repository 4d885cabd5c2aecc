"""Speed and memory, each beside a bare limit measured in the same run: machines are noisy, ratios are less so."""
