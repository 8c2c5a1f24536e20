import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { templateGlobals } from '#model/project/globals.ts';
import { python } from '#support/language/raw.ts';

const PYTHON = python`
  from cube import TemplateContext

  template = TemplateContext()
  template.add_variable('my_var', 123)
  template.add_function('load_data', load)
  template.add_filter("shout", lambda x: x.upper())
  other.add_function('not_ours', load)
  # template.add_variable('off', 1)

  def load(client, limit=10):
      """Reads the tables.

      More of it.
      """
      return client

  @template.function
  def columns(table: str):
      return []

  @template.function('tables')
  @cached
  async def all_tables(
      schema,
      prefix='',
  ):
      '''All tables of a schema.'''

  @template.filter('safe_name')
  def name(value): return value
`;

describe('the names of globals.py', () => {
  it('come from each way to register them', () => {
    const found = templateGlobals(PYTHON);
    expect(found.map(({ name, kind, parameters, doc }) => [kind, name, parameters, doc])).toEqual([
      ['variable', 'my_var', undefined, undefined],
      ['function', 'load_data', 'client, limit=10', 'Reads the tables.'],
      ['filter', 'shout', undefined, undefined],
      ['function', 'columns', 'table: str', undefined],
      ['function', 'tables', "schema, prefix='',", 'All tables of a schema.'],
      ['filter', 'safe_name', 'value', undefined],
    ]);
    for (const { name, start, end } of found) expect(PYTHON.slice(start, end)).toBe(name);
  });

  it('of a real model', () => {
    const text = readFileSync('test/fixtures/corpora/embeddable_starter_basics/src/models/globals.py', 'utf8');
    expect(templateGlobals(text).map(({ name, kind }) => [name, kind])).toEqual([['list', 'function']]);
  });

  it('of any text stand where they say', () => {
    const line = fc.constantFrom(...PYTHON.split('\n'), 'def (', '"""', '@template.function(');
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
        const text = ['template = TemplateContext()', ...lines].join('\n');
        for (const { name, start, end } of templateGlobals(text)) expect(text.slice(start, end)).toBe(name);
      }),
      { numRuns: 200, seed: 5 },
    );
  });
});
