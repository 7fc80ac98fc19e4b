#!/usr/bin/env node
// Imports nothing before the check: an older Node.js fails while it loads the modules.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major > 20 || (major === 20 && minor >= 11)) {
  const { main } = await import('./program.js');
  process.exitCode = await main(process.argv.slice(2));
} else {
  process.stderr.write(
    `chartgraph: Chartgraph needs Node.js 20.11 or later, and this is ${process.versions.node}: install a newer one.\n`,
  );
  process.exitCode = 1;
}
