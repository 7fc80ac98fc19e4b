import type { ClassModel, Ontology } from '../../model/ontology/model.js';
import type { RecordData } from '../../http/record-data.js';
import type { ShownStatement } from '../shown/shown-statement.js';

/** Says of statements that what names them, or all that they consist of, is closed to the reader. */
export function withClosedLinks(
  { classes }: Pick<Ontology, 'classes'>,
  data: RecordData,
  statements: ShownStatement[],
): ShownStatement[] {
  if (!data.isPartClosed) return statements;
  const closedAt = ({ rules }: ClassModel, properties: readonly string[]): ClassModel | undefined =>
    properties
      .flatMap((property) => rules.get(property)?.classes ?? [])
      .flatMap((iri) => classes.get(iri) ?? [])
      .find((model) => model.basePath !== undefined && data.isClosed(model));
  return statements.map((each): ShownStatement => {
    const { title, summary, date } = each.model.shown;
    const name = closedAt(each.model, title);
    // What has no date of its own has that of its parts.
    const parts = date.length === 0 ? closedAt(each.model, summary) : undefined;
    if (!name && !parts) return each;
    return {
      ...each,
      title: name ? `${name.label} not shown: closed` : each.title,
      summary: () => [
        ...each.summary(),
        ...(parts ? [`${parts.heading ?? parts.plural} and day not shown: closed`] : []),
      ],
    };
  });
}
