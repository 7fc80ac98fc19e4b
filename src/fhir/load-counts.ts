import { addTo } from '../rdf/by-key.js';
import { readByOthers } from './elements-read.js';
import type { BatchResource, MappedBatch } from './batch-resource.js';
import { placeOf } from './fhir-resources.js';
import { beginFile, type FileProgress } from './file-progress.js';
import type { ImportTally } from './import-tally.js';
import type { Mapping, StatementMaker } from './mapping.js';
import type { MadeStatement } from './statement-graphs.js';

/** As much of a statement as is counted. */
type CountedStatement = Omit<MadeStatement, 'graph'> & {
  readonly graph: { readonly name: string; readonly quads: { readonly length: number } };
};

/** Counts what became of resources, for each file of a load. */
export class LoadCounts {
  readonly files = new Map<ImportTally, FileProgress>();
  /** The files of statements that are stored, by their names. */
  readonly stored = new Map<string, ImportTally>();
  /** Links to statements that have not been seen yet. */
  readonly #open = new Map<string, { tally: ImportTally; path: string; example: string }[]>();

  constructor(private readonly mapping: Mapping) {}

  /** Begins the counts of a file. */
  begin(name: string): FileProgress {
    const progress = beginFile(name);
    this.files.set(progress.tally, progress);
    return progress;
  }

  /**
   * Counts a resource.
   * @param reason why no statement was made of it
   * @param isKept whether it is kept in words where it is not mapped
   */
  resource(
    { resource, tally }: BatchResource,
    isMapped: boolean,
    reason: string | undefined,
    isKept: boolean,
  ): void {
    const purpose = resource.isDeleted ? 'deleted' : this.mapping.losses.purposeOf(resource);
    if (isMapped) tally.mapped(resource.type);
    else if (purpose !== undefined && !isKept) tally.omitted(resource.type, placeOf(resource), purpose);
    else tally.unmapped(resource.type, placeOf(resource), reason === '' ? undefined : reason);
  }

  /** Counts stored statements of a record. @param moved whether they changed it */
  statements(
    recordId: string,
    statements: readonly CountedStatement[],
    { resources }: Pick<MappedBatch, 'resources'>,
    moved: boolean,
  ): void {
    for (const { resource, graph, query, links, isCleaned } of statements) {
      const found = resources.get(resource);
      const progress = found && this.files.get(found.tally);
      if (!progress) continue;
      this.#lost(found, query);
      if (isCleaned) found.tally.saw('cleaned', query.target.name, placeOf(found.resource));
      progress.records.add(recordId);
      progress.changed ||= moved;
      progress.statements++;
      progress.quads += graph.quads.length;
      found.tally.statement(query.target.name);
      this.stored.set(graph.name, found.tally);
      for (const link of links) {
        if (this.stored.has(link)) continue;
        addTo(this.#open, link, {
          tally: found.tally,
          path: query.target.name,
          example: found.resource.place || 'the start',
        });
      }
    }
  }

  /** Counts what a statement does not say of its resource. */
  #lost(found: BatchResource, query: StatementMaker): void {
    const { elements, losses, queries, unmapped } = this.mapping;
    const { resource, tally, lost, unread } = found;
    const read = queries.find((each) => each === query)?.read;
    if (!read) {
      tally.saw('kept', resource.type, placeOf(resource));
      const kind = unmapped.kinds.find((each) => each === query);
      const untold = [...lost].filter((path) => kind && !unmapped.tells(kind, path));
      for (const path of untold) tally.saw('meaning', path, placeOf(resource));
      return;
    }
    for (const path of readByOthers(resource, elements, read.types))
      if (losses.changesMeaning(path, resource)) lost.add(path);
      else unread.push(path);
    tally.lost(found);
  }

  /** Tells of links to what is nowhere, once everything is stored. */
  endLinks(isStored: (name: string) => boolean): void {
    for (const [link, places] of this.#open) {
      if (this.stored.has(link) || isStored(link)) continue;
      for (const { tally, path, example } of places) tally.saw('unresolved', path, example);
    }
  }
}
