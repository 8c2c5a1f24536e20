import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { silentLogger } from '#base/log.ts';
import { caseVariantOf, requireInside, requireRealFile } from '#sync/disk/real-path.ts';
import { createNodePorts, type NodePorts } from '#sync/disk/sync-ports.ts';
import { FileProblem } from '#sync/core/ports.ts';
import { bytes, hashOf } from '#support/sync/disk.ts';

interface Places {
  /** The folder with `modelbench.json`. */
  readonly link: string;
  /** A folder that belongs to the user and not to the repository. */
  readonly outside: string;
  readonly at: (file: string) => string;
}

function places(): Places {
  const home = mkdtempSync(path.join(tmpdir(), 'real-path-'));
  onTestFinished(() => rm(home, { recursive: true, force: true, maxRetries: 3 }));
  const [link, outside] = [path.join(home, 'repository'), path.join(home, 'outside')];
  for (const folder of [link, path.join(outside, 'inner')]) mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(outside, 'inner/wallet.txt'), 'secret');
  return { link, outside, at: (file) => path.join(link, file) };
}

async function portsOf({ link }: Places, modelPath: string): Promise<NodePorts> {
  const storage = mkdtempSync(path.join(tmpdir(), 'real-path-storage-'));
  const ports = await createNodePorts({
    folder: path.join(link, modelPath),
    remoteFolder: modelPath,
    linkFolder: link,
    storage,
    branch: 'dev-a',
    worker: new URL('../../../../src/sync/disk/hash-worker.ts', import.meta.url),
    logger: silentLogger,
  });
  onTestFinished(async () => {
    ports.dispose();
    await rm(storage, { recursive: true, force: true, maxRetries: 3 });
  });
  return ports;
}

const scan = { ignores: (): boolean => false, ignoreLines: [], verify: false, maxFileSize: 1000 };
const blocked = { kind: 'blocked', message: expect.stringContaining('leads out of the linked folder') as string };

describe('a model folder behind a symbolic link', () => {
  it('lists, writes, deletes, renames and recovers nothing outside of the linked folder', async () => {
    const here = places();
    symlinkSync(here.outside, here.at('a'));
    const { files } = await portsOf(here, 'a/inner');
    await expect(files.scan(scan)).rejects.toMatchObject(blocked);
    await expect(files.recover()).rejects.toMatchObject(blocked);
    await expect(files.stage('a/inner/x.yml', bytes('x'), hashOf('x'))).rejects.toMatchObject(blocked);
    expect(await files.read('a/inner/wallet.txt')).toBeUndefined();
    expect(await files.stateOf('a/inner/wallet.txt')).toMatchObject({ kind: 'frozen' });
    expect(await files.remove('a/inner/wallet.txt', hashOf('secret'), 'pull')).toMatchObject({ kind: 'changed' });
    expect(await files.rename('a/inner/wallet.txt', 'a/inner/y.txt', hashOf('secret'))).toMatchObject({
      kind: 'changed',
    });
    expect(readdirSync(path.join(here.outside, 'inner'))).toEqual(['wallet.txt']);
  });

  it('writes nothing when an ancestor becomes a link between staging and the write', async () => {
    const here = places();
    mkdirSync(here.at('a/inner'), { recursive: true });
    const { files } = await portsOf(here, 'a/inner');
    const staged = await files.stage('a/inner/x.yml', bytes('x'), hashOf('x'));
    renameSync(here.at('a'), here.at('b'));
    symlinkSync(here.outside, here.at('a'));
    await expect(files.replace(staged, undefined, 'pull')).rejects.toMatchObject(blocked);
    expect(readdirSync(path.join(here.outside, 'inner'))).toEqual(['wallet.txt']);
  });

  it('works when the user opened the repository itself through a link, or a link stays inside', async () => {
    const here = places();
    const opened = path.join(path.dirname(here.link), 'opened');
    symlinkSync(here.link, opened);
    mkdirSync(here.at('real/model'), { recursive: true });
    symlinkSync(here.at('real'), here.at('linked'));
    const { files } = await portsOf({ ...here, link: opened }, 'linked/model');
    const staged = await files.stage('linked/model/x.yml', bytes('x'), hashOf('x'));
    expect(await files.replace(staged, undefined, 'pull')).toMatchObject({ kind: 'done' });
    expect(readFileSync(here.at('real/model/x.yml'), 'utf8')).toBe('x');
  });
});

describe('requireInside', () => {
  it('accepts folders that are not there yet and refuses links that lead nowhere', () => {
    const { link, outside, at } = places();
    expect(() => requireInside(at('x/y/z'), link)).not.toThrow();
    symlinkSync(path.join(outside, 'missing'), at('dangling'));
    symlinkSync(at('circle'), at('circle'));
    for (const folder of ['dangling', 'dangling/model', 'circle/model']) {
      expect(() => requireInside(at(folder), link)).toThrow(FileProblem);
    }
  });

  it('does not take a sibling with the same beginning for the linked folder', () => {
    const { link, at } = places();
    mkdirSync(`${link}-other/model`, { recursive: true });
    symlinkSync(`${link}-other`, at('a'));
    expect(() => requireInside(at('a/model'), link)).toThrow('leads out of the linked folder');
  });
});

describe('a file that is written outside of sync', () => {
  it('must not be a link, a folder, or behind a link', () => {
    const { link, outside, at } = places();
    mkdirSync(at('model/folder'), { recursive: true });
    symlinkSync(path.join(outside, 'inner/wallet.txt'), at('model/a.yml'));
    symlinkSync(path.join(outside, 'missing'), at('modelbench.json'));
    symlinkSync(outside, at('model/out'));
    for (const file of ['model/a.yml', 'modelbench.json', 'model/out/x.yml', 'model/folder', '../x.yml', '', '.']) {
      expect(() => requireRealFile(link, file)).toThrow(FileProblem);
    }
    expect(() => requireRealFile(link, 'model/new/b.yml')).not.toThrow();
    expect(existsSync(at('model/new'))).toBe(false);
  });

  it('finds a twin that differs in letter case or Unicode form, in any folder on the way', () => {
    const { link, at } = places();
    mkdirSync(at('model/Cubes'), { recursive: true });
    writeFileSync(at('model/Cubes/Orders.yml'), '');
    writeFileSync(at('model/\u00e9.yml'), '');
    expect(caseVariantOf(link, 'model/Cubes/Orders.yml')).toBeUndefined();
    expect(caseVariantOf(link, 'model/Cubes/new.yml')).toBeUndefined();
    expect(caseVariantOf(link, 'model/cubes/orders.yml')).toBe('model/Cubes/Orders.yml');
    expect(caseVariantOf(link, 'model/e\u0301.yml')).toBe('model/\u00e9.yml');
  });
});
