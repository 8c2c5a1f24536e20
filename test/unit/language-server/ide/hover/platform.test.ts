import { describe, expect, it } from 'vitest';
import type { CompletionList, Hover, MarkupContent } from 'vscode-languageserver';
import type { PlatformModel } from '#features/language/messages.ts';
import type { Drawn } from '#support/language/drawn.ts';
import { type Fixture, fixture } from '#support/language/model.ts';
import { yaml } from '#support/language/raw.ts';
import { Session } from '#support/language/session.ts';
import { shopAt } from '#support/language/shop.ts';
import { completions, hovered, lines } from '#support/language/show.ts';

const platform: PlatformModel = {
  environment: 'dev-ann',
  cubes: [
    {
      name: 'users',
      kind: 'cube',
      members: [
        { name: 'city', kind: 'dimension', type: 'number' },
        { name: 'count', kind: 'measure', type: 'count' },
        { name: 'country', kind: 'dimension', type: 'string', title: 'Country', description: 'Where they pay taxes.' },
      ],
    },
    { name: 'visits', kind: 'cube', title: 'Visits', members: [{ name: 'count', kind: 'measure', type: 'count' }] },
  ],
};

function withPlatform(text: string): Fixture {
  const model = fixture(text);
  model.opened.root.platform = platform;
  return model;
}

/** A template makes cubes when the model runs. */
const TEMPLATED = yaml`
  # file: generated.yml.jinja
  cubes:
  {% for name in names() %}
    - name: {{ name }}
      sql_table: t
  {% endfor %}
`;

describe('a hover', () => {
  // @shows platform-model (server)
  it('says what the environment runs where the file says something else', () => {
    const city = shopAt('cubes/users.yml', '- name: ci');
    expect(hovered(withPlatform(city))).toMatchInlineSnapshot(`
      **users.city** · dimension · string

      Where the user lives.

      \`\`\`sql
      {CUBE}.city
      \`\`\`

      4 uses

      Defined in users.yml

      *On \`dev-ann\`: dimension · number*
    `);
    const count = shopAt('cubes/users.yml', '- name: cou');
    expect(hovered(withPlatform(count))).toEqual(hovered(count));
  });

  // @shows platform-model (server)
  it('says that the environment does not have a member yet', () => {
    const status = shopAt('cubes/orders.yml', '- name: stat');
    expect(hovered(withPlatform(status))).toMatchInlineSnapshot(`
      **orders.status** · dimension · string

      \`\`\`sql
      status
      \`\`\`

      3 uses

      Defined in orders.yml

      *Not on \`dev-ann\` yet*
    `);
    const id = shopAt('cubes/orders.yml', '- name: i');
    expect(hovered(withPlatform(id))).toMatchInlineSnapshot(`
      **orders.id** · dimension · number · primary key

      \`\`\`sql
      id
      \`\`\`

      1 use

      Defined in orders.yml
    `);
  });

  const using = (reference: string): string => yaml`
    ${TEMPLATED}
    # file: a.yml
    cubes:
      - name: a
        sql_table: t
        joins:
          - name: visits
            relationship: many_to_one
            sql: "{CUBE}.x = {${reference}}"
  `;

  it('explains a name that no file defines', () => {
    expect(hovered(withPlatform(using('visi$0ts.count')))).toMatchInlineSnapshot(`
      **visits** · cube

      *Visits*

      From \`dev-ann\`: the files do not define it.
    `);
    expect(hovered(withPlatform(using('visits.cou$0nt')))).toMatchInlineSnapshot(`
      **visits.count** · measure · count

      From \`dev-ann\`: the files do not define it.
    `);
    expect(hovered(using('visi$0ts.count'))).toMatchInlineSnapshot(`nothing`);
  });
});

describe('completion', () => {
  // @shows platform-model (server)
  it('offers members of the environment where templates make names', () => {
    const path = shopAt('cubes/orders.yml', 'drill_members: [id, status, users.');
    expect(completions(withPlatform(path))).toMatchInlineSnapshot(`city, id, count`);
    expect(completions(withPlatform(TEMPLATED + path))).toMatchInlineSnapshot(`city, id, count, country`);
  });

  // @shows platform-model (server)
  it('offers cubes of the environment where templates make names', () => {
    const join = shopAt('cubes/orders.yml', '- name: us', 'ers\n        relationship');
    expect(completions(withPlatform(join))).toMatchInlineSnapshot(`users`);
    expect(completions(withPlatform(TEMPLATED + join))).toMatchInlineSnapshot(`users, visits`);
  });

  // @shows platform-model (server)
  it('offers what a view may include of the environment where templates make names', () => {
    const included = shopAt('views/shop.yml', 'includes: [ci');
    expect(completions(TEMPLATED + included)).toMatchInlineSnapshot(`city, count, id`);
    expect(completions(withPlatform(TEMPLATED + included))).toMatchInlineSnapshot(`city, count, id, country`);
  });
});

describe('the server', () => {
  const textOf = ({ contents }: Hover): Drawn => lines([(contents as MarkupContent).value]);

  // @shows platform-model (server)
  it('asks once for a model what the environment runs, again when that changed, and does without', async () => {
    const session = await Session.start({
      'a.yml': yaml`
        cubes:
          - name: users
            sql_table: t
      `,
    });
    const asked: string[] = [];
    let answer: () => PlatformModel | null = () => null;
    let heard: () => void = () => undefined;
    session.client.onRequest('modelbench/platformModel', ({ root }: { root: string }) => {
      asked.push(root);
      heard();
      return answer();
    });
    const nextAsk = (): Promise<void> => new Promise((resolve) => (heard = resolve));
    let asking = nextAsk();
    const uri = await session.open('a.yml');
    await asking;
    const position = { line: 1, character: 12 };
    const without = await session.request<Hover>('textDocument/hover', uri, { position });
    expect(textOf(without)).toMatchInlineSnapshot(`
      **users** · cube

      0 measures, 0 dimensions, 0 segments

      \`\`\`sql
      t
      \`\`\`

      Defined in a.yml
    `);
    answer = () => ({ environment: 'dev-ann', cubes: platform.cubes.slice(1) });
    asking = nextAsk();
    await session.client.sendNotification('modelbench/platformChanged');
    await asking;
    await session.request<CompletionList>('textDocument/completion', uri, { position });
    const found = await session.request<Hover>('textDocument/hover', uri, { position });
    expect(textOf(found)).toMatchInlineSnapshot(`
      **users** · cube

      0 measures, 0 dimensions, 0 segments

      \`\`\`sql
      t
      \`\`\`

      Defined in a.yml

      *Not on \`dev-ann\` yet*
    `);
    expect(asked).toEqual(['memory:///model', 'memory:///model']);
    session.dispose();
  });
});
