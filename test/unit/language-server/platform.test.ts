import { describe, expect, it } from 'vitest';
import type { CompletionList, Hover, MarkupContent } from 'vscode-languageserver';
import { completion } from '#language-server/ide/completion.ts';
import { hover } from '#language-server/ide/hover.ts';
import type { PlatformModel } from '#features/language/messages.ts';
import { type Fixture, fixture } from './fixture.ts';
import { Session } from './session.ts';
import { shopAt } from './shop.ts';

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

function words({ opened, offset }: Fixture): string {
  return (hover(opened, offset)?.contents as MarkupContent | undefined)?.value ?? '';
}

function labels({ opened, offset }: Fixture): string[] {
  return completion(opened, offset).items.map(({ label }) => label);
}

/** A template makes cubes when the model runs. */
const TEMPLATED = `#- generated.yml.jinja
cubes:
{% for name in names() %}
  - name: {{ name }}
    sql_table: t
{% endfor %}
`;

describe('what the environment runs', () => {
  it('is named by a hover where the file says something else', () => {
    expect(words(withPlatform(shopAt('cubes/users.yml', '- name: ci')))).toContain('On `dev-ann`: dimension · number');
    expect(words(withPlatform(shopAt('cubes/users.yml', '- name: cou')))).not.toContain('dev-ann');
    expect(words(withPlatform(shopAt('cubes/orders.yml', '- name: stat')))).toContain('Not on `dev-ann` yet');
    expect(words(withPlatform(shopAt('cubes/orders.yml', '- name: i')))).not.toContain('dev-ann');
  });

  it('completes names that templates make, and none in a model that the files say whole', () => {
    const path = shopAt('cubes/orders.yml', 'drill_members: [id, status, users.');
    expect(labels(withPlatform(path))).not.toContain('country');
    expect(labels(withPlatform(TEMPLATED + path))).toEqual(expect.arrayContaining(['city', 'country']));
    const join = shopAt('cubes/orders.yml', '- name: us', 'ers\n        relationship');
    expect(labels(withPlatform(TEMPLATED + join))).toContain('visits');
    expect(labels(withPlatform(join))).not.toContain('visits');
    const included = shopAt('views/shop.yml', 'includes: [ci');
    expect(labels(withPlatform(TEMPLATED + included))).toContain('country');
    expect(labels(fixture(TEMPLATED + included))).not.toContain('country');
  });

  it('explains a name that no file defines', () => {
    const text = `${TEMPLATED}#- a.yml\ncubes:\n  - name: a\n    sql_table: t\n    joins:\n      - name: visits\n        relationship: many_to_one\n        sql: "{CUBE}.x = {visi$0ts.count}"\n`;
    expect(words(withPlatform(text))).toContain('**visits** · cube');
    expect(words(withPlatform(text))).toContain('From `dev-ann`');
    expect(words(withPlatform(text.replace('visi$0ts.count', 'visits.cou$0nt')))).toContain(
      '**visits.count** · measure',
    );
    expect(words(fixture(text))).not.toContain('dev-ann');
  });

  it('is asked for once a root, again when the client says that it changed, and does without an answer', async () => {
    const session = await Session.start({ 'a.yml': 'cubes:\n  - name: users\n    sql_table: t\n' });
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
    expect(JSON.stringify(without.contents)).not.toContain('dev-ann');
    answer = () => ({ environment: 'dev-ann', cubes: platform.cubes.slice(1) });
    asking = nextAsk();
    await session.client.sendNotification('modelbench/platformChanged');
    await asking;
    await session.request<CompletionList>('textDocument/completion', uri, { position });
    const found = await session.request<Hover>('textDocument/hover', uri, { position });
    expect(JSON.stringify(found.contents)).toContain('Not on `dev-ann` yet');
    expect(new Set(asked)).toEqual(new Set(['memory:///model']));
    expect(asked.length).toBe(2);
    session.dispose();
  });
});
