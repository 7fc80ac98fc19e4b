// Loaded before the program: it takes its stdin and stderr for a terminal, on a machine that has none as well.
for (const stream of [process.stdin, process.stderr]) stream.isTTY = true;
