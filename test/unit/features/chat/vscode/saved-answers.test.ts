import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { err, ok } from '#base/result.ts';
import { Store } from '#base/store.ts';
import type { SavedAnswers as SavedAnswersType } from '#features/chat/vscode/saved-answers.ts';
import * as fake from '#support/fake-vscode.ts';
import { indented, yaml } from '#support/language/raw.ts';

/** Files of the window, by path. */
const files = new Map<string, string>();
const shown: string[] = [];
const said: string[] = [];

class FileNotFound extends Error {
  readonly code = 'FileNotFound';
}

vi.mock('vscode', async () => {
  const fake = await import('#support/fake-vscode.ts');
  const { Uri } = fake;
  type AnyUri = ReturnType<typeof Uri.file>;
  const read = ({ path }: AnyUri): string => {
    const text = files.get(path);
    if (text === undefined) throw new FileNotFound();
    return text;
  };
  const namesEval = /\/agents\/eval_questions(?:\.yml$|\/)/;
  return {
    ...fake,
    FileSystemError: FileNotFound,
    RelativePattern: class {
      readonly isOfAgents = true;
    },
    workspace: {
      ...fake.workspace,
      workspaceFolders: [{ uri: Uri.file('/shop') }],
      getWorkspaceFolder: () => undefined,
      asRelativePath: ({ path }: AnyUri) => path.replace('/shop/', ''),
      findFiles: async (pattern: unknown) => {
        const isWanted = (path: string): boolean =>
          typeof pattern === 'string' ? path.endsWith('.query.yml') : namesEval.test(path);
        return Promise.resolve([...files.keys()].filter(isWanted).map((path) => Uri.file(path)));
      },
      fs: {
        stat: async (uri: AnyUri) => Promise.resolve(read(uri)),
        readFile: async (uri: AnyUri) => Promise.resolve(new TextEncoder().encode(read(uri))),
        writeFile: async ({ path }: AnyUri, bytes: Uint8Array) =>
          Promise.resolve(void files.set(path, new TextDecoder().decode(bytes))),
      },
      openTextDocument: async ({ content }: { content: string }) => Promise.resolve(content),
    },
    window: {
      ...fake.window,
      showTextDocument: async (given: AnyUri | string) =>
        Promise.resolve(void shown.push(typeof given === 'string' ? given : given.path)),
      showInformationMessage: async (text: string) => Promise.resolve(void said.push(text)),
    },
  };
});

let SavedAnswers: typeof SavedAnswersType;
beforeAll(async () => {
  vi.resetModules();
  ({ SavedAnswers } = await import('#features/chat/vscode/saved-answers.ts'));
});
afterAll(() => vi.resetModules());
beforeEach(() => {
  files.clear();
  shown.splice(0);
  said.splice(0);
});

const branch = (branchName: string) => ({ accountId: 'a', deploymentId: '1', branchName });
const result = {
  sql: 'SELECT 1 AS n',
  title: 'One',
  description: '',
  columns: [{ name: 'n', type: 'Int32' }],
  rows: [['1']],
  total: 1,
};

/** Saved answers of a window; `numbers`: what each environment answers. */
function open(numbers: Readonly<Record<string, string>> = {}, linked?: { path: string; modelPath: string }) {
  const queries = {
    nameOf: async () => Promise.resolve('Shop'),
    client: ({ environmentId }: { environmentId: string }) => ({
      cubeSql: async function* () {
        yield { kind: 'schema', columns: result.columns };
        yield { kind: 'rows', rows: [[await Promise.resolve(numbers[environmentId])]] };
      },
    }),
  };
  return new SavedAnswers({
    isTrusted: new Store(true),
    modelFolder: () => linked && { uri: fake.Uri.file(linked.path) as never, modelPath: linked.modelPath },
    queries: async () => Promise.resolve(queries as never),
    environmentOf: async ({ branchName }) =>
      Promise.resolve(branchName in numbers ? ok(branchName) : err(`“${branchName}” has no environment.`)),
  });
}

describe('saved answers', () => {
  it('are files beside the model, each with a name of its own', async () => {
    const answers = open();
    await answers.save('How many?\n', result);
    await answers.save('How many?', result);
    expect([...files.keys()]).toEqual(['/shop/queries/how-many.query.yml', '/shop/queries/how-many-2.query.yml']);
    expect(shown).toEqual([...files.keys()]);
    expect(files.get('/shop/queries/how-many.query.yml')).toMatch(/^title: One\nquestion: How many\?\nsql: \|\n/);
    expect(await answers.count()).toBe(2);
  });

  it.each([
    ['/shop', 'model', '/shop/queries/how-many.query.yml'],
    ['/shop', 'apps/model', '/shop/apps/queries/how-many.query.yml'],
    // The whole project is linked.
    ['/shop', '', '/shop/queries/how-many.query.yml'],
  ])('are written beside the model of %s, “%s”', async (path, modelPath, expected) => {
    files.set('/shop/model', 'a folder');
    await open({}, { path, modelPath }).save('How many?', result);
    expect([...files.keys()]).toContain(expected);
  });

  it('are never written into the model', async () => {
    const answers = open({}, { path: '/shop', modelPath: '' });
    await answers.save('How many?', result);
    expect([...files.keys()]).toEqual(['/queries/shop/how-many.query.yml']);
    expect(await answers.count()).toBe(1);
  });

  it('are compared between the environments of two branches', async () => {
    const answers = open({ main: '1', 'dev-ada': '2' });
    await answers.save('How many?', result);
    const { summary, lines, show } = await answers.compare(branch('dev-ada'), branch('main'));
    expect([summary, lines]).toEqual([
      '1 answer changed',
      [{ severity: 'warning', text: 'How many? 1 row changed, 0 rows the same.' }],
    ]);
    await show();
    expect(shown.at(-1)).toContain('| changed | 1 | 2 |');
  });

  it('are not compared with production where a branch has no environment', async () => {
    const answers = open({ main: '1' });
    await answers.save('How many?', result);
    await expect(answers.compare(branch('dev-ada'), branch('main'))).rejects.toThrow('“dev-ada” has no environment.');
  });

  it('are exported beside the questions of other files, whose names stay theirs', async () => {
    const answers = open();
    files.set(
      '/shop/agents/eval_questions.yml',
      yaml`
        eval_questions:
          - name: how_many
            sql: SELECT 2
      `,
    );
    await answers.save('How many?', result);
    await answers.exportQuestions();
    const exported = files.get('/shop/agents/eval_questions/saved_answers.yml');
    expect(exported).toContain(
      indented(
        2,
        yaml`
          - name: how_many_2
            question: How many?
            sql: |
              SELECT 1 AS n
        `,
      ),
    );
    await answers.exportQuestions();
    expect(files.get('/shop/agents/eval_questions/saved_answers.yml')).toBe(exported);
    expect(said[0]).toBe('Exported 1 question.');
  });

  it('say so where there is nothing to export', async () => {
    await expect(open().exportQuestions()).rejects.toThrow('There are no saved questions with SQL');
  });
});
