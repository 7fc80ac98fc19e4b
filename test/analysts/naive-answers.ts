import type { Quad } from '../../src/rdf/terms.js';
import { dcterms, foaf, prefixes, rdf, sp, vcard } from '../../src/rdf/vocabulary.js';
import type { NamedGraph } from '../../src/store/graph-store.js';
import { ontology } from '../records/support.js';

/** A statement as a program without SPARQL reads it. */
interface Statement {
  readonly record: string;
  readonly type: string;
  readonly quads: readonly Quad[];
  /** The values at the end of a path of properties. */
  at(...path: readonly string[]): string[];
}

function statementOf({ name, quads }: NamedGraph): Statement {
  const at = (...path: readonly string[]): string[] =>
    path.reduce(
      (from, property) =>
        quads
          .filter((q) => q.predicate.value === property && from.includes(q.subject.value))
          .map((q) => q.object.value),
      [name],
    );
  const [record = ''] = at(sp.belongsTo);
  const [type = ''] = at(rdf.type);
  return { record, type: type.replace(/^.*#/u, ''), quads, at };
}

type Answer = (string | number)[][];

const titleOf = (statement: Statement, property: string): string =>
  statement.at(property, dcterms.title)[0] ?? '';
const codeOf = (statement: Statement, property: string): string => statement.at(property, sp.code)[0] ?? '';
const snomed = 'http://purl.bioontology.org/ontology/SNOMEDCT/';
const loinc = 'http://purl.bioontology.org/ontology/LNC/';

/** Whether a code is another, or below it. */
const isBelow = (code: string, above: string): boolean =>
  code === above || (ontology.codes.get(code)?.broader ?? []).some((next) => isBelow(next, above));

/** Groups by a text and gives each group's key, how many there are, and of how many records. */
function counted(
  statements: readonly Statement[],
  key: (statement: Statement) => string,
): Map<string, Statement[]> {
  const groups = new Map<string, Statement[]>();
  for (const each of statements) groups.set(key(each), [...(groups.get(key(each)) ?? []), each]);
  return groups;
}
const records = (statements: readonly Statement[]): number =>
  new Set(statements.map(({ record }) => record)).size;

/** The answers of each analysis, as far as they do not name a record, found by counting. Rows are in no order. */
export function naiveAnswers(
  graphs: readonly NamedGraph[],
): Record<string, { columns: string[]; rows: Answer }> {
  const all = graphs.filter(({ name }) => name.includes('/records/')).map(statementOf);
  const of = (type: string): Statement[] => all.filter((each) => each.type === type);
  const labs = of('LabResult');
  const hba1c = labs.filter((lab) => codeOf(lab, sp.labName) === `${loinc}4548-4`);
  const value = (lab: Statement): string => lab.at(sp.quantitativeResult, sp.valueAndUnit, sp.value)[0] ?? '';
  const date = (lab: Statement): string => lab.at(dcterms.date)[0] ?? '';
  const year = (lab: Statement): string => date(lab).slice(0, 4);
  const latest = [...counted(hba1c, ({ record }) => record).values()].map((own) =>
    own.sort((a, b) => date(a).localeCompare(date(b))).at(-1),
  );
  const current = (statement: Statement): boolean =>
    statement.at(sp.endDate).length === 0 &&
    !statement.at(sp.problemStatus, sp.code).includes(`${snomed}413322009`);
  const taking = of('Medication').filter(current);
  const hypertensive = of('Problem').filter(
    (p) => codeOf(p, sp.problemName) === `${snomed}59621000` && current(p),
  );
  const onLisinopril = new Set(
    taking
      .filter((m) => codeOf(m, sp.drugName) === 'http://purl.bioontology.org/ontology/RXNORM/314076')
      .map(({ record }) => record),
  );
  const pairs = new Map<string, Set<string>>();
  for (const one of taking)
    for (const two of taking) {
      const [a, b] = [codeOf(one, sp.drugName), codeOf(two, sp.drugName)];
      if (one.record !== two.record || a >= b) continue;
      pairs.set(`${a} ${b}`, (pairs.get(`${a} ${b}`) ?? new Set()).add(one.record));
    }
  const decade = (person: Statement): string =>
    String(
      Math.floor((new Date().getUTCFullYear() - Number((person.at(vcard.bday)[0] ?? '').slice(0, 4))) / 10) *
        10,
    );
  const mean = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0) / numbers.length;
  const encounters = of('Encounter');
  const judged = labs.filter((lab) => codeOf(lab, sp.abnormalInterpretation) !== '');
  const isNormal = (lab: Statement): boolean => codeOf(lab, sp.abnormalInterpretation).endsWith('#normal');
  const given = of('Immunization').filter((each) =>
    codeOf(each, sp.administrationStatus).endsWith('#doseGiven'),
  );
  const groupsGiven = given.flatMap((each) =>
    each.at(sp.productClass, sp.code).map((group) => ({ each, group })),
  );
  const translated = all.flatMap((each) =>
    each.quads
      .filter((q) => q.predicate.value === sp.sourceCode)
      .map((q) => {
        const up = (property: string, node: string): string =>
          each.quads.find((o) => o.predicate.value === property && o.object.value === node)?.subject.value ??
          '';
        const down = (node: string, property: string): string =>
          each.quads.find((o) => o.predicate.value === property && o.subject.value === node)?.object.value ??
          '';
        const coded = up(sp.provenance, q.subject.value);
        return [q.object.value, down(q.subject.value, sp.translationFidelity), down(coded, sp.code)].join(
          ' ',
        );
      }),
  );
  const times = (texts: readonly string[]): Map<string, number> => {
    const counts = new Map<string, number>();
    for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
    return counts;
  };
  const copies = [
    'Problem problemName startDate',
    'Medication drugName startDate',
    'LabResult labName',
    'Procedure procedureName',
    'Immunization productName',
  ]
    .map((line) => line.split(' '))
    .flatMap(([type = '', property = '', dated]) =>
      [
        ...times(
          of(type).map((each) =>
            [
              each.record,
              codeOf(each, prefixes.sp + property),
              each.at(dated === undefined ? dcterms.date : prefixes.sp + dated)[0],
            ].join(' '),
          ),
        ),
      ].filter(([, count]) => count > 1),
    );
  return {
    condition_without_drug: {
      columns: ['since'],
      rows: hypertensive
        .filter(({ record }) => !onLisinopril.has(record))
        .map((p) => [p.at(sp.startDate)[0] ?? '']),
    },
    latest_lab_values: {
      columns: ['date', 'value', 'unit'],
      rows: latest.flatMap((lab) =>
        lab
          ? [[date(lab), value(lab), lab.at(sp.quantitativeResult, sp.valueAndUnit, sp.unit)[0] ?? '']]
          : [],
      ),
    },
    lab_trend: {
      columns: ['year', 'results', 'patients', 'mean'],
      rows: [...counted(hba1c, year)].map(([key, own]) => [
        key,
        own.length,
        records(own),
        mean(own.map((lab) => Number(value(lab)))),
      ]),
    },
    age_pyramid: {
      columns: ['age', 'gender', 'patients'],
      rows: [
        ...counted(of('Demographics'), (person) => `${decade(person)} ${person.at(foaf.gender)[0]}`),
      ].map(([key, own]) => [...key.split(' '), own.length]),
    },
    encounters_by_month: {
      columns: ['month', 'encounters', 'patients'],
      rows: [...counted(encounters, (each) => (each.at(sp.startDate)[0] ?? '').slice(0, 7))].map(
        ([key, own]) => [key, own.length, records(own)],
      ),
    },
    encounters_by_type: {
      columns: ['type', 'encounters', 'patients'],
      rows: [...counted(encounters, (each) => titleOf(each, sp.encounterType))].map(([key, own]) => [
        key,
        own.length,
        records(own),
      ]),
    },
    frequent_problems: {
      columns: ['code', 'patients'],
      rows: [...counted(of('Problem'), (each) => codeOf(each, sp.problemName))].map(([key, own]) => [
        key,
        records(own),
      ]),
    },
    kinds_of_condition: {
      columns: ['code', 'patients'],
      rows: [
        ...counted(
          of('Problem').filter((each) => isBelow(codeOf(each, sp.problemName), `${snomed}73211009`)),
          (each) => codeOf(each, sp.problemName),
        ),
      ].map(([key, own]) => [key, records(own)]),
    },
    co_medication: {
      columns: ['drug', 'other', 'patients'],
      rows: [...pairs].map(([key, own]) => [...key.split(' '), own.size]),
    },
    missing_codes: { columns: ['title', 'values'], rows: [] },
    duplicates: { columns: ['copies'], rows: copies.map(([, count]) => [count]) },
    code_provenance: {
      columns: ['source', 'fidelity', 'code', 'values'],
      rows: [...times(translated)].map(([key, count]) => [...key.split(' '), count]),
    },
    abnormal_results: {
      columns: ['code', 'judged', 'abnormal', 'patients'],
      rows: [...counted(judged, (lab) => codeOf(lab, sp.labName))].map(([key, own]) => [
        key,
        own.length,
        own.filter((lab) => !isNormal(lab)).length,
        records(own),
      ]),
    },
    vaccination_coverage: {
      columns: ['group', 'patients', 'of'],
      rows: [...new Set(groupsGiven.map(({ group }) => group))].map((group) => [
        group,
        records(groupsGiven.filter((each) => each.group === group).map(({ each }) => each)),
        of('MedicalRecord').length,
      ]),
    },
    record_contents: {
      columns: ['class', 'statements', 'records'],
      rows: [
        ...counted(
          all.filter(({ record }) => record !== ''),
          ({ type }) => (type.startsWith('Unmapped') ? prefixes.cg : prefixes.sp) + type,
        ),
      ]
        .filter(([key]) => ontology.classes.has(key))
        .map(([key, own]) => [key, own.length, records(own)]),
    },
  };
}
