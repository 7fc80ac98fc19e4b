// Loaded before the program: an older Node.js.
Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.10.0' } });
