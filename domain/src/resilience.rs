//! What to do after failures: waits, breakers, and what servers ask for.
