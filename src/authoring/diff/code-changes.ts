import type { CodeModel, Ontology } from '../../model/ontology/model.js';
import { shortName } from '../../model/ontology/term-names.js';
import { compareKeys, termsChange, valueChange, type Change } from './change.js';

export type Renaming = readonly [old: string, now: string];

/** Compares codes: added, removed, changed, renamed. `term-changes.ts` compares members of closed sets. */
export function codeChanges(old: Ontology, now: Ontology): Change[] {
  const { added, removed, both } = compareKeys(old.codes, now.codes);
  const renamed = renamings(old, now);
  const isRenamed = (iri: string): boolean => renamed.some((pair) => pair.includes(iri));
  return [
    ...renamed.map(([subject, to]): Change => ({
      kind: 'code-renamed',
      subject,
      from: shortName(subject),
      to: shortName(to),
    })),
    ...added
      .filter(([iri]) => !isRenamed(iri) && !isMember(now, iri))
      .map(([subject]): Change => ({ kind: 'code-added', subject })),
    ...removed
      .filter(([iri]) => !isRenamed(iri) && !isMember(old, iri))
      .map(([subject]): Change => ({ kind: 'code-removed', subject })),
    ...both.flatMap(([, before, after]) => changed(before, after)),
  ];
}

/** Pairs each removed code with an added one that has the same title and a common class. */
export function renamings(old: Ontology, now: Ontology): Renaming[] {
  const { added, removed } = compareKeys(old.codes, now.codes);
  const free = new Set(added.map(([, code]) => code));
  return removed.flatMap(([iri, code]): Renaming[] => {
    const heir = [...free].find((candidate) => isHeir(candidate, code));
    if (!heir) return [];
    free.delete(heir);
    return [[iri, heir.iri]];
  });
}

function isHeir(candidate: CodeModel, code: CodeModel): boolean {
  return (
    code.title !== '' &&
    candidate.title.toLowerCase() === code.title.toLowerCase() &&
    candidate.classes.some((type) => code.classes.includes(type))
  );
}

function isMember({ classes, codes }: Ontology, iri: string): boolean {
  return (codes.get(iri)?.classes ?? []).some((type) => classes.get(type)?.members?.includes(iri));
}

function changed({ iri: subject, ...before }: CodeModel, after: CodeModel): Change[] {
  const identityOf = ({ system, identifier }: Pick<CodeModel, 'system' | 'identifier'>): string =>
    `${system} ${identifier}`.trim();
  // Validation ignores the case of titles.
  const onlyCase = before.title.toLowerCase() === after.title.toLowerCase();
  return [
    ...valueChange({ kind: 'code-identity-changed', subject }, identityOf(before), identityOf(after)),
    ...(onlyCase && before.title !== after.title
      ? [{ kind: 'reworded', subject, part: 'dcterms:title' } as const]
      : valueChange({ kind: 'code-retitled', subject }, before.title, after.title)),
    ...termsChange(subject, ['code-class-added', 'code-class-removed'], before.classes, after.classes),
    ...termsChange(subject, ['code-broader-added', 'code-broader-removed'], before.broader, after.broader),
  ];
}
