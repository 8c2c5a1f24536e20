import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { UnsentRecord } from '#shell/unsent-record.ts';
import { unsentFolder, UnsentFiles } from '#shell/vscode/unsent-files.ts';
import { eraseAccount } from '#sync/disk/erase-account.ts';

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'unsent-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true, maxRetries: 3 }));
  return made;
}

const record = (path: string, text: string, account = 'one'): UnsentRecord => ({
  account,
  path,
  recipe: { kind: 'thing', accountId: account },
  sum: 's',
  base: '{}',
  text,
});

describe('unsent texts on the disk', () => {
  it('are what was stored last, for each path of each workspace', async () => {
    const storage = folder();
    const [one, two] = [new UnsentFiles(storage, ['one', 'documents']), new UnsentFiles(storage, ['two', 'documents'])];
    await Promise.all([1, 2, 3].map(async (at) => one.write(record('/a', `${at}`))));
    await one.write(record('/b/é"\\', 'b'));
    expect((await one.read('/a'))?.text).toBe('3');
    expect((await new UnsentFiles(storage, ['one', 'documents']).read('/b/é"\\'))?.text).toBe('b');
    expect(await two.read('/a')).toBeUndefined();
    await one.remove('/a');
    await one.remove('/a');
    expect(await one.read('/a')).toBeUndefined();
    expect(readdirSync(join(storage, unsentFolder))).toHaveLength(1);
  });

  it('are none where a file is damaged, and say where the disk cannot be written', async () => {
    const storage = folder();
    const files = new UnsentFiles(storage, []);
    await files.write(record('/a', 'text'));
    const [name = ''] = readdirSync(join(storage, unsentFolder));
    writeFileSync(join(storage, unsentFolder, name), '{"path":');
    expect(await files.read('/a')).toBeUndefined();
    const blocked = folder();
    writeFileSync(join(blocked, unsentFolder), 'a file in the place of the folder');
    await expect(new UnsentFiles(blocked, []).write(record('/a', 'text'))).rejects.toThrow(/EEXIST|ENOTDIR/);
  });

  it('are there after the process was killed right after it stored them', async () => {
    const storage = folder();
    const program = join(storage, 'program.mts');
    const module = new URL('../../../../src/shell/vscode/unsent-files.ts', import.meta.url).href;
    writeFileSync(
      program,
      `import { UnsentFiles } from ${JSON.stringify(module)};
       await new UnsentFiles(${JSON.stringify(storage)}, []).write(${JSON.stringify(record('/a', 'typed last'))});
       process.kill(process.pid, 'SIGKILL');`,
    );
    const child = fork(program, { execArgv: [], stdio: 'ignore' });
    await once(child, 'exit');
    expect((await new UnsentFiles(storage, []).read('/a'))?.text).toBe('typed last');
  });

  it('are erased with their account, in every workspace, also one that a crash cut off', async () => {
    const storage = folder();
    const [one, two] = [new UnsentFiles(storage, ['one']), new UnsentFiles(storage, ['two'])];
    await one.write(record('/a', 'mine'));
    await two.write(record('/a', 'mine'));
    await two.write(record('/b', 'theirs', 'one.example'));
    writeFileSync(join(storage, unsentFolder, 'x.tmp'), JSON.stringify(record('/c', 'mine')).slice(0, 40));
    await eraseAccount(storage, 'one');
    expect([await one.read('/a'), await two.read('/a')]).toEqual([undefined, undefined]);
    expect((await two.read('/b'))?.text).toBe('theirs');
    expect(readdirSync(join(storage, unsentFolder))).toHaveLength(1);
  });
});
