import { renameSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { anySchedule, ROUNDS } from '#support/sync/any-schedule.ts';
import { mountedEngine } from '#support/sync/disk-world.ts';
import { linkFolder } from '#support/sync/linked-folder.ts';
import { type Mounted, mountDisk, type RealDisk, realDisks } from '#support/sync/real-disks.ts';
import { live } from '#support/sync/schedule.ts';

/** Schedules on each disk; `npm run bench -- sync-disks` does hundreds. A driver in user space takes many times longer. */
const SCHEDULES = 2;

/**
 * The disk for this test; where it cannot be mounted, the run says why. That is not a skipped test: those count as failures,
 * because they hide what nobody tries any more.
 */
function mounted(disk: RealDisk): Mounted | undefined {
  const made = mountDisk(disk);
  if (made.kind === 'skipped') {
    console.log(`not tried on ${disk.name}: ${made.reason}`);
    return undefined;
  }
  onTestFinished(() => made.unmount());
  return made;
}

describe.each(realDisks)('on a real disk: $name', (disk) => {
  it('loses nothing and converges', async () => {
    const onDisk = mounted(disk);
    if (!onDisk) return;
    const engine = mountedEngine(disk.name, onDisk.folder);
    for (let seed = 1; seed <= SCHEDULES; seed++) {
      const { violations } = await live(anySchedule(seed), engine, { rounds: ROUNDS });
      expect(violations, `seed ${seed}`).toEqual([]);
    }
  });

  it('pulls, pushes, renames by letter case, and knows the folder again after the disk was unplugged', async () => {
    const onDisk = mounted(disk);
    if (!onDisk) return;
    const linked = await linkFolder({ below: onDisk.folder });
    await linked.pullAll();
    const names = linked.files();
    expect(names.length).toBeGreaterThan(3);
    const [first = ''] = names;
    const upper = path.join(path.dirname(first), path.basename(first).toUpperCase());
    renameSync(path.join(linked.root, first), path.join(linked.root, upper));
    linked.write('model/caf\u00e9.yml'.normalize('NFD'), '# mine\n');
    const plan = await linked.sync.plan();
    expect(await linked.sync.push(plan, 'all')).toMatchObject({ status: 'done' });
    expect([await linked.remote(first), await linked.remote('model/caf\u00e9.yml')]).toEqual([undefined, '# mine\n']);
    expect(await linked.remote(upper)).toBeDefined();
    await linked.colleague({ 'model/caf\u00e9.yml': '# theirs\n' });
    await linked.pullAll();
    expect((await linked.sync.plan()).entries).toEqual([]);
    await linked.sync.close();
    onDisk.remount();
    const again = await linked.open();
    expect(await again.plan()).toMatchObject({ entries: [], guards: [] });
    await again.close();
  });
});

describe('a machine that cannot mount a disk', () => {
  it('says why', () => {
    const missing = { name: 'none', megabytes: 1, maker: ['mkfs.no-such-thing'], mount: () => undefined };
    const skipped = mountDisk(missing);
    expect(skipped.kind === 'skipped' && skipped.reason).toMatch(/mkfs\.no-such-thing is not installed|only Linux/);
    const refused = { ...missing, maker: ['false'] };
    expect(mountDisk(refused).kind).toBe('skipped');
  });
});
