import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { AnsweringThread } from '../../http/answering-thread.js';
import { QueryQueue } from '../../http/respond/query-queue.js';
import { SingleFlight } from '../../http/respond/response-cache.js';
import type { CallModel, Ontology } from '../../model/ontology/model.js';
import { Problem } from '../../model/problem.js';
import { recordIri, recordsStart } from '../../records/resource-paths.js';
import type { PrimaryStore } from '../../store/primary-store.js';
import { idOfPath, isDigest, pathOfId } from '../out/export-names.js';
import { originIn } from '../out/origin-names.js';
import type { ResourceName } from '../resource-names.js';
import type { MakingAnswer } from './making-thread.js';
import {
  ResourceMaker,
  type Makable,
  type MadeResource,
  type MakerFolders,
  type MakingTask,
} from './resource-maker.js';
import { statementNames, statementSources } from './statement-sources.js';

export interface MadeParts {
  readonly ontology: Ontology;
  readonly queue: QueryQueue;
  readonly folders: MakerFolders;
  readonly cacheBytes: number;
  readonly log: Logger;
}

/** A record, and what of the store the resources may be made of. */
export interface ReadRecord {
  readonly record: string;
  readonly primary: PrimaryStore;
}

/** Statements that are read, and made into resources, at a time. */
const PART = 40;
/** Bytes that a resource takes beside its text, for what searches look for. */
const INDEX_BYTES = 1500;

/**
 * The resources of records, as JSON text. They are made in a thread, of parts of a record, and cached by call until the
 * record changes. The first request starts the thread.
 */
export class MadeResources {
  readonly #cache: LRUCache<string, { state: string; made: readonly MadeResource[] }> | undefined;
  readonly #flights = new SingleFlight<readonly MadeResource[]>();
  readonly #making = new QueryQueue();
  #thread: AnsweringThread<MakingTask | 'makable', MakingAnswer> | undefined;
  #makable: Promise<Makable> | undefined;
  /** Makes resources where no thread can. */
  #here: Promise<ResourceMaker> | undefined;
  #isClosed = false;

  constructor(private readonly parts: MadeParts) {
    const { cacheBytes } = parts;
    if (cacheBytes > 0)
      this.#cache = new LRUCache({
        maxSize: cacheBytes,
        sizeCalculation: ({ made }) =>
          made.reduce((sum, { text }) => sum + text.length + INDEX_BYTES, INDEX_BYTES),
      });
  }

  /** Returns what can be made. @throws Error when a query or table cannot be used */
  makable(): Promise<Makable> {
    this.#makable ??= this.#ask('makable').then((answer) => answer as Makable);
    this.#makable.catch(() => (this.#makable = undefined));
    return this.#makable;
  }

  /** Returns the types of the resources that are made of the class of a call. */
  async typesOf({ target }: CallModel): Promise<string[]> {
    const { callByName } = this.parts.ontology;
    const { calls } = await this.makable();
    return calls.filter(({ name }) => callByName.get(name)?.target === target).flatMap(({ types }) => types);
  }

  /** Returns the state of all that the resources of a record are made of. */
  state({ record, primary: { directory, revision } }: ReadRecord): string {
    return directory.read(
      () => `${directory.epoch} ${revision('/ontology')} ${revision(`/records/${record}`)}`,
    );
  }

  /** Finds one resource among all that a call's statements are, and makes only what may be it. */
  async find(
    of: ReadRecord,
    call: CallModel,
    asked: ResourceName,
    turn: string,
  ): Promise<MadeResource | undefined> {
    const { ontology, queue } = this.parts;
    const { record: recordId, primary } = of;
    const isIt = ({ type, id }: ResourceName): boolean => type === asked.type && id === asked.id;
    const known = this.#cache?.get(`${recordId} ${call.name}`);
    if (known?.state === this.state(of)) return known.made.find(isIt);
    const { origins } = await this.makable();
    const start = recordsStart(primary.base);
    const path = pathOfId(asked.id)?.replace(/#.*$/u, '');
    const mayBe = (name: string): boolean => {
      const origin = originIn(primary, origins, name);
      if (origin?.type === asked.type) return isIt(origin);
      const own = start + (path === recordId ? `${path}/demographics` : path);
      return name === own || isDigest(asked.id);
    };
    const names = await queue.run(turn, () =>
      Promise.resolve(statementNames(primary, ontology, { record_id: recordId, call }).filter(mayBe)),
    );
    const exact = names.filter((name) => idOfPath(name.slice(start.length)) === asked.id);
    const all = exact.length > 0 ? exact : names;
    for (let at = 0; at < all.length; at += PART) {
      const made = await this.make(of, call, all.slice(at, at + PART), turn);
      const found = made.find(isIt);
      if (found) return found;
    }
    return undefined;
  }

  /** Makes all that a call's statements are. @param turn takes turns with others */
  async ofCall(of: ReadRecord, call: CallModel, turn: string): Promise<readonly MadeResource[]> {
    const { record: recordId, primary } = of;
    const state = this.state(of);
    const key = `${recordId} ${call.name}`;
    const known = this.#cache?.get(key);
    if (known?.state === state) return known.made;
    return this.#flights.join(`${key} ${state}`, async () => {
      const made: MadeResource[] = [];
      const { ontology } = this.parts;
      const names = statementNames(primary, ontology, { record_id: recordId, call });
      for (let at = 0; at < names.length; at += PART)
        made.push(...(await this.make(of, call, names.slice(at, at + PART), turn)));
      // After a write the parts may be of different states.
      if (this.state(of) === state) this.#cache?.set(key, { state, made });
      return made;
    });
  }

  /** Makes some statements of a call. @param revision the change after which they are read; default: the last */
  async make(
    { record: recordId, primary }: ReadRecord,
    call: CallModel,
    names: readonly string[],
    turn: string,
    revision?: number,
  ): Promise<readonly MadeResource[]> {
    const { queue } = this.parts;
    const { origins } = await this.makable();
    const record = recordIri(primary.base, recordId);
    const sources = await queue.run(turn, () =>
      Promise.resolve(statementSources(primary, origins, { record, names, revision })),
    );
    const answer = await this.#making.run(turn, () => this.#ask({ recordId, call: call.name, sources }));
    return answer as readonly MadeResource[];
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread?.end();
  }

  async #ask(task: MakingTask | 'makable'): Promise<MakingAnswer> {
    const answer = await this.#inThread(task);
    if (!('fault' in answer)) return answer;
    // Whatever broke, a new thread begins anew.
    const ended = this.#thread;
    this.#thread = undefined;
    await ended?.end();
    this.parts.log.error(
      { error: answer.fault.name },
      'FHIR resources cannot be made; run chartgraph validate',
    );
    throw answer.fault;
  }

  async #inThread(task: MakingTask | 'makable'): Promise<MakingAnswer> {
    if (this.#isClosed) throw closing();
    try {
      if (!this.#thread || this.#thread.isOver)
        this.#thread = new AnsweringThread<MakingTask | 'makable', MakingAnswer>(
          new URL('./making-thread.js', import.meta.url),
          this.parts.folders,
          'A thread that makes FHIR resources ended.',
        );
      return await this.#thread.ask(task);
    } catch (error) {
      if (this.#isClosed) throw closing();
      this.parts.log.warn(
        { error: String(error) },
        'FHIR keeps the event loop busy: there is no thread to make it',
      );
      this.#here ??= ResourceMaker.open(this.parts.folders);
      const maker = await this.#here;
      return task === 'makable' ? maker.makable : maker.make(task);
    }
  }
}

const closing = (): Problem =>
  new Problem('unavailable', 'The container is closing; try again.', { retryAfter: 1 });
