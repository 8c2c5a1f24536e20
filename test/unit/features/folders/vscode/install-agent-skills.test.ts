import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { installAgentSkills as InstallAgentSkills } from '#features/folders/vscode/install-agent-skills.ts';
import { root } from '../../../../tools/run.ts';

interface Uri {
  readonly fsPath: string;
}

/** A window with one folder, and a user who picks rows and a button by their labels. */
const host = vi.hoisted(() => ({
  folder: '',
  picks: undefined as readonly string[] | undefined,
  presses: undefined as string | undefined,
  said: [] as string[],
}));

vi.mock('vscode', async () => {
  const fake = await import('#support/fake-vscode.ts');
  class FileSystemError extends Error {
    readonly code = 'FileNotFound';
  }
  const found = <T>(read: () => T): Promise<T> => {
    try {
      return Promise.resolve(read());
    } catch {
      return Promise.reject(new FileSystemError());
    }
  };
  return {
    ...fake,
    FileSystemError,
    window: {
      ...fake.window,
      showQuickPick: (items: readonly { readonly label: string }[]) =>
        Promise.resolve(host.picks && items.filter(({ label }) => host.picks?.includes(label))),
      showInformationMessage: (said: string) => Promise.resolve(void host.said.push(said)),
      showWarningMessage: (said: string, { detail }: { readonly detail: string }) => {
        host.said.push(said, detail);
        return Promise.resolve(host.presses);
      },
    },
    workspace: {
      ...fake.workspace,
      get workspaceFolders() {
        return host.folder === '' ? undefined : [{ name: 'shop', uri: fake.Uri.file(host.folder) }];
      },
      fs: {
        readDirectory: (uri: Uri) => found(() => readdirSync(uri.fsPath).map((name) => [name, 2])),
        readFile: (uri: Uri) => found(() => readFileSync(uri.fsPath)),
        writeFile: async (uri: Uri, bytes: Uint8Array) => {
          mkdirSync(path.dirname(uri.fsPath), { recursive: true });
          return Promise.resolve(writeFileSync(uri.fsPath, bytes));
        },
      },
    },
  };
});

const shipped = path.join(root, 'media/skills');
const names = readdirSync(shipped).sort();
const textOf = (name: string): string => readFileSync(path.join(shipped, name, 'SKILL.md'), 'utf8');

describe('Install Agent Skills', () => {
  let install: typeof InstallAgentSkills;
  beforeAll(async () => {
    vi.resetModules();
    ({ installAgentSkills: install } = await import('#features/folders/vscode/install-agent-skills.ts'));
  });
  afterAll(() => vi.resetModules());
  beforeEach(() => {
    const folder = mkdtempSync(path.join(tmpdir(), 'modelbench-skills-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    Object.assign(host, { folder, picks: ['Claude Code', 'Cursor'], presses: undefined, said: [] });
  });

  const run = async (): Promise<void> => {
    const { Uri } = await import('#support/fake-vscode.ts');
    await install({ context: { extension: {}, extensionUri: Uri.file(root) } as never });
  };
  const at = (name: string, reader = '.claude'): string => path.join(host.folder, reader, 'skills', name, 'SKILL.md');
  const [first = ''] = names;

  it('writes every skill for each assistant that the user chose, and says where', async () => {
    await run();
    expect(names).toHaveLength(5);
    for (const reader of ['.claude', '.cursor'])
      for (const name of names) expect(readFileSync(at(name, reader), 'utf8')).toBe(textOf(name));
    expect(readdirSync(host.folder).sort()).toEqual(['.claude', '.cursor']);
    expect(host.said).toEqual(['Installed 10 skill files in .claude/skills, .cursor/skills.']);
    await run();
    expect(host.said.at(-1)).toBe('The skills are up to date.');
  });

  it.each([[undefined], [[]]])('writes nothing where the user chose %j', async (picks) => {
    host.picks = picks;
    await run();
    expect([readdirSync(host.folder), host.said]).toEqual([[], []]);
  });

  it('takes files with line ends of Windows for the same', async () => {
    await run();
    for (const name of names) writeFileSync(at(name), `\uFEFF${textOf(name).replaceAll('\n', '\r\n')}`);
    await run();
    expect(host.said.at(-1)).toBe('The skills are up to date.');
  });

  it.each([
    ['Keep Mine', 'ours', 'Installed 1 skill file in .claude/skills, .cursor/skills.'],
    ['Replace 1 File', 'theirs', 'Installed 2 skill files in .claude/skills, .cursor/skills.'],
    [undefined, 'ours', undefined],
  ])('asks before it replaces what the team changed: %s', async (presses, kept, says) => {
    await run();
    writeFileSync(at(first), 'ours');
    rmSync(at(first, '.cursor'));
    Object.assign(host, { presses, said: [] });
    await run();
    expect(host.said.slice(0, 2)).toEqual([
      '1 skill file of this project differs from those of this version of Modelbench.',
      `.claude/skills/${first}/SKILL.md`,
    ]);
    expect(host.said[2]).toBe(says);
    expect(readFileSync(at(first), 'utf8')).toBe(kept === 'ours' ? 'ours' : textOf(first));
    expect(existsSync(at(first, '.cursor'))).toBe(says !== undefined);
  });

  it('asks for a folder first where none is open', async () => {
    host.folder = '';
    await expect(run()).rejects.toThrow('Open the folder of your project first.');
  });

  it.each([
    ['folder', '.claude'],
    ['folder', '.claude/skills'],
    ['file', `.claude/skills/${first}/SKILL.md`],
    ['missing file', `.claude/skills/${names.at(-1) ?? ''}/SKILL.md`],
  ])('writes nothing where the project has a link to a %s elsewhere: %s', async (what, link) => {
    const outside = mkdtempSync(path.join(tmpdir(), 'modelbench-outside-'));
    onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
    if (what === 'file') writeFileSync(path.join(outside, 'mine'), 'mine');
    mkdirSync(path.dirname(path.join(host.folder, link)), { recursive: true });
    symlinkSync(what === 'folder' ? outside : path.join(outside, 'mine'), path.join(host.folder, link));
    const before = readdirSync(outside);
    host.presses = 'Replace 1 File';
    await expect(run()).rejects.toMatchObject({
      name: 'UserError',
      message: expect.stringContaining('symbolic link') as string,
    });
    expect(readdirSync(outside)).toEqual(before);
    expect(before.map((name) => readFileSync(path.join(outside, name), 'utf8'))).toEqual(before.map(() => 'mine'));
    expect(existsSync(at(first, '.cursor'))).toBe(false);
  });
});
