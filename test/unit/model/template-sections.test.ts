import { describe, expect, it } from 'vitest';
import { jinja } from '#support/language/raw.ts';
import { problems } from '#support/language/show.ts';

/** Contents of a section whose items only the platform knows. */
const unknown = [
  '{{ cubes_of_team() }}',
  '\n  - {{ cube_of_team() }}',
  '[{{ cube_of_team() }}]',
  '\n  {{ cubes_of_team() }}',
];

describe('a section whose items a template makes', () => {
  it.each(['cubes', 'views', 'view_groups'].flatMap((section) => unknown.map((items) => `${section}: ${items}`)))(
    'has no problem: %j',
    (text) => {
      expect(problems(`# file: t.yml.jinja\n${text}\n`)).toEqual({ drawn: 'nothing' });
    },
  );

  it('must be a list where it is written out', () => {
    expect(
      problems(jinja`
        # file: t.yml.jinja
        cubes: {{ cubes_of_team() }}
        views: all
      `),
    ).toMatchInlineSnapshot(`
      2 views: all
        ~~~~~ error wrong-type: \`views\` must be a list: put \`- name: …\` in front of each definition.
    `);
  });
});
