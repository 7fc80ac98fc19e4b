// Prints the lines of src without generated files, and those of them that are more than comments and blank space.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';

const src = resolve(process.argv[2] ?? join(import.meta.dirname, '..', 'src'));
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.ts') && !name.endsWith('generated.ts'),
);
let [all, code] = [0, 0];
for (const name of files) {
  const file = ts.createSourceFile(name, readFileSync(join(src, name), 'utf8'), ts.ScriptTarget.Latest);
  const lineOf = (at) => file.getLineAndCharacterOfPosition(at).line;
  const lines = new Set();
  const visit = (node) => {
    const children = node.getChildren(file).filter((child) => !ts.isJSDoc(child));
    children.forEach(visit);
    if (children.length > 0 || node.getWidth(file) === 0) return;
    for (let line = lineOf(node.getStart(file)); line <= lineOf(node.end); line++) lines.add(line);
  };
  visit(file);
  all += lineOf(file.end);
  code += lines.size;
}
console.log(`${files.length} files, ${all} lines, ${code} without comments and blank lines`);
