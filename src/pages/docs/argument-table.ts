import type { Argument } from '../../derive/call-arguments.js';
import { valueTypeFacts } from '../../ontology/value-types.js';
import { html, type Content, type Html } from '../html.js';
import type { DocsSource } from './docs-source.js';
import { joined, section, table } from './page-elements.js';

/** The table of what a request may say in one place; nothing where it may say nothing. */
export function argumentTable(id: string, title: string, all: readonly Argument[], note?: Content): Content {
  if (all.length === 0) return undefined;
  return section(
    id,
    title,
    table(
      title,
      ['Name', 'Value', 'Meaning'],
      all.map(({ name, comment, schema, valueType }) => ({
        cells: [html`<code>${name}</code>`, valueName(schema, valueType), comment],
      })),
      { slim: true },
    ),
    note,
  );
}

function valueName(schema: Argument['schema'], valueType: Argument['valueType']): Content {
  const { enum: choices, minimum, maximum } = schema;
  if (Array.isArray(choices)) {
    return joined(
      choices.map((choice) => html`<code>${String(choice)}</code>`),
      ' ',
    );
  }
  const range =
    maximum === undefined
      ? minimum !== undefined && `, from ${String(minimum)}`
      : `, ${String(minimum)} to ${String(maximum)}`;
  return [valueTypeFacts[valueType].label, range];
}

/** What holds for all filters. */
export const filterNote = ({ links }: DocsSource): Html =>
  html`<p>
    Filters are combined with “and”.
    <a href="${links.to({ page: '', anchor: 'lists' })}">How dates are compared</a>
  </p>`;
