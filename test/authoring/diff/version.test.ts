import { describe, expect, test } from 'vitest';
import type { Change } from '../../../src/authoring/diff/change.js';
import { changelogSection } from '../../../src/authoring/diff/changelog.js';
import { judgeVersion } from '../../../src/authoring/diff/version.js';
import { prefixes } from '../../../src/rdf/vocabulary.js';

const change = (kind: Change['kind'], name: string, rest: Partial<Change> = {}): Change => ({
  kind,
  subject: prefixes.sp + name,
  ...rest,
});
const breaking = change('class-removed', 'Shoe');
const additive = change('class-added', 'Boot');
const editorial = change('reworded', 'Sole', { part: 'rdfs:label' });

describe('which version changes ask for', () => {
  // prettier-ignore
  test.each<readonly [string, readonly Change[], old: string, declared: string, required: string, enough: boolean]>([
    ['nothing changed',                 [],                             '0.4', '0.4', '0.4', true],
    ['nothing changed, the number did', [],                             '0.4', '0.5', '0.4', true],
    ['nothing changed, the number fell', [],                            '0.4', '0.3', '0.4', false],
    ['words changed',                   [editorial],                    '0.4', '0.4', '0.4', true],
    ['words changed after 1.0',         [editorial],                    '1.4', '1.4', '1.4', true],
    ['additive before 1.0',             [editorial, additive],          '0.4', '0.5', '0.5', true],
    ['additive before 1.0, forgotten',  [editorial, additive],          '0.4', '0.4', '0.5', false],
    ['breaking before 1.0',             [additive, breaking],           '0.4', '0.5', '0.5', true],
    ['breaking before 1.0, forgotten',  [additive, breaking],           '0.4', '0.4', '0.5', false],
    ['the step to 1.0',                 [additive, breaking],           '0.9', '1.0', '0.10', true],
    ['ten comes after nine',            [breaking],                     '0.9', '0.10', '0.10', true],
    ['additive after 1.0',              [additive],                     '1.4', '1.5', '1.5', true],
    ['breaking after 1.0, as additive', [additive, breaking],           '1.4', '1.5', '2.0', false],
    ['breaking after 1.0',              [additive, breaking],           '1.4', '2.0', '2.0', true],
    ['more than was asked for',         [additive],                     '1.4', '3.1', '1.5', true],
    ['an old one without a version',    [additive],                     '',    '0.1', '0.1', true],
    ['an old one with three numbers',   [breaking],                     '1.2.3', '0.1', '0.1', true],
    ['no version declared',             [],                             '0.4', '',    '0.4', false],
    ['a version that is none',          [additive],                     '0.4', 'next', '0.5', false],
    ['a version with three numbers',    [additive],                     '0.4', '0.5.0', '0.5', false],
  ])('%s', (_, changes, old, declared, required, enough) => {
    expect(judgeVersion(changes, old, declared)).toMatchObject({ old, declared, required, enough });
  });

  test('a version that is too small or missing is answered with the reason', () => {
    expect(judgeVersion([breaking], '1.4', '1.5').reason).toBe(
      'Breaking changes ask for at least 2.0; 1.5 is declared, which is too small.',
    );
    expect(judgeVersion([], '0.4', '').reason).toBe(
      'No owl:versionInfo is declared; write two numbers, such as 0.4.',
    );
  });
});

describe('the section for a changelog', () => {
  test('stands under the headings of Keep a Changelog, breaking changes with their reason', () => {
    const changes = [
      breaking,
      change('maximum-raised', 'Shoe', { part: 'sp:length', from: '1', to: '2' }),
      additive,
      change('deprecated', 'Clog'),
      editorial,
    ];
    expect(changelogSection(changes, '0.2', '2026-01-31')).toBe(`## [0.2] - 2026-01-31

### Added

- \`sp:Boot\`: new class.

### Changed

- **Breaking:** \`sp:Shoe\`: maximum raised \`sp:length\`, \`1\` is now \`2\`. A reader who keeps room for so many values meets more.
- The wording of 1 term.

### Deprecated

- \`sp:Clog\`: deprecated.

### Removed

- **Breaking:** \`sp:Shoe\`: class removed. Data of the class is refused, and readers wait for it in vain.
`);
  });

  test('is empty where nothing changed', () => {
    expect(changelogSection([], '0.2', '2026-01-31')).toBe('');
  });

  test('keeps what stands in the ontology inside its code span', () => {
    const text = changelogSection(
      [change('code-retitled', 'x', { from: 'a`b', to: 'c\n## [9.9]' })],
      '0.2',
      '2026-01-31',
    );
    expect(text).toContain('`` a`b `` is now `c ## [9.9]`');
    expect(text).not.toMatch(/^## \[9/mu);
  });
});
