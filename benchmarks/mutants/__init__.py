"""Mutation testing: small faults are put into a copy of the sources, and the fast tests must notice them.

- `plan`: what is mutated by which tests (`plan.toml`), and the survivors judged harmless (`harmless.toml`).
- `mutation`: the mutants of a module, by the operators of mutmut and two of our own.
- `selected`: runs chosen tests, each within its limit of CPU time.
- `reach`: which test reaches which lines, and how long it takes.
- `server`: a process that has the libraries loaded and forks a run of pytest for each mutant.
- `trial`: a copy of the tree with its server, and what became of a mutant.

``python -m benchmarks.mutants`` runs it; ``--help`` lists the options.
"""
