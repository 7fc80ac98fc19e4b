import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { partsOf } from '../http/site.js';
import { folder, run, runJson } from './run.js';

describe('chartgraph ontology docs', () => {
  it('writes pages whose links all lead to files that are there, and to anchors in them', async () => {
    const dir = join(folder(), 'site');
    const { code, stdout, stderr } = await run(['ontology', 'docs', dir]);
    expect([code, stderr]).toEqual([0, '']);
    const files = readdirSync(dir, { recursive: true, encoding: 'utf8' });
    const pages = files.filter((name) => name.endsWith('.html'));
    expect(stdout).toContain(`Wrote ${pages.length} pages`);
    const read = new Map(
      pages.map((name) => [resolve(dir, name), partsOf(readFileSync(join(dir, name), 'utf8'))]),
    );
    for (const [file, { links }] of read) {
      for (const link of links) {
        if (link.startsWith('http://localhost:7000/')) continue;
        const [target = '', anchor] = link.split('#');
        const path = target === '' ? file : resolve(dirname(file), target);
        expect([link, files.includes(path.slice(dir.length + 1))]).toEqual([link, true]);
        if (anchor !== undefined) expect([link, read.get(path)?.anchors.has(anchor)]).toEqual([link, true]);
      }
    }
  });

  it('writes no example where it is given no seed', async () => {
    const dir = folder();
    expect((await run(['ontology', 'docs', dir, '--no-seed'])).code).toBe(0);
    expect(readFileSync(join(dir, 'calls/get_medications.html'), 'utf8')).not.toContain('id="example"');
  });

  it('says which ontology cannot be documented', async () => {
    const { code, stderr } = await run(['ontology', 'docs', folder(), '--ontology', '/nowhere']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^chartgraph: .*nowhere.*\n$/);
  });
});

describe('chartgraph ontology openapi', () => {
  it('prints OpenAPI 3.1 under the base URL that it is told', async () => {
    const document = await runJson(['ontology', 'openapi', '--base-url', 'https://records.example.org/x']);
    expect(document).toMatchObject({ openapi: '3.1.0', servers: [{ url: 'https://records.example.org/x' }] });
    expect((await new Validator().validate(document as Record<string, unknown>)).valid).toBe(true);
  });
});
