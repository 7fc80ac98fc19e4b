import { describe, expect, it } from 'vitest';
import { consentPage } from '../../src/http/html/consent-page.js';
import { holderFacts } from '../../src/http/html/holder.js';
import { html } from '../../src/http/html/html.js';
import { document, type PageContext } from '../../src/http/html/layout.js';
import { recordsPage } from '../../src/http/html/records-page.js';

const EVIL = `</title><script>alert("x")</script><b onclick='y'>&amp;`;
const around: PageContext = {
  container: EVIL,
  basePath: '',
  csrf: 'c',
  reader: { id: 'u', name: EVIL, role: 'person', hasWorkbench: false },
};
const holder = { record: '1', name: EVIL, birthday: EVIL, gender: EVIL };

describe('markup', () => {
  it('escapes what is put into it, in content and in attributes', () => {
    expect(html`<a title="${'"><i>'}">${"it's <b>"} ${1}</a>`.text).toBe(
      '<a title="&quot;&gt;&lt;i&gt;">it&#39;s &lt;b&gt; 1</a>',
    );
  });

  it('keeps markup, joins lists and leaves nothing for what is absent', () => {
    const items = ['a', '<'].map((item) => html`<b>${item}</b>`);
    expect(html`<i>${items}${undefined}${false}</i>`.text).toBe('<i><b>a</b><b>&lt;</b></i>');
  });

  it('lets no text of an app, a record or a user become markup', () => {
    const question = {
      action: EVIL,
      kept: { oauth_token: EVIL },
      app: { name: EVIL, description: EVIL, author: EVIL },
      holder,
      reads: [EVIL],
      writes: [EVIL],
      wording: EVIL,
      hasChanged: true,
      until: EVIL,
      readsAll: true,
      returnsTo: EVIL,
    };
    const search = {
      terms: { family_name: EVIL, given_name: EVIL, date_of_birth: EVIL, medical_record_number: EVIL },
      total: 99,
      offset: 0,
      limit: 1,
    };
    const choice = { app: EVIL, holders: [holder], action: '/x', kept: { oauth_token: EVIL }, search };
    for (const page of [consentPage(around, question), recordsPage(choice)]) {
      const text = document(around, page);
      expect(text).not.toMatch(/<script|<b on|onclick='/);
      expect(text).toContain('&lt;script&gt;');
    }
  });
});

it.each([
  [undefined, '31 years', 'born 3 Feb 1950 (31 years) · female · record 1'],
  ['2020', 'about 70 years', 'born 3 Feb 1950 · died 2020 at about 70 years · female · record 1'],
  ['', '', 'born 3 Feb 1950 · died · female · record 1'],
])('who died %s is told from the living', (died, age, facts) => {
  expect(holderFacts({ record: '1', name: 'A', birthday: '1950-02-03', died, gender: 'female' }, age)).toBe(
    facts,
  );
});
