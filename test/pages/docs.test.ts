import { describe, expect, it } from 'vitest';
import { html } from '../../src/http/html/html.js';
import { highlight } from '../../src/authoring/docs-pages/page-elements.js';
import { fileLinks, servedLinks } from '../../src/authoring/docs-pages/docs-source.js';
import { unescaped } from '../http/site.js';

const shown = (text: string, language: string): string => html`${highlight(text, language)}`.text;

describe('highlighting', () => {
  const texts = [
    ['application/rdf+xml', '<?xml version="1.0"?>\n<sp:Note a="x > y">one & two</sp:Note>\n<sp:Empty/>'],
    ['text/turtle', '@prefix sp: <http://x/>.\n_:b sp:value "a \\"quoted\\" <thing>", 5 .'],
    ['application/ld+json', '{ "@id": "x", "list": [1, "\\"<script>"] }'],
    ['shell', "curl -H 'a \"b\"' # why\n'it'"],
    ['text/unknown', '<b>bold</b>'],
    ['application/json', '"never ends'],
  ] as const;

  it.each(texts)('changes nothing of %s but its looks', (language, text) => {
    expect(unescaped(shown(text, language).replace(/<[^>]*>/g, ''))).toBe(text);
  });

  it.each(texts)('lets no markup of %s through', (language, text) => {
    const tags = shown(text, language).match(/<[^>]*>/g) ?? [];
    expect(tags.every((tag) => /^<(?:span class="[tsc]"|\/span)>$/.test(tag))).toBe(true);
  });

  it('tells names from strings', () => {
    expect(shown('{"a": "b"}', 'application/json')).toBe(
      '{<span class="t">&quot;a&quot;</span>: <span class="s">&quot;b&quot;</span>}',
    );
  });
});

describe('links of the documentation', () => {
  it('stand below the path of the base URL where a container serves it', () => {
    const links = servedLinks('/clinic');
    expect(links.to({ page: '' })).toBe('/clinic/docs');
    expect(links.to({ page: 'calls/get_x', anchor: 'answer' })).toBe('/clinic/docs/calls/get_x#answer');
    expect(links.served('/openapi.json')).toBe('/clinic/openapi.json');
  });

  it('are relative where it is files', () => {
    const links = fileLinks('calls/get_x', 'https://example.org');
    expect(links.to({ page: '' })).toBe('../index.html');
    expect(links.to({ page: 'calls/get_y', anchor: 'answer' })).toBe('../calls/get_y.html#answer');
    expect(links.served('/openapi.json')).toBe('../openapi.json');
    expect(links.served('/ontology')).toBe('https://example.org/ontology');
    expect(fileLinks('', 'https://example.org').to({ page: 'classes' })).toBe('classes.html');
  });
});
