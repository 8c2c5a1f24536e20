import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { resolve } from '#model/resolve.ts';
import { type Subject, usagesOf } from '#model/usages/usages.ts';
import { indexOf } from '#support/language/problems.ts';
import { yaml } from '#support/language/raw.ts';

const models = ['ix-eda-llm', 'vanilla-components', 'embeddable_starter_basics', 'remarkable-pro-boilerplate'].map(
  (name) => {
    const paths = globSync(`test/fixtures/corpora/${name}/**/*.{yml,yaml,js}`);
    return [name, Object.fromEntries(paths.map((path) => [path, readFileSync(path, 'utf8')]))] as const;
  },
);
const own = {
  'a.yml': yaml`
    cubes:
      - name: base
        sql_table: t
        dimensions:
          - {name: id, sql: id, type: number, primary_key: true}
          - {name: code, sql: code, type: string}
      - name: child
        extends: base
        measures:
          - {name: codes, type: count, sql: "{code}", drill_members: [code, base.code]}
      - name: other
        sql: "SELECT * FROM t WHERE {FILTER_PARAMS.child.code.filter('c')}"
        joins: [{name: child, sql: "{CUBE}.c = {child.code}", relationship: many_to_one}]
        dimensions:
          - {name: code, sql: "{CUBE}.code", type: string}
          - {name: via, sql: "{child.code}", type: string}
  `,
  'b.yml': yaml`
    views:
      - name: first
        cubes: [{join_path: other.child, prefix: true, includes: [code]}, {join_path: other, includes: [{name: code, alias: plain}]}]
        folders: [{name: All, includes: [child_code, plain]}]
      - name: second
        cubes: [{join_path: first, includes: "*"}]
        folders: [{name: All, includes: [child_code, plain]}]
  `,
};

/** The same by reading every reference of the model. */
function everywhere(subject: Subject, index: ReturnType<typeof indexOf>): string[] {
  return index.entities().flatMap((entity) =>
    entity.references.flatMap((reference) => {
      const { referents } = resolve(reference, entity, index);
      return reference.segments.flatMap(({ start, text }, at) => {
        const referent = referents[at];
        const isIt =
          subject.is === 'member'
            ? referent?.is === 'member' && referent.member.member === subject.member && text === subject.member.name
            : subject.is === 'entity' && referent?.is === 'entity' && referent.entity === subject.entity;
        return isIt ? [`${entity.name} ${start}`] : [];
      });
    }),
  );
}

describe('uses', () => {
  it.each([...models, ['extends, prefixes, views of views', own] as const])(
    'include everything that a search of all references finds: %s',
    (_, files) => {
      const index = indexOf(files);
      let found = 0;
      for (const entity of index.entities()) {
        const subjects: Subject[] = [
          { is: 'entity', entity },
          ...[...entity.members.values()].map((member): Subject => ({ is: 'member', member })),
        ];
        for (const subject of subjects) {
          const uses = new Set(usagesOf(subject, index).map((usage) => `${usage.entity.name} ${usage.start}`));
          const missed = everywhere(subject, index).filter((place) => !uses.has(place));
          expect(missed).toEqual([]);
          found += uses.size;
        }
      }
      expect(found).toBeGreaterThan(0);
    },
  );

  it.each([
    ...models,
    [
      'joins before their names',
      {
        'a.yml': yaml`
          cubes:
            - name: a
              joins:
                - sql: "{CUBE.x} = {b.x}"
                  name: b
                - {name: c, sql: "{c.x} = 1"}
        `,
      },
    ] as const,
  ])('come from the same references when only those with a word are read: %s', (_, files) => {
    const index = indexOf(files);
    let words = 0;
    for (const entity of index.entities()) {
      for (const word of entity.mentions) {
        words++;
        entity.release();
        const some = entity.referencesWith(word).filter(({ segments }) => segments.some(({ text }) => text === word));
        const all = entity.references.filter(({ segments }) => segments.some(({ text }) => text === word));
        expect(some).toEqual(all);
        expect(all.length).toBeGreaterThan(0);
      }
    }
    expect(words).toBeGreaterThan(0);
  });

  it('include the names that prefixes make, also in views of views', () => {
    const index = indexOf(own);
    const member = index.entity('base')?.members.get('code');
    if (!member) throw new Error('no member');
    const places = usagesOf({ is: 'member', member }, index).map(
      ({ entity, text, role }) => `${entity.name} ${text} ${role}`,
    );
    expect(places).toMatchInlineSnapshot(`
      [
        "base code definition",
        "child code reference",
        "child code reference",
        "child code reference",
        "other code reference",
        "other code reference",
        "other code reference",
        "first code reference",
        "first child_code implied",
        "second child_code implied",
      ]
    `);
  });
});
