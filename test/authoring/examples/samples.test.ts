import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  curlExample,
  exampleSecrets,
  signedExample,
} from '../../../src/authoring/examples/signed-example.js';
import { targetOf, type ExampleRequest } from '../../../src/authoring/examples/example.js';
import { sampleOf } from '../../../src/authoring/examples/sample.js';
import type { CallModel } from '../../../src/model/ontology/model.js';
import { percentDecode } from '../../../src/access/oauth/percent.js';

describe('a sample', () => {
  it('a sample shows a short text whole', () => {
    expect(sampleOf('text/turtle', 'a\nb\n')).toEqual({
      mediaType: 'text/turtle',
      text: 'a\nb',
      linesOmitted: 0,
      charactersOmitted: 0,
    });
  });

  it('counts the lines that it leaves out', () => {
    const { text, linesOmitted } = sampleOf(
      'text/turtle',
      Array.from({ length: 1000 }, (_, line) => line).join('\n'),
    );
    expect(text.split('\n').length + linesOmitted).toBe(1000);
    expect(linesOmitted).toBeGreaterThan(0);
  });

  it('cuts a line that holds a file, and says in the line how much is missing', () => {
    const { text, charactersOmitted } = sampleOf('text/turtle', `start\n${'A'.repeat(10_000)}\nend`);
    expect(text).toMatch(/^start\nA{480}… 9520 characters more\nend$/);
    expect(charactersOmitted).toBe(9520);
  });
});

const call = (method: string, path: string) => ({ method, path }) as CallModel;

describe('an example request', () => {
  it('percent-encodes what its path and query hold', () => {
    const target = targetOf(call('GET', '/apps/{app}/x/{id}'), {
      path: { app: 'a+b@c', id: 'ä/?' },
      query: [['name', "o'neil &"]],
    });
    expect(target).toBe("/apps/a+b@c/x/%C3%A4%2F%3F?name=o'neil%20%26");
  });

  it('quotes for the shell whatever could mean something to it', () => {
    const request: ExampleRequest = {
      call: call('PUT', '/x'),
      path: {},
      query: [],
      target: "/x?name=o'neil&$(id)",
      body: { mediaType: 'text/plain', text: '$HOME `id`' },
      app: 'app; id',
      user: 'clinician',
      record: '1',
    };
    const { token, call: lines } = curlExample(request, 'http://localhost', false);
    expect(token).toBe("npx chartgraph token issue --app 'app; id' --user clinician --record 1 > token.json");
    expect(lines.split('\n')[0]).toBe("URL='http://localhost/x?name=o'\\''neil&$(id)'");
    expect(lines).toContain("--data-binary '$HOME `id`'");
  });

  it('needs no token where unsigned calls are answered', () => {
    const request = { call: call('GET', '/ontology'), target: '/ontology', app: 'a', user: 'u', record: '1' };
    expect(curlExample({ ...request, path: {}, query: [] }, 'http://localhost', true)).toEqual({
      token: undefined,
      call: 'URL=\'http://localhost/ontology\'\ncurl "$URL"',
    });
  });
});

describe('the signature that is shown', () => {
  it('is the one of the base string that is shown, with the secrets that are shown', () => {
    const url = 'http://localhost:7000/records/1/problems/?limit=2';
    const { authorization, baseString } = signedExample('GET', url, 'app@example.org');
    const shown = /oauth_signature="([^"]+)"/.exec(authorization)?.[1] ?? '';
    const { consumerSecret, tokenSecret } = exampleSecrets;
    const expected = createHmac('sha1', `${consumerSecret}&${tokenSecret}`)
      .update(baseString)
      .digest('base64');
    expect(percentDecode(shown)).toBe(expected);
    expect(baseString).toContain('limit%3D2');
  });
});
