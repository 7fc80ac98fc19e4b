import { expandName } from '../model/ontology/term-names.js';
import type { ApiModel, PropertyRow } from './api-model.js';

export interface Shape {
  readonly name: string;
  readonly iri: string;
  readonly addressed: boolean;
  readonly above: ReadonlySet<string>;
  readonly properties: readonly (PropertyRow & { readonly name: string })[];
}

export interface Shapes {
  readonly byName: ReadonlyMap<string, Shape>;
  readonly byIri: ReadonlyMap<string, Shape>;
}

export function readShapes({ classes }: Pick<ApiModel, 'classes'>): Shapes {
  const shapes = Object.entries(classes).map(([name, row]): Shape => ({
    name,
    iri: whole(row.iri),
    addressed: row.addressed,
    above: new Set(row.above),
    properties: Object.entries(row.properties).map(([key, property]) => ({
      ...property,
      name: key,
      iri: whole(property.iri),
      ...(property.codes !== undefined && { codes: whole(property.codes) }),
    })),
  }));
  return {
    byName: new Map(shapes.map((shape) => [shape.name, shape])),
    byIri: new Map(shapes.map((shape) => [shape.iri, shape])),
  };
}

const whole = (name: string): string => expandName(name) ?? name;
