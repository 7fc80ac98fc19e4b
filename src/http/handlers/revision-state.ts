import { Memo } from '../../disk/memo.js';
import { linkRules, type CallModel, type Ontology } from '../../ontology/model.js';
import { PathTemplate } from '../../ontology/path-template.js';
import { recordPart } from '../../records/record-partition.js';
import type { PrimaryStore } from '../../store/primary-store.js';
import type { Addressed } from './reads.js';

/** What states are read from. */
export interface States {
  readonly ontology: Ontology;
  readonly primary: PrimaryStore;
  /** The epoch of the data directory. */
  readonly epoch: () => string;
}

/** Reads the state of everything that the answer to a request is made of. */
export type RevisionState = (asked: Addressed) => string;

/** How many states are held at a time between two commits. */
const AT_HAND = 10_000;

/**
 * Makes what reads states: the epoch of the data directory and the revisions of the paths that a call reads, in one
 * snapshot. A state changes with every write that can change the answer, made by whichever process.
 */
export function revisionStates({ primary, ontology, epoch }: States): RevisionState {
  const states = new Memo<{ readonly state: string }>(primary.directory, AT_HAND);
  const read = ({ call, path }: Addressed): string => {
    const templates = templatesOf(ontology, call);
    return primary.directory.read(() => {
      let state = epoch();
      for (const template of templates) {
        const scope = template.prefix(path);
        state += ` ${scope} ${primary.revision(scope)}`;
      }
      return state;
    });
  };
  return (asked) => states.get(`${asked.call.iri} ${asked.resource}`, () => ({ state: read(asked) })).state;
}

/** The paths below the base at and below which everything lies that a call about a record reads of it. */
export function readPaths(ontology: Ontology, call: CallModel, path: Addressed['path']): string[] {
  const record = recordPart(path['record_id'] ?? '');
  const paths = templatesOf(ontology, call).map((template) => template.prefix(path));
  return paths.filter((each) => each === record || each.startsWith(`${record}/`));
}

const known = new WeakMap<CallModel, readonly PathTemplate[]>();

/**
 * The paths whose revisions tell whether an answer has changed: where the target class and the classes it
 * links to lie, as far as the request fixes them. A wider path is never wrong, only less sharp.
 */
function templatesOf(ontology: Ontology, call: CallModel): readonly PathTemplate[] {
  let templates = known.get(call);
  if (!templates) {
    const target = ontology.classes.get(call.target);
    const linked = target ? linkRules(ontology, target).flatMap(({ classes }) => classes) : [];
    const paths = [
      '/ontology',
      target?.basePath ?? call.path,
      ...linked.map((iri) => ontology.classes.get(iri)?.basePath ?? ''),
    ];
    templates = [...new Set(paths)].map((path) => PathTemplate.of(path));
    known.set(call, templates);
  }
  return templates;
}
