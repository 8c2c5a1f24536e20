import { describe, expect, it } from 'vitest';
import { causeText } from '#sync/core/undo/trash-cause.ts';
import { type LinkedFolder, pulledFolder } from '#support/sync/linked-folder.ts';

const ORDERS = 'model/cubes/orders.yml';

async function trash(linked: LinkedFolder): Promise<readonly (readonly [string, string, string | undefined])[]> {
  const items = await linked.sync.trashed();
  return Promise.all(
    items.map(async (item) => {
      const bytes = await linked.sync.trashedContent(item.id);
      return [item.path, causeText(item), bytes && new TextDecoder().decode(bytes)] as const;
    }),
  );
}

describe('what is replaced on the platform', () => {
  it('goes to the trash first when a push deletes it, and can be restored', async () => {
    const linked = await pulledFolder();
    await linked.colleague({ 'model/cubes/other.yml': 'a: theirs\n' });
    await linked.pullAll();
    linked.remove('model/cubes/other.yml');
    const outcome = await linked.sync.push(await linked.sync.plan(), 'all');
    expect(outcome).toMatchObject({ status: 'done', trashed: [expect.any(String)] });
    expect(await linked.remote('model/cubes/other.yml')).toBeUndefined();
    expect(await trash(linked)).toEqual([
      ['model/cubes/other.yml', 'the platform’s version, deleted by a push', 'a: theirs\n'],
    ]);
    const [item] = await linked.sync.trashed();
    if (item) await linked.sync.restore(item);
    expect(linked.read('model/cubes/other.yml')).toBe('a: theirs\n');
  });

  it('goes to the trash first when the local version of a conflict is chosen', async () => {
    const linked = await pulledFolder();
    await linked.colleague({ [ORDERS]: '# theirs\n' });
    linked.write(ORDERS, '# mine\n');
    await linked.sync.plan();
    expect(await linked.sync.resolve(ORDERS, 'mine')).toMatchObject({ status: 'done' });
    expect(await linked.remote(ORDERS)).toBe('# mine\n');
    expect(await trash(linked)).toEqual([[ORDERS, 'the platform’s version, replaced by yours', '# theirs\n']]);
  });

  it('needs no copy where the user edited that very version', async () => {
    const linked = await pulledFolder();
    linked.write(ORDERS, '# mine\n');
    await linked.sync.push(await linked.sync.plan(), 'all');
    expect(await trash(linked)).toEqual([]);
  });

  it('stays as it is where no copy of it can be made', async () => {
    const linked = await pulledFolder();
    await linked.colleague({ [ORDERS]: '# theirs\n' });
    linked.write(ORDERS, '# mine\n');
    const broken = await linked.open(undefined, (ports) => {
      ports.trash.put = () => Promise.reject(new Error('The disk is full.'));
      return ports;
    });
    await linked.sync.close();
    await broken.plan();
    expect(await broken.resolve(ORDERS, 'mine')).toMatchObject({ status: 'partial', failed: [{ path: ORDERS }] });
    expect(await linked.remote(ORDERS)).toBe('# theirs\n');
    expect(linked.read(ORDERS)).toBe('# mine\n');
  });

  it('does not stop the run when it is gone meanwhile', async () => {
    const linked = await pulledFolder();
    const file = 'model/cubes/other.yml';
    await linked.colleague({ [file]: 'a: theirs\n' });
    await linked.pullAll();
    linked.remove(file);
    const plan = await linked.sync.plan();
    await linked.colleague({ [file]: null });
    expect((await linked.sync.push(plan, 'all')).failed).toEqual([]);
    expect((await linked.sync.plan()).entries).toEqual([]);
  });
});
