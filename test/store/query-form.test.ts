import { describe, expect, test } from 'vitest';
import { mentionsGraphs, queryForm } from '../../src/store/query-form.js';

describe('the form of a SPARQL text shows in its first keyword', () => {
  test.each([
    ['INSERT DATA { <a> <b> <c> }', 'update'],
    ['  # a note with SELECT\n delete where { ?s ?p ?o }', 'update'],
    [
      'PREFIX a: <http://a.example/#> prefix : <b>\nBASE <http://c.example/> # x\nWITH <g> DELETE {} WHERE {}',
      'update',
    ],
    ['CLEAR ALL', 'update'],
    ['SELECT * { ?s ?p "INSERT DATA" }', 'rows'],
    ['# CLEAR ALL\nASK{}', 'rows'],
    ['PREFIX insert: <http://a.example/> construct {} WHERE {}', 'text'],
    ['DESCRIBE <a>', 'text'],
    ['INSERTED is no keyword', undefined],
    ['constructor', undefined],
    ['', undefined],
  ])('%s: %s', (sparql, form) => {
    expect(queryForm(sparql)).toBe(form);
  });

  test.each([
    ['SELECT * { ?s ?p ?o }', false],
    ['SELECT ?paragraph { ?s ?p ?paragraph }', false],
    ['SELECT * { graph ?g { ?s ?p ?o } }', true],
    ['SELECT * FROM <g> { ?s ?p ?o }', true],
    ['SELECT * { \\u0047RAPH ?g { ?s ?p ?o } }', true],
  ])('%s looks into named graphs: %s', (sparql, named) => {
    expect(mentionsGraphs(sparql)).toBe(named);
  });
});
