"""Questions asked of many runs: regret, replicability, the ledger of decisions."""
