import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { CodeAction, Diagnostic } from 'vscode-languageserver';
import { engineProcess } from '#language-server/engine/engine-process.ts';
import { quickFixTitles } from '#support/language/quick-fix-titles.ts';
import { examples } from '#support/language/diagnostic-page.ts';
import { FIX_CASES } from '#support/language/fix-cases.ts';
import { fixture, textIn } from '#support/language/model.ts';
import { filesIn, yaml } from '#support/language/raw.ts';
import { problemsOf } from '#support/language/problems.ts';
import { ROOT } from '#support/language/session.ts';
import { actionsIn, afterAction, applied } from '#support/language/show.ts';
import { bundledEngine } from '../../../../support/bundled-engine.ts';

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

const actionsByModel = new Map<Case, readonly CodeAction[]>();

/** The actions on the first file of a model. */
function actionsOf(model: Case): readonly CodeAction[] {
  const found = actionsByModel.get(model) ?? actionsIn(textOf(model.files)).filter(({ edit }) => edit);
  actionsByModel.set(model, found);
  return found;
}

const after = (model: Case, action: CodeAction): Case['files'] => {
  const { opened } = fixture(textOf(model.files));
  const [path = ''] = Object.keys(model.files);
  const changed = Object.entries(action.edit?.changes ?? {});
  return changed.length === 0 ? model.files : { ...model.files, [path]: applied(opened, changed[0]?.[1] ?? []) };
};

const isOwn = ({ kind, title }: CodeAction): boolean => kind === 'quickfix' && !title.startsWith('Ignore');
const words = (text: string): readonly string[] => text.match(/[\w.]+/g) ?? [];

/** The words of a text that another one no longer has. */
const lost = (before: string, later: string): readonly string[] => without(words(before), words(later));

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
    [
      'SQL beside a table',
      yaml`
        sql: |
                select 1
                from t`,
    ],
    [
      'a second section',
      yaml`
        measures: []
            measures:
              - {name: revenue, type: count}`,
    ],
    ['a key that nobody knows', 'owner: team'],
    [
      'a key in the wrong place',
      yaml`
        dimensions:
              - {name: x, sql: x, type: string, joins: [{name: b}]}`,
    ],
    [
      'a key under a name that is taken',
      yaml`
        shown: false
            public: true`,
    ],
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
  const text = yaml`
    cubes:
      - name: a
        sql_table: t
        owner: team
        title:
  `;

  it('names what it removes, and is shown before it is made where the editor can do that', () => {
    const removals = actionsIn(text, 'file', {}, 'annotated').filter(({ title }) => title.startsWith('Remove'));
    expect(removals.map(({ title, edit }) => [title, edit?.changes, edit?.changeAnnotations])).toEqual([
      ['Remove `owner`', undefined, { removal: { label: 'Remove `owner`', needsConfirmation: true } }],
      ['Remove `title`', undefined, { removal: { label: 'Remove `title`', needsConfirmation: true } }],
    ]);
  });

  it('is shown on the page of the extension', () => {
    const [removal] = actionsIn(text, 'file', {}, 'page').filter(({ title }) => title === 'Remove `owner`');
    const start = { line: 3, character: 0 };
    expect([removal?.edit, removal?.command]).toEqual([
      undefined,
      {
        title: 'Remove `owner`',
        command: 'modelbench.language.reviewEdit',
        arguments: [
          {
            title: 'Remove `owner`',
            uri: 'memory:///model/model.yml',
            range: { start, end: { line: 4, character: 0 } },
            removed: '    owner: team\n',
            text: '',
          },
        ],
      },
    ]);
  });

  it('is an ordinary edit elsewhere', () => {
    expect(afterAction(text, 'Remove `owner`')).toMatchInlineSnapshot(`4 -     owner: team`);
  });
});

interface ModelFix {
  readonly name: string;
  readonly title: string;
  readonly model: Case;
  readonly action: CodeAction;
}

/** Each quick fix of the first file of each model. */
const allFixes = (of: readonly Case[]): readonly ModelFix[] =>
  of.flatMap((model) =>
    actionsOf(model)
      .filter(isOwn)
      .map((action) => ({ name: model.name, title: action.title, model, action })),
  );

const withoutNames = (title: string): string => title.replaceAll(/`[^`]*`/g, '`…`');
const kindOf = ({ diagnostics, title }: CodeAction): string =>
  `${String(diagnostics?.[0]?.code)}: ${withoutNames(title)}`;

const cases: readonly Case[] = [
  ...pages,
  ...Object.entries(FIX_CASES).map(([name, text]) => ({ name, files: Object.fromEntries(filesIn(text)) })),
];

describe('the table of diagnostics', () => {
  const declared = Object.entries(quickFixTitles).flatMap(([code, fixes]) => fixes.map((fix) => `${code}: ${fix}`));

  it('names each quick fix of any odd model, and each that it names is compiled below', () => {
    const made = new Set(allFixes(models).map(({ action }) => kindOf(action)));
    const compiled = new Set(allFixes(cases).map(({ action }) => kindOf(action)));
    expect([...made].filter((kind) => !declared.includes(kind))).toEqual([]);
    expect([...compiled].toSorted()).toEqual(declared.toSorted());
  });

  it('names the title of each quick fix in the sources', () => {
    const sources = ['src/model/checks', 'src/language-server/ide'].flatMap((folder) =>
      readdirSync(folder, { encoding: 'utf8', recursive: true })
        .filter((name) => name.endsWith('.ts'))
        .map((name) => readFileSync(`${folder}/${name}`, 'utf8')),
    );
    const titles = sources.flatMap((text) =>
      [...text.matchAll(TITLE)].map(([, plain, template]) => patternOf(plain ?? template ?? '')),
    );
    const known = new Set(Object.values(quickFixTitles).flat());
    const isKnown = (pattern: RegExp): boolean => [...known, ...NO_FIXES].some((title) => pattern.test(title));
    expect(titles.length).toBeGreaterThan(20);
    expect(titles.filter((pattern) => !isKnown(pattern))).toEqual([]);
  });
});

const TITLE = /(?:title: |quickFix\()(?:'((?:\\.|[^'\\])*)'|`((?:\\.|[^`\\])*)`)/g;

/** Titles of actions and lenses that mend no problem. */
const NO_FIXES = [
  'Fix all problems that have an obvious fix',
  'Create a view of `…`',
  'Ignore `…` on this line',
  'Run',
  // The help for the filter `title` of templates.
  'Each word with a capital letter.',
];

/** What a title in a source can be in the table. */
function patternOf(source: string): RegExp {
  const title = withoutNames(source.replaceAll('\\`', '`').replaceAll(/\$\{language[^`]*$/g, '\0'));
  const [start = '', ...rest] = title.split(/\$\{[^}]*\}|\0/);
  const literal = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${[start, ...rest].map(literal).join('.*')}$`);
}

describe('a quick fix', () => {
  const plainWords = (text: string): readonly string[] => text.match(/\w+/g) ?? [];
  const lostBy = (model: Case, action: CodeAction): readonly string[] => {
    const [path = ''] = Object.keys(model.files);
    const marked = action.diagnostics?.[0]?.range;
    const { opened } = fixture(textOf(model.files));
    const kept = plainWords(after(model, action)[path] ?? '');
    const mistaken = marked ? plainWords(textIn(opened, marked)) : [];
    return without(without(plainWords(opened.file.text), kept), mistaken);
  };
  const dropped = (all: readonly Case[]): readonly string[] =>
    allFixes(all)
      .filter(({ title }) => !title.startsWith('Remove'))
      .flatMap(({ model, action }) => {
        const lost = lostBy(model, action);
        return lost.length === 0 ? [] : [`${model.name}: ${action.title}: ${lost.join(' ')}`];
      });

  // @shows quick-fixes
  it('that does not say that it removes something drops nothing but the word that is marked', () => {
    expect(dropped([...models, ...cases])).toEqual([]);
  });

  // @shows quick-fixes
  it('ends the problem that it is offered for', () => {
    const count = (files: Case['files'], { code, message }: Diagnostic): number =>
      problemsOf(files).filter((each) => each.code === code && each.message === message).length;
    const left = allFixes(cases).filter(({ model, action }) =>
      (action.diagnostics ?? []).some((each) => {
        const before = count(model.files, each);
        return before === 0 || count(after(model, action), each) >= before;
      }),
    );
    expect(left.map(({ name, title }) => `${name}: ${title}`)).toEqual([]);
  });

  it('has the line breaks of the file that it changes', () => {
    const mixed = cases.flatMap(({ name, files }) => {
      const text = textOf(files)
        .replaceAll('\n', '\r\n')
        .replaceAll(/^(# file: \S+)\r/gm, '$1');
      const edits = actionsIn(text).flatMap(({ title, edit }) =>
        Object.values(edit?.changes ?? {})
          .flat()
          .filter(({ newText }) => /(?<!\r)\n/.test(newText))
          .map(() => `${name}: ${title}`),
      );
      return edits;
    });
    expect(mixed).toEqual([]);
  });

  it('drops nothing else from a model that lines were moved, repeated, cut and indented in', () => {
    const text = fc.constantFrom(...cases.map(({ files }) => Object.entries(files)[0] ?? []));
    const steps = fc.array(fc.tuple(fc.nat(), fc.nat(), fc.constantFrom('move', 'repeat', 'cut', 'indent')), {
      minLength: 1,
      maxLength: 3,
    });
    fc.assert(
      fc.property(text, steps, ([path, model], changes) => {
        const odd = changes.reduce<string>(oddLines, model ?? '');
        expect(dropped([{ name: odd, files: { [path ?? '']: odd } }])).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('that removes or moves something asks before it does so, where the editor can ask', () => {
    const silent = cases.flatMap(({ files }) =>
      actionsIn(textOf(files), 'file', {}, 'annotated')
        .filter(({ title, kind }) => kind === 'quickfix' && /^(?:Remove|Move|Merge)/.test(title))
        .filter(({ edit }) =>
          Object.values(edit?.changeAnnotations ?? {}).every((each) => each.needsConfirmation !== true),
        )
        .map(({ title }) => title),
    );
    expect(silent).toEqual([]);
  });

  it('that removes or moves something is only a page to review in the extension', () => {
    const unreviewed = cases.flatMap(({ files }) =>
      actionsIn(textOf(files), 'file', {}, 'page')
        .filter(({ title, kind }) => kind === 'quickfix' && /^(?:Remove|Move|Merge)/.test(title))
        .filter(({ edit, command }) => edit !== undefined || command === undefined)
        .map(({ title }) => title),
    );
    expect(unreviewed).toEqual([]);
  });
});

/** The words that a list has more often than another one. */
function without(all: readonly string[], others: readonly string[]): readonly string[] {
  const left = [...others];
  return all.filter((word) => {
    const at = left.indexOf(word);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
}

type Step = readonly [from: number, to: number, what: string];

function oddLines(text: string, [from, to, what]: Step): string {
  const lines = text.split('\n');
  const at = from % lines.length;
  const line = lines[at] ?? '';
  if (what === 'indent') return lines.with(at, `${' '.repeat(to % 5)}${line}`).join('\n');
  const rest = what === 'repeat' ? lines : lines.toSpliced(at, 1);
  return (what === 'cut' ? rest : rest.toSpliced(to % (rest.length + 1), 0, line)).join('\n');
}

describe('every quick fix of every diagnostic', async () => {
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
  const errorsByModel = new Map<Case, Promise<readonly string[]>>();
  /** The errors of a model, which several fixes are compared with. */
  const errorsBefore = async (model: Case): Promise<readonly string[]> => {
    const found = errorsByModel.get(model) ?? errors(model.files);
    errorsByModel.set(model, found);
    return found;
  };

  it.each(allFixes(cases))(
    'leaves no more errors for the engine than before: $name, $title',
    async ({ model, action }) => {
      const before = await errorsBefore(model);
      const later = await errors(after(model, action));
      const isMended = action.isPreferred === true && before.length > 0;
      expect(later.length).toBeLessThan(before.length + (isMended ? 0 : 1));
    },
  );
});
