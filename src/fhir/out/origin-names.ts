import { fits, recordIri, recordPath } from '../../records/resource-paths.js';
import { knownOf, originOf } from '../../records/statement-origins.js';
import type { PrimaryStore } from '../../store/primary-store.js';
import type { Mapping } from '../mapping.js';
import { typeAndId, type ResourceName } from '../resource-names.js';
import { idOfPath } from './export-names.js';

/** What tells which resources statements may have come in as. */
export interface OriginRules extends Pick<Mapping, 'plainTypes'> {
  readonly makers: readonly Pick<Mapping['makers'][number], 'path' | 'sources'>[];
}

/** The id that the patient of a record has as a resource. */
export function patientIdOf(
  { base, directory }: Pick<PrimaryStore, 'base' | 'directory'>,
  record: string,
): string {
  const path = `${recordIri(base, record)}/demographics`.slice(base.length);
  const origin = typeAndId(directory.read((tx) => originOf(tx, path)) ?? '');
  return origin?.type === 'Patient' ? origin.id : idOfPath(record);
}

/** The resource that a statement came in as, where only one record has a resource of that type and id. */
export function originIn(
  { base, directory }: Pick<PrimaryStore, 'base' | 'directory'>,
  { makers, plainTypes }: OriginRules,
  name: string,
): ResourceName | undefined {
  const { recordId = '', rest = '' } = recordPath(name, base) ?? {};
  const own = rest.slice(rest.lastIndexOf('/') + 1);
  return directory.read((tx) => {
    const single = originOf(tx, name.slice(base.length));
    if (single !== undefined) return typeAndId(single);
    const found = makers
      .filter(({ path }) => path.item && fits(path, rest))
      .flatMap(({ path, sources }) =>
        sources.map((type) => {
          const isPlain = plainTypes.get(path.segment) === type;
          const id = isPlain ? own : own.slice(type.length + 1);
          return { type, id, isIts: isPlain || own.startsWith(`${type}_`), path };
        }),
      )
      .find(({ type, id, isIts, path }) => {
        const [known, ...others] = isIts ? knownOf(tx, `${type}/${id}`) : [];
        return others.length === 0 && known?.recordId === recordId && known.made.includes(path.segment);
      });
    return found && { type: found.type, id: found.id };
  });
}
