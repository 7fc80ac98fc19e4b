import type { Weight } from './change.js';

/** Headings in Keep a Changelog for changes of an ontology. */
export const sections = ['Added', 'Changed', 'Deprecated', 'Removed'] as const;
export type Section = (typeof sections)[number];

/** `says` is printed beside the term; the reason says whom the change affects, and why. */
type Row = readonly [weight: Weight, section: Section, says: string, reason: string];

// prettier-ignore
const rows = {
  'class-added': ['additive', 'Added', 'new class', 'Nobody has data of it yet.'],
  'class-removed': ['breaking', 'Removed', 'class removed', 'Data of the class is refused, and readers wait for it in vain.'],
  'parent-added': ['additive', 'Changed', 'now beneath', 'Readers of the parent meet more of what they know; rules that come with it are listed on their own.'],
  'parent-removed': ['breaking', 'Changed', 'no longer beneath', 'Where the parent is asked for, data of the class no longer counts.'],
  'base-path-added': ['additive', 'Added', 'base path added', 'Instances had no address before.'],
  'base-path-removed': ['breaking', 'Removed', 'base path removed', 'The addresses of its instances go away.'],
  'base-path-changed': ['breaking', 'Changed', 'base path changed', 'IRIs are made from it, so stored data and links lie at addresses that no longer fit.'],
  'impersonal-added': ['breaking', 'Changed', 'tells nothing of a person any more', 'Analysts of the de-identified level are shown what was kept from them.'],
  'impersonal-removed': ['breaking', 'Changed', 'may tell of a person again', 'Analysts of the de-identified level no longer find what they were shown.'],

  'property-added': ['additive', 'Added', 'new property', 'No data uses it yet; what classes ask of it is listed on its own.'],
  'property-removed': ['breaking', 'Removed', 'property removed', 'Data with the property is refused, and readers find it no longer.'],
  'property-kind-changed': ['breaking', 'Changed', 'kind of property changed', 'Literals and links are written and read in different ways.'],
  'property-range-changed': ['breaking', 'Changed', 'domain or range of the property changed', 'It says of other things than before what they are.'],
  'property-value-type-changed': ['breaking', 'Changed', 'form of its text changed', 'Writers must write, and readers must read, the text in another form.'],
  'property-choice-added': ['breaking', 'Changed', 'value allowed', 'A reader who knows the closed list meets a value that it has no case for.'],
  'property-choice-removed': ['breaking', 'Changed', 'value no longer allowed', 'Writers of the value are refused.'],
  'property-choices-closed': ['breaking', 'Changed', 'values limited to a list', 'Writers of any other value are refused.'],
  'property-choices-opened': ['breaking', 'Changed', 'values no longer limited', 'A reader who knows the closed list meets a value that it has no case for.'],
  'property-generated': ['additive', 'Changed', 'made by the container from', 'Writers may leave it out, and readers still find it.'],
  'property-no-longer-generated': ['breaking', 'Changed', 'no longer made by the container from', 'Writers who left it out are refused where it is required.'],

  'identifying-stated': ['additive', 'Added', 'what it tells of a person stated', 'Analysts of the de-identified level saw nothing of it before.'],
  'identifying-removed': ['breaking', 'Removed', 'what it tells of a person no longer stated', 'Nobody has decided what of it may be shown, so analysts of the de-identified level see nothing of it.'],
  'identifying-weakened': ['breaking', 'Changed', 'tells less of a person than was said', 'Analysts of the de-identified level are shown what was kept from them.'],
  'identifying-strengthened': ['breaking', 'Changed', 'tells more of a person than was said', 'Analysts of the de-identified level no longer find what they were shown.'],

  'rule-optional': ['additive', 'Added', 'property may be stated', 'The property is new, so no data has it and nobody has to state it.'],
  'rule-required': ['breaking', 'Added', 'property must be stated', 'Writers who do not state it are refused.'],
  'rule-imposed': ['breaking', 'Changed', 'rule for a known property', 'Any number and any kind of values were allowed before; writers of others are refused.'],
  'rule-removed': ['breaking', 'Removed', 'rule removed', 'Readers can no longer count on what the rule promised.'],
  'minimum-raised': ['breaking', 'Changed', 'minimum raised', 'Writers who state fewer are refused.'],
  'minimum-lowered': ['breaking', 'Changed', 'minimum lowered', 'A reader who counts on a value finds none.'],
  'maximum-raised': ['breaking', 'Changed', 'maximum raised', 'A reader who keeps room for so many values meets more.'],
  'maximum-lowered': ['breaking', 'Changed', 'maximum lowered', 'Writers who state more are refused.'],
  'range-narrowed': ['breaking', 'Changed', 'values narrowed', 'Writers of the values that were left out are refused.'],
  'range-widened': ['breaking', 'Changed', 'values widened', 'A reader meets values that it has no case for.'],
  'range-changed': ['breaking', 'Changed', 'values changed', 'Writers of the old values are refused, and readers meet new ones.'],
  'limit-tightened': ['breaking', 'Changed', 'limit of values tightened', 'Writers of the values beyond it are refused.'],
  'limit-loosened': ['additive', 'Changed', 'limit of values loosened', 'What was right is right as before, and what is new reads like it.'],
  'fixed-value-added': ['breaking', 'Changed', 'value fixed', 'Writers of any other value are refused.'],
  'fixed-value-removed': ['breaking', 'Changed', 'value no longer fixed', 'A reader who takes the value for granted meets another.'],
  'fixed-value-changed': ['breaking', 'Changed', 'fixed value changed', 'Writers of the old value are refused, and readers who take it for granted are wrong.'],

  'enumeration-closed': ['breaking', 'Changed', 'closed to a list of members', 'Writers of anything else are refused.'],
  'enumeration-opened': ['breaking', 'Changed', 'no longer closed', 'A reader who knows all members meets another.'],
  'member-added': ['breaking', 'Added', 'member added to a closed set', 'A reader who knows the closed set meets a member that it has no case for.'],
  'member-removed': ['breaking', 'Removed', 'member removed from a closed set', 'Writers of the member are refused.'],

  'code-added': ['additive', 'Added', 'new code', 'No data uses it yet, and the set was open to it.'],
  'code-removed': ['breaking', 'Removed', 'code removed', 'The container no longer knows its title, and filters no longer find it by name.'],
  'code-renamed': ['breaking', 'Changed', 'code renamed', 'The IRI is the code: data and filters with the old one find nothing in common with the new one.'],
  'code-retitled': ['breaking', 'Changed', 'code retitled', 'Data that shows the code with its old title is refused.'],
  'code-identity-changed': ['breaking', 'Changed', 'system or identifier changed', 'Data that states the old ones is refused, and readers look the code up elsewhere.'],
  'code-class-added': ['additive', 'Changed', 'code counts as', 'It may stand in more places; closed sets are listed on their own.'],
  'code-class-removed': ['breaking', 'Changed', 'code no longer counts as', 'Writers who use it where the class is asked for are refused.'],
  'code-broader-added': ['breaking', 'Changed', 'code now below', 'Who asks for the code above it with all below finds statements that were not found before.'],
  'code-broader-removed': ['breaking', 'Changed', 'code no longer below', 'Who asks for the code above it with all below no longer finds its statements.'],

  'call-added': ['additive', 'Added', 'new call', 'Nobody called it before.'],
  'call-removed': ['breaking', 'Removed', 'call removed', 'Its callers are answered with 404 or 405.'],
  'call-renamed': ['breaking', 'Changed', 'client method renamed', 'Programs on the client libraries call a method that is not there.'],
  'call-method-changed': ['breaking', 'Changed', 'method changed', 'Its callers are answered with 405.'],
  'call-path-changed': ['breaking', 'Changed', 'path changed', 'Its callers are answered with 404.'],
  'call-path-parameter-renamed': ['breaking', 'Changed', 'path parameter renamed', 'Clients name it in their arguments and queries in their text.'],
  'call-scope-changed': ['breaking', 'Changed', 'scope changed', 'Tokens that were enough are refused, or open more than their owners agreed to.'],
  'call-disclosure-added': ['breaking', 'Changed', 'discloses people without a token of theirs', 'Container calls reveal more about people than they agreed to.'],
  'call-disclosure-removed': ['breaking', 'Changed', 'no longer discloses people', 'Its callers need a token that was not asked for before.'],
  'call-cardinality-changed': ['breaking', 'Changed', 'cardinality changed', 'Readers of one resource get a list, or the other way round.'],
  'call-target-changed': ['breaking', 'Changed', 'target changed', 'Readers wait for, or writers send, instances of another class.'],
  'call-answer-changed': ['breaking', 'Changed', 'form of the answer changed', 'Readers get something that they cannot read.'],
  'call-content-type-changed': ['breaking', 'Changed', 'media type changed', 'Real clients compare the media type of an answer whole.'],
  'call-order-added': ['additive', 'Changed', 'order stated', 'The list had no promised order before.'],
  'call-order-changed': ['breaking', 'Changed', 'order of the list changed', 'A reader who takes the first for the latest takes another one.'],
  'parameter-added': ['additive', 'Added', 'parameter added', 'Nobody has to give it.'],
  'parameter-removed': ['breaking', 'Removed', 'parameter removed', 'A list that was narrowed comes back whole, or the request is refused.'],
  'parameter-value-type-changed': ['breaking', 'Changed', 'type of the parameter changed', 'Values that callers send are refused or read in another way.'],
  'parameter-choice-added': ['additive', 'Added', 'choice added', 'Nobody has to choose it.'],
  'parameter-choice-removed': ['breaking', 'Removed', 'choice removed', 'Callers who choose it are refused.'],
  'parameter-meaning-changed': ['breaking', 'Changed', 'what the parameter finds changed', 'The same request finds other statements.'],

  'term-added': ['additive', 'Added', 'new term', 'Nobody used it before.'],
  'term-removed': ['breaking', 'Removed', 'term removed', 'Programs and data that use it refer to nothing.'],
  'deprecated': ['additive', 'Deprecated', 'deprecated', 'It works as before; its users get a warning in time.'],
  'no-longer-deprecated': ['additive', 'Changed', 'no longer deprecated', 'It works as before.'],
  'ontology-renamed': ['breaking', 'Changed', 'the ontology has another IRI', 'Imports of the old IRI no longer get this ontology.'],
  'statement-changed': ['breaking', 'Changed', 'statement that is not weighed changed', 'Nothing is known of what such a statement means to others, so it counts as the worst.'],
  'reworded': ['editorial', 'Changed', 'reworded', 'Words and pages for people; no program depends on them.'],
} as const satisfies Record<string, Row>;

export type ChangeKind = keyof typeof rows;

/** Every kind of change, with its weight (docs/ontology-versions.md). */
export const changeKinds = Object.fromEntries(
  Object.entries(rows).map(([kind, [weight, section, says, reason]]) => [
    kind,
    { weight, section, says, reason },
  ]),
) as Record<ChangeKind, { weight: Weight; section: Section; says: string; reason: string }>;
