import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { modelFolder } from '#cli/model-folder.ts';
import { QUERIED } from '#support/language/queries.ts';
import { Session } from '#support/language/session.ts';

const QUERY = 'query: { measures: [orders.cuont] }\n';
const FOLDERS = ['queries', 'apps/queries', 'apps/shop/queries'];

/** The query files that the command line reads in a linked folder. */
async function readByCommandLine(folder: string): Promise<readonly string[]> {
  const { queries } = await modelFolder(folder, folder)(new AbortController().signal);
  return [...(queries?.keys() ?? [])];
}

/** The query files that the language server judges by the model; `nested`: the models that are known to be inside a project. */
async function checkedInEditor(
  modelPath: string,
  nested = [modelPath],
  folders: readonly string[] = FOLDERS,
): Promise<readonly string[]> {
  const project = 'memory:///project';
  const texts = new Map([
    [`${project}/${modelPath}/shop.yml`, QUERIED],
    ...folders.map((path) => [`${project}/${path}/a.query.yml`, QUERY] as const),
  ]);
  const session = await Session.start(
    {},
    { roots: [`${project}/${modelPath}`], nested: nested.map((path) => `${project}/${path}`) },
    [],
    undefined,
    {
      listFiles: (root) => Promise.resolve([...texts.keys()].filter((uri) => uri.startsWith(`${root}/`))),
      readFile: (uri) => Promise.resolve(texts.get(uri)),
    },
  );
  const judged: string[] = [];
  for (const path of folders) {
    const uri = await session.open(`${project}/${path}/a.query.yml`, QUERY);
    await expect.poll(() => session.diagnostics.has(uri)).toBe(true);
    const [first] = session.diagnostics.get(uri)?.diagnostics ?? [];
    if (JSON.stringify(first?.message ?? '').includes('orders.cuont')) judged.push(`${path}/a.query.yml`);
  }
  session.dispose();
  return judged;
}

describe('the folder of queries', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'modelbench-queries-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const link = (modelPath: string): void => {
    const link = { tenant: 'https://shop.example', deployment: 1, modelPath };
    write('modelbench.json', JSON.stringify(link));
    write(`${modelPath}/shop.yml`, QUERIED);
    for (const path of FOLDERS) write(`${path}/a.query.yml`, QUERY);
  };

  it.each([
    ['model', 'queries'],
    ['apps/model', 'apps/queries'],
    ['apps/shop/schema', 'apps/shop/queries'],
    ['apps/semantic', 'apps/queries'],
  ])('is beside the model at %s, on the command line and in the editor', async (modelPath, expected) => {
    link(modelPath);
    expect(await readByCommandLine(folder)).toEqual([`${expected}/a.query.yml`]);
    expect(await checkedInEditor(modelPath)).toEqual([`${expected}/a.query.yml`]);
  });

  it.each([
    ['apps/model', 'apps/queries'],
    ['apps/shop/schema', 'apps/shop/queries'],
  ])('is beside the model also where %s itself is opened or named', async (modelPath, expected) => {
    link(modelPath);
    const model = join(folder, modelPath);
    const found = await readByCommandLine(model);
    expect(found.map((path) => relative(folder, path).split(sep).join('/'))).toEqual([`${expected}/a.query.yml`]);
    expect(await checkedInEditor(modelPath, [])).toEqual([`${expected}/a.query.yml`]);
  });

  it('has a folder for a model of another name that is linked as a whole', async () => {
    const folders = ['apps/queries/semantic', 'apps/queries/other', 'queries'];
    write(
      'apps/semantic/modelbench.json',
      JSON.stringify({ tenant: 'https://shop.example', deployment: 1, modelPath: '.' }),
    );
    write('apps/semantic/shop.yml', QUERIED);
    for (const path of folders) write(`${path}/a.query.yml`, QUERY);
    const found = await readByCommandLine(join(folder, 'apps/semantic'));
    expect(found.map((path) => relative(folder, path).split(sep).join('/'))).toEqual([
      'apps/queries/semantic/a.query.yml',
    ]);
    expect(await checkedInEditor('apps/semantic', [], folders)).toEqual(['apps/queries/semantic/a.query.yml']);
  });

  it('is unknown where the folder that is opened or named has another name', async () => {
    link('apps/semantic');
    for (const named of ['apps/semantic', 'apps/semantic/', 'apps/semantic/.'])
      expect(await readByCommandLine(`${folder}/${named}`)).toEqual([]);
    expect(await checkedInEditor('apps/semantic', [])).toEqual([]);
  });
});
