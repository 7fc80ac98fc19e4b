// Loaded before the program: it takes its streams for a terminal, on a machine that has none as well.
for (const stream of [process.stdin, process.stdout, process.stderr]) stream.isTTY = true;
