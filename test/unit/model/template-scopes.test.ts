import { describe, expect, it } from 'vitest';
import { parseFile } from '#model/file.ts';
import { ModelIndex } from '#model/index.ts';
import { templateOccurrences, templateSymbolAt } from '#model/templates/template-names.ts';

/** Templates in which `§` marks every occurrence of one name; other names of the same letters mean something else. */
const MARKED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'in the condition of its loop': {
    'a.yml': "{% for §n in ['a', '_b'] if not §n.startswith('_') and §n != 'n' %}{{ §n }}{% endfor %}{{ n }}",
  },
  'in the condition of a loop over a choice': {
    'a.yml': '{% for §n in (n if n else []) if §n %}{{ §n }}{% else %}{% endfor %}',
  },
  'that unpacks, in an inner loop': {
    'a.yml':
      '{% for n, cols in all %}{% for c, §kind in cols if §kind %}{{ n }}{{ §kind }}{% endfor %}{{ kind }}{% endfor %}',
  },
  'of a recursive loop': {
    'a.yml': '{% for §node in tree recursive %}{{ §node.n }}{{ loop(§node.kids) }}{% endfor %}',
  },
  'that a block gets from its macro': {
    'a.yml': "{% call(§it, more) each(['it']) %}{{ §it }}{{ §it | upper }}{{ more }}{% endcall %}{{ it }}",
  },
  'of the macro that a block calls': {
    'a.yml': '{% macro §each(xs) %}{{ caller(xs) }}{% endmacro %}{% call(x) §each([x]) %}{{ x }}{% endcall %}',
  },
  'of a parameter, beside a block of the same name': {
    'a.yml':
      '{% macro each(§xs, more) %}{{ §xs }}{% endmacro %}{% call(xs) each(§xs=[1]) %}{{ xs }}{% endcall %}{% call(y) each(§xs=1) %}{% endcall %}',
  },
  'of a macro that one file imports under another name': {
    'm.jinja': '{% macro one() %}{% endmacro %}{% macro §two() %}{% endmacro %}',
    'a.yml': '{% from "m.jinja" import one, §two as zwei %}{{ zwei() }}{{ two }}',
    'b.yml': '{% from "m.jinja" import §two with context %}{{ §two() }}',
  },
  'of an import, with control of blanks': {
    'm.jinja': '{% macro tbl(n) %}{% endmacro %}',
    'a.yml': "{%- import 'm.jinja' as §lib -%}\n{{- §lib.tbl('lib') -}}",
  },
  'of a namespace': {
    'a.yml': '{% set §ns = namespace(n=0) %}{% for t in ts %}{% set §ns.n = §ns.n + 1 %}{% endfor %}{{ §ns.n }}',
  },
  'that an inner loop hides': {
    'a.yml': "{% set §n = 'x' %}{% for n in [§n] %}{{ n }}{% endfor %}{{ §n }}{{ {'n': §n}.n }}",
  },
  'in an expression with a condition, and in arguments': {
    'a.yml':
      "{% set §big = 3 %}{{ 'x' if §big else 'y' }}{{ xs | join(big=§big) }}{{ 1 is divisibleby(§big) }}{{ xs[§big:] }}",
  },
};

describe('a name in a template', () => {
  // @shows templates
  it.each(Object.entries(MARKED))('is found at all of its places from each of them: %s', (_, marked) => {
    const index = new ModelIndex();
    const places = Object.entries(marked).flatMap(([path, text]) => {
      index.set(parseFile(path, text.replaceAll('§', '')));
      return [...text.matchAll(/§/g)].map(({ index: at }, before) => ({ path, start: at - before }));
    });
    const order = ({ path, start }: (typeof places)[number]): string => `${path} ${String(start).padStart(4, '0')}`;
    const expected = places.map(order).sort();
    for (const { path, start } of places) {
      const file = index.file(path);
      const found = file && templateSymbolAt(file, start, index);
      const all = found ? templateOccurrences(found.symbol, index) : [];
      expect(all.map((each) => order({ path: each.file.path, start: each.start })).sort()).toEqual(expected);
    }
  });
});
