import type { DataFactory } from '@rdfjs/types';
import { ParseType, RdfXmlParser, type IActiveTag, type IRdfXmlParserArgs } from 'rdfxml-streaming-parser';
import { RdfLimitError, RdfSyntaxError } from './rdf-errors.js';
import type { InputTerms } from './input-terms.js';
import { shown } from './ntriples.js';
import { inChunks, noteLine, type Steps, type SubjectLines } from './parse-steps.js';
import { readAttributes } from './parse-rdfxml-attributes.js';
import { resolveIri } from './resolve-iri.js';
import type { NamedNode, Quad, Term } from './terms.js';
import { prefixes, rdf } from './vocabulary.js';
import { createExpander, predefined, readEntities } from './xml-doctype.js';
import { escapeLiteralText, openLiteralTag, type Rendered, type XmlTag } from './xml-literal.js';

interface Options {
  readonly terms: InputTerms;
  readonly baseIRI: string | undefined;
  readonly doctype: 'refuse' | 'internal';
  readonly maxDepth: number;
  readonly maxQuads?: number | undefined;
  readonly lines?: SubjectLines | undefined;
}

/** An open element, with our notes: where a property has its value. */
interface ActiveTag extends IActiveTag {
  rendered?: Rendered | undefined;
  value?: 'attributes' | 'element';
}

/** The part of the parser's state that we read. Its version is pinned, and tests fail if these names change. */
interface ParserState {
  readonly activeTagStack: ActiveTag[];
  readonly saxParser: {
    readonly line: number;
    readonly ENTITIES: Record<string, string>;
    on(
      event: 'attribute' | 'comment' | 'opentagstart' | 'processinginstruction',
      handler: (data: never) => void,
    ): void;
    write(text: string): void;
    close(): void;
  };
}

/** Reads RDF/XML (RDF 1.1 XML Syntax), in steps. @throws RdfSyntaxError or RdfLimitError with the line */
export function parseRdfXml(text: string, options: Options): Steps<Quad[]> {
  const parser = new StrictParser(text.length, options);
  return parser.readAll(text);
}

/** The most markup that one statement needs: a node element and a property element, with one attribute each. */
const MARKUP_PER_QUAD = 4;
/** The root element and its namespaces. */
const ENVELOPE = 100;

/**
 * RDF 1.1 XML Syntax §7.2.14: a property has one value: a node element, text, or what its attributes say. Only a
 * collection holds several elements.
 */
function requireRoom(property: ActiveTag, { name }: XmlTag): void {
  if (property.childrenCollectionSubject || property.childrenTagsToTripleTerms) return;
  if (property.value === 'attributes')
    throw new RdfSyntaxError(
      `<${name}> stands in a property that has its value, or a datatype, as an attribute`,
    );
  if (property.value === 'element')
    throw new RdfSyntaxError(
      `<${name}> is a second element in one property: repeat the property for each value`,
    );
  property.value = 'element';
}

/** The length that every server should support in a request line (RFC 9110 §4.1). */
const MAX_BASE_LENGTH = 8000;

/**
 * A strict rdfxml-streaming-parser, for files about patients. It reads to the end of the text, so that truncated
 * documents are errors; it joins text in several pieces (around comments and CDATA); it rejects text where RDF/XML
 * allows none; it keeps the attributes of a root that is a node; it writes XML literals canonically; it reads
 * attributes the same in any order and resolves IRIs by RFC 3986; and an `rdf:ID` reifies its own statement.
 */
class StrictParser extends RdfXmlParser {
  private readonly quads: Quad[] = [];
  private markup = 0;

  constructor(
    private readonly length: number,
    private readonly limits: Options,
  ) {
    super({
      dataFactory: limits.terms as unknown as DataFactory,
      validateUri: false,
      trackPosition: true,
      ...(limits.baseIRI === undefined ? {} : { baseIRI: limits.baseIRI }),
    } satisfies IRdfXmlParserArgs);
  }

  *readAll(text: string): Steps<Quad[]> {
    const { saxParser } = this.state;
    // Throwing ends the reading at the first error; the XML parser below would go on.
    this.on('error', (error: unknown) => {
      throw error;
    });
    saxParser.on('comment', (comment: string) => this.pushToLiteral(`<!--${comment}-->`));
    saxParser.on('processinginstruction', (instruction: { target: string; body: string }) =>
      this.pushToLiteral(`<?${instruction.target}${instruction.body === '' ? '' : ' ' + instruction.body}?>`),
    );
    // Namespaces and the content of XML literals cost time but make no statement.
    saxParser.on('opentagstart', () => this.countMarkup());
    saxParser.on('attribute', () => this.countMarkup());
    try {
      yield* inChunks(text, (chunk) => saxParser.write(chunk));
      saxParser.close();
    } catch (error) {
      throw this.located(error);
    }
    return this.quads;
  }

  private countMarkup(): void {
    const most = ENVELOPE + MARKUP_PER_QUAD * (this.limits.maxQuads ?? Infinity);
    if (++this.markup > most) throw new RdfLimitError(`more than ${most} elements and attributes`);
  }

  private get state(): ParserState {
    return this as unknown as ParserState;
  }

  private get top(): ActiveTag | undefined {
    return this.state.activeTagStack.at(-1);
  }

  /** Collects quads in a list instead of the stream. */
  override push(quad: Quad | null): boolean {
    if (quad !== null) {
      noteLine(this.limits.lines, quad.subject, this.state.saxParser.line);
      this.quads.push(quad);
    }
    return true;
  }

  protected override onTag(tag: XmlTag): void {
    const stack = this.state.activeTagStack;
    if (stack.length >= this.limits.maxDepth) {
      throw new RdfLimitError(`elements nest deeper than ${this.limits.maxDepth}`);
    }
    const parent = this.top;
    if (parent?.childrenStringTags) {
      const { text, rendered } = openLiteralTag(tag, parent.rendered);
      parent.hadChildren = true;
      parent.childrenStringTags.push(text);
      const childrenStringEmitClosingTag = `</${tag.name}>`;
      stack.push({ childrenStringTags: parent.childrenStringTags, childrenStringEmitClosingTag, rendered });
      return;
    }
    if (parent?.predicate) requireRoom(parent, tag);
    // RDF 1.1 XML Syntax §7.2.8: the root may be a single node element.
    if (!parent && !(tag.uri === prefixes.rdf && tag.local === 'RDF')) {
      stack.push({ childrenParseType: ParseType.RESOURCE, baseIRI: this.limits.baseIRI ?? '' });
    }
    super.onTag(tag as never);
    // The parser copies all namespaces in scope to each element, for a way of writing literals that we do not use.
    const own = this.top;
    if (own) delete own.namespaces;
    if (own?.baseIRI !== parent?.baseIRI) this.checkBase(own?.baseIRI ?? '');
  }

  protected override onTagResource(
    tag: XmlTag,
    active: IActiveTag,
    parent: IActiveTag | null,
    isRoot: boolean,
  ): void {
    const { baseIRI, type, others } = readAttributes(tag, active.baseIRI ?? '');
    active.baseIRI = baseIRI;
    // The parser would also reify the node's own statements.
    const id = parent?.reifiedStatementId;
    const isFirst = parent?.childrenCollectionPredicate?.value !== rdf.rest;
    if (parent) parent.reifiedStatementId = undefined as never;
    super.onTagResource({ ...tag, attributes: others } as never, active, parent as never, isRoot);
    if (!parent) return;
    if (type !== undefined) this.pushTriple(active.subject, rdf.type, this.valueToUri(type, active));
    if (!id) return;
    parent.reifiedStatementId = id;
    if (isFirst) this.reify(parent, parent.childrenCollectionSubject ?? active.subject);
  }

  protected override onTagProperty(tag: XmlTag, active: ActiveTag, parent: IActiveTag): void {
    const { baseIRI, type, others } = readAttributes(tag, active.baseIRI ?? '');
    active.baseIRI = baseIRI;
    super.onTagProperty({ ...tag, attributes: others } as never, active, parent);
    if (active.hadChildren || active.datatype || type !== undefined) active.value = 'attributes';
    if (type === undefined) return;
    const { datatype, predicate, childrenStringTags, childrenCollectionSubject } = active;
    if (datatype || !predicate || childrenStringTags || childrenCollectionSubject)
      throw new RdfSyntaxError('rdf:type stands beside rdf:datatype or rdf:parseType');
    const object = this.valueToUri(type, active);
    active.hadChildren = true;
    if (active.predicateEmitted) this.pushTriple(active.subject, rdf.type, object);
    else {
      active.predicateSubPredicates?.push(this.limits.terms.namedNode(rdf.type) as never);
      active.predicateSubObjects?.push(object as never);
    }
  }

  /** RDF 1.1 XML Syntax §7.3. */
  private reify({ reifiedStatementId, subject, predicate }: IActiveTag, object: unknown): void {
    const { namedNode } = this.limits.terms;
    this.pushTriple(reifiedStatementId, rdf.type, namedNode(rdf.Statement));
    this.pushTriple(reifiedStatementId, rdf.subject, subject);
    this.pushTriple(reifiedStatementId, rdf.predicate, predicate);
    this.pushTriple(reifiedStatementId, rdf.object, object);
  }

  private pushTriple(subject: unknown, predicate: string, object: unknown): void {
    const { namedNode, quad } = this.limits.terms;
    this.push(quad(subject as Term, namedNode(predicate), object as Term));
  }

  /** Relative IRIs are resolved by slicing the base, so a long base would be read again for each. */
  private checkBase(baseIRI: string): void {
    if (baseIRI.length > MAX_BASE_LENGTH)
      throw new RdfLimitError(`an xml:base is longer than ${MAX_BASE_LENGTH} characters`);
  }

  protected override onText(text: string): void {
    const tag = this.top;
    if (!tag) return;
    if (tag.childrenStringTags) tag.childrenStringTags.push(escapeLiteralText(text));
    else if (tag.predicate) tag.text = (tag.text ?? '') + text;
    else if (text.trim() !== '')
      throw new RdfSyntaxError(`text where only elements may stand: ${shown(text.trim())}`);
  }

  protected override onCloseTag(): void {
    const tag = this.top;
    if (
      tag?.predicate &&
      tag.hadChildren &&
      !tag.childrenStringTags &&
      tag.text !== undefined &&
      tag.text.trim() !== ''
    ) {
      throw new RdfSyntaxError(`text beside elements: ${shown(tag.text.trim())}`);
    }
    super.onCloseTag();
    // RDF 1.1 XML Syntax §7.2.19: an empty collection is reified as well.
    const isEmpty = tag?.childrenCollectionSubject && tag.childrenCollectionSubject === tag.subject;
    if (isEmpty && tag.reifiedStatementId) this.reify(tag, this.limits.terms.namedNode(rdf.nil));
  }

  protected override onDoctype(doctype: string): void {
    if (this.limits.doctype === 'refuse') throw new RdfSyntaxError('a DOCTYPE is not accepted');
    const entities = readEntities(doctype);
    const expand = createExpander(entities, this.length);
    for (const name of entities.keys()) {
      if (predefined.has(name)) continue;
      Object.defineProperty(this.state.saxParser.ENTITIES, name, { get: () => expand(name) });
    }
  }

  override valueToUri(value: string, { baseIRI }: IActiveTag): NamedNode {
    return this.limits.terms.namedNode(resolveIri(value, baseIRI ?? ''));
  }

  private pushToLiteral(markup: string): void {
    this.top?.childrenStringTags?.push(markup);
  }

  private located(error: unknown): unknown {
    const { line } = this.state.saxParser;
    if (error instanceof RdfSyntaxError) return new RdfSyntaxError(error.reason, line);
    if (error instanceof RdfLimitError) return new RdfLimitError(error.reason, line);
    if (!(error instanceof Error)) return error;
    const reason = error.message.replace(/^(?:Line \d+ column \d+|\d+:\d+): /, '');
    return new RdfSyntaxError(reason, line, { cause: error });
  }
}
