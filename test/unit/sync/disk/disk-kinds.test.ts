import { beforeEach, describe, expect, it } from 'vitest';
import { type DiskKind, diskKinds } from '#support/sync/disk-kinds.ts';
import { problem, SimulatedDisk } from '#support/sync/simulated-disk.ts';
import { type DiskPorts, FOLDER, portsOver } from '#support/sync/simulated-ports.ts';
import { bytes, hashOf } from '#support/sync/disk.ts';
import type { ReplaceResult } from '#sync/core/ports.ts';

const A = 'm/a.yml';

describe.each(diskKinds)('on $name', (kind: DiskKind) => {
  let disk: SimulatedDisk;
  let ports: DiskPorts;
  /** Called before each call that changes something. */
  let before: (call: string) => void;

  beforeEach(() => {
    disk = new SimulatedDisk(kind);
    disk.write(`${FOLDER}/${A}`, bytes('old'));
    before = () => undefined;
    ports = portsOver(
      disk.calls((call, isWrite, effect) => {
        if (isWrite) before(call);
        return effect();
      }),
    );
  });

  const text = (file: string): string | undefined => disk.files(FOLDER).get(`${FOLDER}/${file}`)?.toString();
  const names = (): string[] => [...disk.files(FOLDER).keys()].map((name) => name.slice(FOLDER.length + 1)).sort();
  const inTrash = async (): Promise<string[]> => {
    const kept = await ports.trash.list();
    const texts = await Promise.all(
      kept.map(async ({ id }) => Buffer.from((await ports.trash.read(id)) ?? []).toString()),
    );
    return texts.sort();
  };
  const pull = async (content: string, expected: string | undefined): Promise<ReplaceResult> => {
    const staged = await ports.files.stage(A, bytes(content), hashOf(content));
    return ports.files.replace(staged, expected === undefined ? undefined : hashOf(expected), 'pull');
  };

  it('replaces, deletes and restores, and leaves nothing hidden', async () => {
    expect(await pull('new', 'old')).toMatchObject({ kind: 'done' });
    await ports.files.sync([A]);
    expect([names(), text(A), await inTrash()]).toEqual([[A], 'new', ['old']]);
    expect(await ports.files.remove(A, hashOf('new'), 'pull')).toMatchObject({ kind: 'done' });
    await ports.files.sync([A]);
    expect([names(), await inTrash()]).toEqual([[], ['new', 'old']]);
    expect(await pull('again', undefined)).toMatchObject({ kind: 'done' });
    expect(text(A)).toBe('again');
  });

  it.each(['a save in place', 'a save by rename'])('never loses %s at any moment of a replacement', async (how) => {
    let reached = true;
    for (let number = 1; reached; number++) {
      disk = new SimulatedDisk(kind);
      disk.write(`${FOLDER}/${A}`, bytes('old'));
      reached = false;
      let count = 0;
      ports = portsOver(
        disk.calls((_, isWrite, effect) => {
          if (isWrite && ++count === number) {
            reached = true;
            if (how === 'a save by rename') disk.write(`${FOLDER}/m/.editor-tmp`, bytes('saved'));
            if (how === 'a save by rename') disk.rename(`${FOLDER}/m/.editor-tmp`, `${FOLDER}/${A}`);
            else disk.write(`${FOLDER}/${A}`, bytes('saved'));
          }
          return effect();
        }),
      );
      const result = await pull('new', 'old');
      await ports.files.sync([A]);
      const everywhere = [text(A), ...(await inTrash())];
      const wanted = [...(reached ? ['saved'] : []), ...(result.kind === 'done' ? ['old'] : [])];
      expect(everywhere, `at change ${number}`).toEqual(expect.arrayContaining(wanted));
      await ports.files.recover();
      expect(names()).toEqual([A]);
    }
  });

  it('keeps both of two saves at any two moments of a replacement', async () => {
    const most = 24;
    for (let first = 1; first <= most; first++) {
      for (let second = first + 1; second <= most; second++) {
        disk = new SimulatedDisk(kind);
        disk.write(`${FOLDER}/${A}`, bytes('old'));
        let count = 0;
        const seen: string[] = [];
        ports = portsOver(
          disk.calls((_, isWrite, effect) => {
            if (isWrite) count += 1;
            if (isWrite && (count === first || count === second)) {
              // What the user saves over is what they saw.
              seen.push(text(A) ?? '');
              disk.write(`${FOLDER}/${A}`, bytes(`saved ${count}`));
            }
            return effect();
          }),
        );
        await pull('new', 'old');
        await ports.files.recover();
        const made = [first, second].filter((number) => number <= count).map((number) => `saved ${number}`);
        const everywhere = [text(A) ?? '', ...(await inTrash()), ...seen];
        expect(everywhere, `at ${first} and ${second}`).toEqual(expect.arrayContaining(made));
      }
    }
  });

  it.each(['EIO', 'ENOSPC', 'EMFILE', 'EACCES', 'EBUSY'])(
    'recovers from %s at any call, without a restart',
    async (code) => {
      let reached = true;
      for (let number = 1; reached; number++) {
        disk = new SimulatedDisk(kind);
        disk.write(`${FOLDER}/${A}`, bytes('old'));
        reached = false;
        let isArmed = true;
        let count = 0;
        ports = portsOver(
          disk.calls((call, _, effect) => {
            count += 1;
            if (!isArmed || count !== number) return effect();
            reached = true;
            throw problem(code, call);
          }),
        );
        const result = await pull('new', 'old').catch((error: unknown) => error as Error);
        await ports.files.recover().catch(() => undefined);
        isArmed = false;
        await ports.files.recover();
        const everywhere = [text(A), ...(await inTrash())];
        expect(everywhere, `at call ${number}`).toContain('old');
        const isDone = !(result instanceof Error) && result.kind === 'done';
        expect(isDone ? text(A) : 'new').toBe('new');
        expect(names(), `at call ${number}`).toEqual([A]);
        // And it works again.
        const now = text(A) ?? '';
        expect(await pull('next', now)).toMatchObject({ kind: 'done' });
      }
    },
  );

  it('keeps what a program continues writing into a file that was taken out of its place', async () => {
    before = (call) => {
      if (call.startsWith('rm') && call.endsWith('.old')) throw problem('EBUSY', call);
    };
    expect(await pull('new', 'old')).toMatchObject({ kind: 'done' });
    const aside = names().find((name) => name.endsWith('.old')) ?? '';
    disk.write(`${FOLDER}/${aside}`, bytes('old and the rest'));
    before = () => undefined;
    await ports.files.sync([A]);
    await ports.files.recover();
    expect([names(), text(A), await inTrash()]).toEqual([[A], 'new', ['old', 'old and the rest']]);
  });

  /** The user makes a folder where the file was. */
  const becomeFolder = (): void => {
    if (text(A) !== undefined) disk.remove(`${FOLDER}/${A}`);
    disk.write(`${FOLDER}/${A}/x`, bytes('inside'));
  };
  const effects = {
    replace: () => pull('new', 'old'),
    remove: () => ports.files.remove(A, hashOf('old'), 'pull'),
    rename: () => ports.files.rename(A, 'm/b.yml', hashOf('old')),
  };

  it.each(['replace', 'remove', 'rename'] as const)(
    'hides no folder that takes the place of a file at any moment of a %s',
    async (effect) => {
      let reached = true;
      for (let number = 1; reached; number++) {
        disk = new SimulatedDisk(kind);
        disk.write(`${FOLDER}/${A}`, bytes('old'));
        reached = false;
        let count = 0;
        ports = portsOver(
          disk.calls((_, isWrite, work) => {
            if (isWrite && ++count === number) {
              reached = true;
              becomeFolder();
            }
            return work();
          }),
        );
        const result = await effects[effect]().catch((error: unknown) => error);
        expect(result).toHaveProperty('kind', expect.stringMatching(/^(done|changed|blocked)$/));
        await ports.files.sync([A]);
        expect(text(`${A}/x`), `at change ${number}`).toBe(reached ? 'inside' : undefined);
        expect(
          names().filter((name) => name.includes('.modelbench-')),
          `at change ${number}`,
        ).toEqual([]);
      }
    },
  );

  /** The process ends right after the file was taken out of its place. */
  const dieWhenTaken = async (justBefore: () => void): Promise<void> => {
    let isDead = false;
    ports = portsOver(
      disk.calls((call, _, work) => {
        if (isDead) throw problem('EIO', call);
        isDead = call.startsWith('rename') && call.endsWith('.old');
        if (isDead) justBefore();
        return work();
      }),
    );
    await expect(pull('new', 'old')).rejects.toThrow('EIO');
    ports = portsOver(disk.calls((_, __, work) => work()));
  };

  it('gives a folder that a crash left hidden its place back', async () => {
    await dieWhenTaken(becomeFolder);
    await ports.files.recover();
    expect([names(), text(`${A}/x`)]).toEqual([[`${A}/x`], 'inside']);
  });

  it('shows a hidden folder beside its place when that is taken', async () => {
    await dieWhenTaken(becomeFolder);
    disk.write(`${FOLDER}/${A}`, bytes('newer'));
    disk.write(`${FOLDER}/${A}-recovered`, bytes('of the user'));
    await ports.files.recover();
    expect(names()).toEqual([A, `${A}-recovered`, `${A}-recovered-2/x`]);
    expect([text(A), text(`${A}-recovered-2/x`)]).toEqual(['newer', 'inside']);
  });

  it('gives a file back where its folder is now called something else', async () => {
    await dieWhenTaken(() => disk.write(`${FOLDER}/${A}`, bytes('saved')));
    disk.rename(`${FOLDER}/m`, `${FOLDER}/renamed`);
    await ports.files.recover();
    expect([names(), text('renamed/a.yml')]).toEqual([['renamed/a.yml'], 'saved']);
  });

  it('brings a file where there is an empty folder of its name', async () => {
    disk.write(`${FOLDER}/m/x/y/z`, bytes(''));
    disk.remove(`${FOLDER}/m/x/y/z`);
    const staged = await ports.files.stage('m/x', bytes('new'), hashOf('new'));
    expect(await ports.files.replace(staged, undefined, 'pull')).toMatchObject({ kind: 'done' });
    expect(text('m/x')).toBe('new');
  });

  it('keeps a new folder and its file over a power loss', async () => {
    disk.writeBack();
    const staged = await ports.files.stage('new/deep/x.yml', bytes('new'), hashOf('new'));
    await ports.files.replace(staged, undefined, 'pull');
    await ports.files.sync(['new/deep/x.yml']);
    disk.losePower(() => false);
    expect(text('new/deep/x.yml')).toBe('new');
  });

  it('keeps a file in a new folder of the user over a power loss once it is synced', async () => {
    disk.writeBack();
    disk.write(`${FOLDER}/new/deep/x.yml`, bytes('new'));
    await ports.files.sync(['new/deep/x.yml']);
    disk.losePower(() => false);
    expect(text('new/deep/x.yml')).toBe('new');
  });

  it('syncs the rest when the folder of a file became a file', async () => {
    disk.writeBack();
    disk.write(`${FOLDER}/new/x`, bytes('kept'));
    await expect(ports.files.sync([`${A}/x`, `${A}/deep/x`, 'new/x'])).resolves.toBeUndefined();
    disk.losePower(() => false);
    expect(text('new/x')).toBe('kept');
  });

  it('brings no deleted file back with its folder after a power loss', async () => {
    disk.write(`${FOLDER}/m/c/x.yml`, bytes('old'));
    disk.writeBack();
    await ports.files.remove('m/c/x.yml', hashOf('old'), 'pull');
    await ports.files.sync(['m/c/x.yml']);
    disk.losePower(() => false);
    expect(names()).toEqual([A]);
  });

  it('keeps the first version that ever went to the trash over a power loss', async () => {
    disk.writeBack();
    await pull('new', 'old');
    await ports.files.sync([A]);
    disk.losePower(() => false);
    expect([text(A), await inTrash()]).toEqual(['new', ['old']]);
  });

  it('renames by letter case, folders too, and finds a file only by its true name', async () => {
    const to = 'm/A.yml';
    expect(await ports.files.stateOf(to)).toEqual({ kind: 'absent' });
    expect(await ports.files.rename(A, to, hashOf('old'))).toMatchObject({ kind: 'done' });
    await ports.files.sync([A, to]);
    expect(names()).toEqual([to]);
    expect(await ports.files.stateOf(A)).toEqual({ kind: 'absent' });
    disk.write(`${FOLDER}/m/b.yml`, bytes('b'));
    expect(await ports.files.rename(to, 'M/A.yml', hashOf('old'))).toMatchObject({ kind: 'done' });
    expect(await ports.files.rename('m/b.yml', 'M/b.yml', hashOf('b'))).toMatchObject({ kind: 'done' });
    await ports.files.sync([to, 'M/A.yml']);
    expect(names()).toEqual(['M/A.yml', 'M/b.yml']);
  });

  it.each(['replaced', 'removed'])(
    'leaves a file its new name that is renamed by letter case while it is %s',
    async (how) => {
      before = (call) => {
        // Its version is on its way into the trash.
        if (!call.startsWith('rename /home/storage/trash/')) return;
        before = () => undefined;
        disk.rename(`${FOLDER}/${A}`, `${FOLDER}/m/A.yml`);
      };
      const result = how === 'replaced' ? await pull('new', 'old') : await ports.files.remove(A, hashOf('old'), 'pull');
      await ports.files.sync([A]);
      expect([result.kind, names(), text('m/A.yml')]).toEqual(['changed', ['m/A.yml'], 'old']);
      expect(await inTrash()).toEqual([]);
    },
  );

  it('knows a file by the name that the user gave it a moment before the scan', async () => {
    expect(await ports.files.stateOf(A)).toMatchObject({ kind: 'file' });
    disk.rename(`${FOLDER}/${A}`, `${FOLDER}/m/A.yml`);
    const request = { ignores: () => false, ignoreLines: [], verify: false, maxFileSize: 1000 };
    const { files } = await ports.files.scan(request);
    expect([...files.keys()]).toEqual(['m/A.yml']);
    expect(await ports.files.stateOf(A)).toEqual({ kind: 'absent' });
    expect(await ports.files.stateOf('m/A.yml')).toMatchObject({ kind: 'file' });
  });

  it('writes no file through a folder of another letter case, and over no twin', async () => {
    const staged = await ports.files.stage('m/A.yml', bytes('twin'), hashOf('twin'));
    const result = await ports.files.replace(staged, undefined, 'pull');
    expect([result.kind, text(A)]).toEqual([kind.ignoresCase === true ? 'changed' : 'done', 'old']);
    const elsewhere = await ports.files.stage('M/c.yml', bytes('c'), hashOf('c')).then(
      () => 'staged',
      (error: unknown) => (error as Error).message,
    );
    expect(elsewhere).toContain(kind.ignoresCase === true ? 'its folder is called “m” here' : 'staged');
  });
});
