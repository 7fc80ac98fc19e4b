import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { everything, fhirPlace, resources } from './support.js';

const bundle = JSON.stringify({
  resourceType: 'Bundle',
  entry: everything.map((resource) => ({ resource })),
});

describe('FHIR that is wrong', () => {
  it('ends in a sentence wherever a Bundle is cut', async () => {
    const { load } = await fhirPlace();
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: bundle.length - 1 }), async (end) => {
        const { problems } = await load(bundle.slice(0, end), { dry: true });
        expect(problems.map(({ reason }) => reason).join(' ')).toMatch(/\.$/u);
      }),
      { numRuns: 60 },
    );
  });

  it('never breaks the load, whatever stands in the place of an element', async () => {
    const { load } = await fhirPlace();
    const anything = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom('', '#', 'Patient/', [[]], [null], { reference: 5 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...everything), fc.nat(), anything, async (resource, at, value) => {
        const keys = Object.keys(resource);
        const changed = { ...resource, [keys[at % keys.length] ?? '']: value };
        await load(
          JSON.stringify({
            resourceType: 'Bundle',
            entry: [{ resource: resources.patient }, { resource: changed }],
          }),
        );
      }),
      { numRuns: 60 },
    );
  }, 120_000);

  it.each([
    ['nothing', '', 'nothing in it'],
    ['no JSON', 'resourceType', 'no JSON'],
    ['deep nesting', '['.repeat(100_000), 'nest deeper'],
    ['entries that are no list', '{"resourceType":"Bundle","entry":{}}', 'entries of a Bundle are an array'],
    [
      'a Bundle in a Bundle',
      '{"resourceType":"Bundle","entry":[{"resource":{"resourceType":"Bundle"}}]}',
      'within a Bundle',
    ],
    [
      'an entry that removes nothing',
      '{"resourceType":"Bundle","entry":[{"request":{"method":"DELETE"}}]}',
      'deletes a resource without its type and id',
    ],
    [
      'an entry without a resource',
      '{"resourceType":"Bundle","entry":[{"request":{"method":"PUT"}}]}',
      'holds no resource',
    ],
    ['no type', '{"id":"x"}', 'no resourceType'],
    ['a list', '[1]', 'JSON object'],
  ])('is told of %s', async (_, text, says) => {
    const { load, primary } = await fhirPlace();
    const { problems } = await load(text);
    expect(problems.map(({ reason }) => reason).join(' ')).toContain(says);
    expect(primary.names()).toEqual([]);
  });

  it('reads the lines of NDJSON that are right', async () => {
    const { load, statements } = await fhirPlace();
    const lines = [resources.patient, resources.condition].map((one) => JSON.stringify(one));
    const { problems } = await load([lines[0], '{"resourceType":', lines[1]].join('\n'));
    expect(problems).toEqual([{ line: 2, reason: expect.stringContaining('no JSON') as string }]);
    expect(Object.keys(statements('p1'))).toEqual(['demographics', 'problems/c1']);
  });

  it('takes a Bundle of a hundred thousand entries in time that grows with them alone', async () => {
    const { load } = await fhirPlace();
    const entries = Array.from({ length: 100_000 }, (_, index) => ({
      resource: { resourceType: 'Claim', id: `x${index}` },
    }));
    const { report } = await load(JSON.stringify({ resourceType: 'Bundle', entry: entries }));
    expect(report.resources.Claim).toEqual({
      resources: 100_000,
      mapped: 0,
      example: 'Claim at line 1, entry 0',
      reasons: {
        'no query takes resources of this type': { count: 100_000, example: 'Claim at line 1, entry 0' },
      },
    });
  });
});
