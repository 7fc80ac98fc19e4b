import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { SaxesParser } from 'saxes';

/** An element of FHIR's XML: its value, and what stands inside it by name. */
export interface Node {
  readonly value: string;
  readonly url: string;
  readonly parts: Readonly<Record<string, readonly Node[]>>;
}

/** What the tables are not made of; it is most of the text. */
const passedOver = new Set([
  'text',
  'differential',
  'mapping',
  'contact',
  'description',
  'comment',
  'requirements',
]);

/** The resources of a Bundle in FHIR's XML, each with its type. */
export async function resourcesOf(folder: string, file: string): Promise<{ type: string; node: Node }[]> {
  const resources: { type: string; node: Node }[] = [];
  const parser = new SaxesParser();
  const open: { name: string; node: { value: string; url: string; parts: Record<string, Node[]> } }[] = [];
  let hidden = 0;
  parser.on('opentag', ({ name, attributes }) => {
    if (hidden > 0 || passedOver.has(name)) hidden++;
    else
      open.push({
        name,
        node: { value: attributes['value'] ?? '', url: attributes['url'] ?? '', parts: {} },
      });
  });
  parser.on('closetag', () => {
    if (hidden > 0) return void hidden--;
    const closed = open.pop();
    const holder = open.at(-1);
    if (closed === undefined || holder === undefined) return;
    if (holder.name === 'resource') resources.push({ type: closed.name, node: closed.node });
    else if (closed.name !== 'resource' && closed.name !== 'entry')
      (holder.node.parts[closed.name] ??= []).push(closed.node);
  });
  for await (const text of createReadStream(join(folder, file), 'utf8')) parser.write(String(text));
  parser.close();
  return resources;
}

/** The value at a path of names below a node, the first of each. */
export function valueAt(node: Node | undefined, ...names: string[]): string {
  return names.reduce<Node | undefined>((at, name) => at?.parts[name]?.[0], node)?.value ?? '';
}

export function partsAt(node: Node | undefined, ...names: string[]): readonly Node[] {
  return names.reduce<readonly Node[]>(
    (all, name) => all.flatMap(({ parts }) => parts[name] ?? []),
    node ? [node] : [],
  );
}
