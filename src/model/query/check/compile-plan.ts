import { rdf, sp } from '../../../rdf/vocabulary.js';
import { RUN_AS_IT_STANDS, type ReadPlan } from '../read-plan.js';
import type { QueryTree } from '../syntax.js';
import { isSolid, tokenize } from '../tokenizer.js';
import { choices, projected, readerOf, type Pattern, type Reader, type SubSelect } from './patterns.js';

type Triple = Extract<Extract<Pattern, { subType: 'bgp' }>['triples'][number], { type: 'triple' }>;
type Node = Parameters<Reader['term']>[0];

/** A GRAPH with only triples, and filters that limit variables to IRIs. */
interface PlainGraph {
  readonly name: string;
  readonly triples: readonly Triple[];
  readonly choices: ReadonlyMap<string, readonly string[]>;
}

const RECORD = 'record';
const ABSOLUTE_IRI = /^[A-Za-z][A-Za-z0-9+.-]*:[^\\]*$/;
const isAbsolute = (iri: string): boolean => ABSOLUTE_IRI.test(iri);

/**
 * Compiles a checked query's plan; unknown forms are run as they stand. To the parser, parameters are variables, and
 * rule `query-variable` keeps their names apart.
 */
export function compilePlan(tree: QueryTree<'construct'>, sparql: string): ReadPlan {
  const { where, datasets, solutionModifiers, values } = tree;
  const isPlain =
    datasets.clauses.length === 0 && Object.keys(solutionModifiers).length === 0 && values === undefined;
  if (!isPlain) return RUN_AS_IT_STANDS;
  const compiler = new PlanCompiler(tree);
  const list = where.patterns.find((pattern) => subSelectOf(pattern) !== undefined);
  const select = list && subSelectOf(list);
  if (!select) return compiler.single(where.patterns);
  const [member = '', ...more] = projected(select) ?? [];
  if (member === '' || more.length > 0) return RUN_AS_IT_STANDS;
  const members = compiler.listed(select.where.patterns, member);
  const along = compiler.along(
    where.patterns.filter((pattern) => pattern !== list),
    member,
  );
  // An index replaces the pattern up to the filters mark, so nothing may follow that.
  const isUsable = members?.members === 'container' || endsWithFilters(sparql);
  return { ...(members && isUsable ? members : RUN_AS_IT_STANDS), ...(along && { along }) };
}

function subSelectOf(pattern: Pattern): SubSelect | undefined {
  if (pattern.type === 'query') return pattern;
  const [only, ...more] = pattern.subType === 'group' ? pattern.patterns : [];
  return only?.type === 'query' && more.length === 0 ? only : undefined;
}

function endsWithFilters(sparql: string): boolean {
  const tokens = tokenize(sparql).filter((token) => isSolid(token) || token.text.startsWith('#:'));
  const [end, page] = tokens.slice(tokens.findIndex(({ text }) => text.startsWith('#:filters')) + 1);
  return end?.text === '}' && page?.text.startsWith('#:page') === true;
}

class PlanCompiler {
  readonly #reader: Reader;
  readonly #template: readonly string[] | undefined;

  constructor(tree: QueryTree<'construct'>) {
    this.#reader = readerOf(tree);
    const [triple, ...more] = tree.template.triples;
    this.#template = triple?.type === 'triple' && more.length === 0 ? this.#names(triple) : undefined;
  }

  single(patterns: readonly Pattern[]): ReadPlan {
    const [own, part] = this.#graphs(patterns, 'resource');
    if (!own) return RUN_AS_IT_STANDS;
    const classes = this.#classes(own);
    if (!classes) {
      const isWhole = !part && own.choices.size === 0 && this.#isWhole(own.triples, own.name);
      return isWhole ? { members: 'resource', classes: [], along: [] } : RUN_AS_IT_STANDS;
    }
    const rest = own.triples.slice(2);
    const along = this.#along(own.name, rest, part);
    const [chosen] = own.choices.keys();
    // More triples about the class variable would limit more than the class.
    const isLimited = rest.some((triple) => this.#terms(triple).includes(chosen ?? ''));
    return along && !isLimited ? { members: 'resource', classes, along } : RUN_AS_IT_STANDS;
  }

  listed(patterns: readonly Pattern[], member: string): ReadPlan | undefined {
    const [own, ...more] = this.#graphs(patterns, member);
    if (!own || more.length > 0) return undefined;
    const classes = own.triples.length === 2 ? this.#classes(own) : undefined;
    if (classes) return { members: 'record', classes };
    const [type, ...others] = own.triples;
    const iri = type && this.#says(type, member, rdf.type) ? this.#iri(type.object) : undefined;
    const isSearch = iri !== undefined && others.length === 0 && own.choices.size === 0;
    return isSearch ? { members: 'container', classes: [iri] } : undefined;
  }

  along(patterns: readonly Pattern[], member: string): readonly string[] | undefined {
    const [own, part] = this.#graphs(patterns, member);
    return own?.choices.size === 0 ? this.#along(member, own.triples, part) : undefined;
  }

  #along(member: string, own: readonly Triple[], part?: PlainGraph): readonly string[] | undefined {
    if (!part) return this.#isWhole(own, member) ? [] : undefined;
    const [link, ...others] = own;
    const [belongs, ...rest] = part.triples;
    if (!link || others.length > 0 || !belongs || part.name === member || part.choices.size > 0)
      return undefined;
    const isPart =
      this.#variable(link.subject) === member &&
      this.#variable(link.object) === part.name &&
      this.#says(belongs, part.name, sp.belongsTo) &&
      this.#variable(belongs.object) === RECORD;
    return isPart && this.#isWhole(rest, member, part.name) ? this.#steps(link.predicate) : undefined;
  }

  #graphs(patterns: readonly Pattern[], member: string): readonly PlainGraph[] {
    const graphs = patterns.flatMap((pattern) => this.#plainGraph(pattern) ?? []);
    const own = graphs.find(({ name }) => name === member);
    return own && graphs.length === patterns.length && graphs.length <= 2
      ? [own, ...graphs.filter((graph) => graph !== own)]
      : [];
  }

  #plainGraph(pattern: Pattern): PlainGraph | undefined {
    if (pattern.type === 'query' || pattern.subType !== 'graph') return undefined;
    const name = this.#variable(pattern.name);
    if (name === undefined) return undefined;
    const triples: Triple[] = [];
    const limits = new Map<string, readonly string[]>();
    for (const each of pattern.patterns) {
      if (each.type === 'query') return undefined;
      if (each.subType === 'bgp') {
        for (const triple of each.triples) {
          if (triple.type !== 'triple') return undefined;
          triples.push(triple);
        }
        continue;
      }
      const [choice] = choices(each, this.#reader);
      const isAll = each.subType === 'filter' && (each.expression as { operator?: string }).operator !== '&&';
      if (!choice || !isAll || limits.has(choice.name) || !choice.iris.every(isAbsolute)) return undefined;
      limits.set(choice.name, choice.iris);
    }
    return { name, triples, choices: limits };
  }

  /** Returns the classes of a graph that begins `?it sp:belongsTo $record ; a …` and limits nothing else. */
  #classes({ name, triples, choices: limits }: PlainGraph): readonly string[] | undefined {
    const [belongs, type] = triples;
    if (!belongs || !type || this.#variable(belongs.object) !== RECORD) return undefined;
    if (!this.#says(belongs, name, sp.belongsTo) || !this.#says(type, name, rdf.type)) return undefined;
    const iri = this.#iri(type.object);
    if (iri !== undefined) return limits.size === 0 ? [iri] : undefined;
    const chosen = this.#variable(type.object);
    return chosen !== undefined && chosen !== name && limits.size === 1 ? limits.get(chosen) : undefined;
  }

  #isWhole(triples: readonly Triple[], ...others: readonly string[]): boolean {
    const [only, ...more] = triples;
    const names = only && more.length === 0 ? this.#names(only) : undefined;
    return (
      names !== undefined &&
      names.join() === this.#template?.join() &&
      [...others, RECORD].every((name) => !names.includes(name))
    );
  }

  /** Returns the properties of a path of at most one step: `sp:encounter?`, `(sp:encounter|sp:medication)?`. */
  #steps(path: Triple['predicate']): readonly string[] | undefined {
    if (path.type !== 'path' || path.subType !== '?') return undefined;
    const [step] = path.items;
    const steps = step?.type === 'path' && step.subType === '|' ? step.items : [step];
    const iris = steps.flatMap((each) => (each && this.#iri(each)) ?? []);
    return iris.length === steps.length ? iris : undefined;
  }

  #says(triple: Triple, subject: string, property: string): boolean {
    return this.#variable(triple.subject) === subject && this.#iri(triple.predicate) === property;
  }

  #names(triple: Triple): string[] | undefined {
    const names = this.#terms(triple).filter((name) => name !== undefined);
    return new Set(names).size === 3 ? names : undefined;
  }

  #terms({ subject, predicate, object }: Triple): (string | undefined)[] {
    return [subject, predicate, object].map((node) => this.#variable(node));
  }

  #variable(node: Node): string | undefined {
    const term = this.#reader.term(node);
    return term.kind === 'variable' ? term.name : undefined;
  }

  #iri(node: Node): string | undefined {
    const term = this.#reader.term(node);
    return term.kind === 'iri' && isAbsolute(term.iri) ? term.iri : undefined;
  }
}
