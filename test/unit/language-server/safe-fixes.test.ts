import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import type { CodeAction } from 'vscode-languageserver';
import { engineProcess } from '#language-server/engine/engine-process.ts';
import { examples } from '#support/language/diagnostic-page.ts';
import { fixture } from '#support/language/model.ts';
import { yaml } from '#support/language/raw.ts';
import { ROOT } from '#support/language/session.ts';
import { actionsIn, afterAction, applied } from '#support/language/show.ts';
import { bundledEngine } from '../../support/bundled-engine.ts';

interface Case {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
}
interface Verdict {
  readonly name: string;
  readonly file: string;
  readonly text: string;
}
const fixtureText = (name: string): string => readFileSync(`test/fixtures/language/${name}.json`, 'utf8');
const odd = JSON.parse(fixtureText('odd-models')) as { readonly cases: readonly Case[] };
const verdicts = JSON.parse(fixtureText('verdicts')) as { readonly cases: readonly Verdict[] };

const pages = examples().map(({ code, path, wrong }): Case => ({ name: code, files: { [path]: wrong } }));
const models: readonly Case[] = [
  ...pages,
  ...odd.cases,
  ...verdicts.cases.map(({ name, file, text }) => ({
    name,
    files: { [file]: text },
  })),
];

const textOf = (files: Case['files']): string =>
  Object.entries(files)
    .map(([path, text]) => `# file: ${path}\n${text.replaceAll('$0', '')}`)
    .join('');

/** The actions on the first file of a model. */
const actionsOf = ({ files }: Case): readonly CodeAction[] => actionsIn(textOf(files)).filter(({ edit }) => edit);

const after = (model: Case, action: CodeAction): Case['files'] => {
  const { opened } = fixture(textOf(model.files));
  const [path = ''] = Object.keys(model.files);
  const changed = Object.entries(action.edit?.changes ?? {});
  return changed.length === 0 ? model.files : { ...model.files, [path]: applied(opened, changed[0]?.[1] ?? []) };
};

const isOwn = ({ kind, title }: CodeAction): boolean => kind === 'quickfix' && !title.startsWith('Ignore');
const words = (text: string): readonly string[] => text.match(/[\w.]+/g) ?? [];

/** The words of a text that another one no longer has. */
function lost(before: string, later: string): readonly string[] {
  const left = [...words(later)];
  return words(before).filter((word) => {
    const at = left.indexOf(word);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
}

describe('fixes of whole files and Auto Fix', () => {
  it('replace single words only: whatever else was written stays, in every odd model', () => {
    const found: string[] = [];
    for (const model of models) {
      for (const action of actionsOf(model)) {
        if (action.kind !== 'source.fixAll' && !action.isPreferred) continue;
        const [path = ''] = Object.keys(model.files);
        const edits = Object.values(action.edit?.changes ?? {}).flat();
        const gone = lost(model.files[path] ?? '', after(model, action)[path] ?? '');
        const isWord = edits.every(({ newText, range }) => newText !== '' && range.start.line === range.end.line);
        if (!isWord || gone.length > edits.length) found.push(`${model.name}: ${action.title}: ${gone.join(' ')}`);
      }
    }
    expect(found).toEqual([]);
  });

  // @shows quick-fixes
  it.each([
    ['SQL beside a table', 'sql: |\n        select 1\n        from t'],
    ['a second section', 'measures: []\n    measures:\n      - {name: revenue, type: count}'],
    ['a key that nobody knows', 'owner: team'],
    ['a key in the wrong place', 'dimensions:\n      - {name: x, sql: x, type: string, joins: [{name: b}]}'],
    ['a key under a name that is taken', 'shown: false\n    public: true'],
    ['a name that is not near', 'joins: [{name: b, relationship: many_to_one, sql: "{CUBE}.x = {c}.x"}]'],
  ])('leave %s alone', (_, rest) => {
    const text = `cubes:\n  - name: a\n    sql_table: t\n    ${rest}\n`;
    const own = actionsIn(text).filter((action) => isOwn(action) || action.kind === 'source.fixAll');
    expect(own.filter(({ isPreferred, kind }) => isPreferred || kind === 'source.fixAll')).toEqual([]);
  });

  // @shows quick-fixes
  it('put the successor in place of a key that was removed', () => {
    const text = yaml`
      cubes:
        - name: a
          sql_table: t
          access_policy:
            - role: admin
              member_level: {includes: "*"}
    `;
    expect(afterAction(text, 'Fix all problems')).toMatchInlineSnapshot(`
      5 -       - role: admin
      5 +       - group: admin
    `);
  });
});

describe('a fix that removes something', () => {
  const text = 'cubes:\n  - name: a\n    sql_table: t\n    owner: team\n    title:\n';

  it('names what it removes, and is shown before it is made where the editor can do that', () => {
    const removals = actionsIn(text, 'file', {}, true).filter(({ title }) => title.startsWith('Remove'));
    expect(removals.map(({ title, edit }) => [title, edit?.changes, edit?.changeAnnotations])).toEqual([
      ['Remove `owner`', undefined, { removal: { label: 'Remove `owner`', needsConfirmation: true } }],
      ['Remove `title`', undefined, { removal: { label: 'Remove `title`', needsConfirmation: true } }],
    ]);
  });

  it('is an ordinary edit elsewhere', () => {
    expect(afterAction(text, 'Remove `owner`')).toMatchInlineSnapshot(`4 -     owner: team`);
  });
});

describe('every quick fix on the page of every diagnostic', async () => {
  const { options, remove } = await bundledEngine();
  const engine = engineProcess(options);
  afterAll(remove);
  const errors = async (files: Case['files']): Promise<readonly string[]> =>
    (
      await engine.check(
        ROOT,
        Object.entries(files).map(([fileName, content]) => ({ fileName, content })),
      )
    ).map(({ message }) => message);

  it.each(
    pages.flatMap((page) =>
      actionsOf(page)
        .filter(isOwn)
        .map((action) => [page, action] as const),
    ),
  )('leaves no more errors for the engine than before: $0.name, $1.title', async (page, action) => {
    const before = await errors(page.files);
    const later = await errors(after(page, action));
    const isMended = action.isPreferred === true && before.length > 0;
    expect(later.length).toBeLessThan(before.length + (isMended ? 0 : 1));
  });
});
