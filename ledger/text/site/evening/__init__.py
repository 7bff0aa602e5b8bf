"""Pages of evenings: rankings, results to read out, open questions, and changes after the end."""
