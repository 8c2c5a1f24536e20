import { describe, expect, it } from 'vitest';
import { originOf } from '#base/origin.ts';
import { type Clock, systemClock } from '#base/clock.ts';
import type { Client } from '#api/client/client.ts';
import { silentLogger } from '#base/log.ts';
import { BranchFiles } from '#features/folders/branch-files.ts';
import { BranchTrash } from '#features/folders/branch-trash.ts';
import type { PlatformData } from '#features/platform/platform-data.ts';
import { ManualClock } from '#support/manual-clock.ts';
import { type MemoryTrash, memoryTrash } from '#support/memory-trash.ts';
import { sha1, TinyPlatform } from '#support/sync/tiny-platform.ts';
import { patientClient } from '../../../support/api/patient-client.ts';

const PATH = 'model/cubes/orders.yml';
const dev = { accountId: 'a', deploymentId: '1', branchName: 'dev-ada-1' };

interface Scene {
  readonly platform: TinyPlatform;
  readonly files: BranchFiles;
  readonly trash: MemoryTrash;
  readonly client: Client;
  readonly sent: Request[];
  /** Called before a change reaches the platform; a response stands in for its own. */
  before: (request: Request) => Response | undefined;
  /** Called with each answer. */
  after: (request: Request, response: Response) => Response | Promise<Response>;
}

function scene(honours: boolean, clock: Clock = systemClock): Scene {
  const platform = new TinyPlatform({ [PATH]: 'cubes: base\n' }, { honours });
  const trash = memoryTrash();
  const client: Client = patientClient({
    baseUrl: 'http://127.0.0.1',
    credential: () => ({ kind: 'bearer', token: 'k', origin: originOf('http://127.0.0.1') }),
    logger: silentLogger,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const isChange = request.method !== 'GET';
      if (isChange) made.sent.push(request.clone());
      const instead = isChange ? made.before(request) : undefined;
      return made.after(request, instead ?? (await platform.answer(request)));
    },
  });
  const made: Scene = {
    platform,
    trash,
    client,
    sent: [],
    before: () => undefined,
    after: (_, response) => response,
    files: new BranchFiles({ client: () => client } as unknown as PlatformData, () => 1, trash.open, clock),
  };
  return made;
}

const changes = {
  write: ({ files }: Scene) => files.write(dev, PATH, 'cubes: mine\n'),
  remove: ({ files }: Scene) => files.remove(dev, PATH),
  rename: ({ files }: Scene) => files.rename(dev, PATH, 'model/cubes/sales.yml'),
} as const;

describe.each([true, false])('a change of a branch’s file (server with conditions: %s)', (honours) => {
  it.each(Object.entries(changes))('carries its condition and is done: %s', async (_, change) => {
    const made = scene(honours);
    await made.files.tree(dev);
    await change(made);
    expect(made.sent.map(({ headers }) => headers.get('if-match'))).toEqual([`"${sha1('cubes: base\n')}"`]);
    const now = await made.files.tree(dev);
    expect([...now].map(([path, { content }]) => [path, content])).toEqual([...made.platform.files]);
  });

  it.each(Object.entries(changes))('leaves alone what a colleague changed since it was read: %s', async (_, change) => {
    const made = scene(honours);
    await made.files.tree(dev);
    made.platform.files.set(PATH, 'cubes: theirs\n');
    await expect(change(made)).rejects.toThrow('Someone changed');
    expect([...made.platform.files]).toEqual([[PATH, 'cubes: theirs\n']]);
    expect(await made.files.text(dev, PATH)).toBe('cubes: theirs\n');
  });

  it.each(Object.entries(changes))('is not repeated blindly when its reply is lost: %s', async (_, change) => {
    const made = scene(honours);
    await made.files.tree(dev);
    made.after = (request, response) =>
      request.method === 'GET' ? response : Promise.reject(new TypeError('fetch failed'));
    await change(made);
    expect(made.sent).toHaveLength(1);
  });

  it.each(Object.entries(changes))('reports a refusal in the platform’s words: %s', async (_, change) => {
    const made = scene(honours);
    await made.files.tree(dev);
    made.before = () => Response.json({ error: 'The moon is not right.' }, { status: 409 });
    await expect(change(made)).rejects.toThrow(
      'The platform refused the change (status 409): “The moon is not right.”',
    );
    expect([...made.platform.files]).toEqual([[PATH, 'cubes: base\n']]);
  });

  it.each(Object.entries(changes))(
    'is not done where the platform confirms it without effect: %s',
    async (_, change) => {
      const clock = new ManualClock();
      const made = scene(honours, clock);
      await made.files.tree(dev);
      made.platform.ignoresWrites = true;
      await expect(clock.run<unknown>(change(made))).rejects.toThrow('The platform confirmed the change, but ');
      // The document keeps its edit, and saving it again is not taken for a change of someone else.
      made.platform.ignoresWrites = false;
      await change(made);
      expect((await made.files.tree(dev)).get(PATH)?.content).not.toBe('cubes: base\n');
    },
  );

  it('of a file that a cut list lacks overwrites nothing', async () => {
    const made = scene(honours);
    const unlisted = 'model/cubes/unlisted.yml';
    made.platform.files.set(unlisted, 'cubes: theirs\n');
    made.after = async (request, response) => {
      if (!request.url.includes('file-hashes')) return response;
      const { files } = (await response.json()) as { readonly files: Record<string, unknown> };
      const { [unlisted]: _, ...listed } = files;
      return Response.json({ files: listed, truncated: true });
    };
    await made.files.tree(dev);
    for (const change of [
      async () => made.files.write(dev, unlisted, 'cubes: mine\n'),
      async () => made.files.rename(dev, PATH, unlisted),
    ])
      await expect(change()).rejects.toThrow('list of files was not complete');
    expect(made.sent).toEqual([]);
    // What the list names can be changed as always.
    await made.files.write(dev, PATH, 'cubes: mine\n');
    await made.files.remove(dev, PATH);
    expect([...made.platform.files]).toEqual([[unlisted, 'cubes: theirs\n']]);
  });

  it.each(Object.entries(changes))('is done where the platform lists it late: %s', async (_, change) => {
    const clock = new ManualClock();
    const made = scene(honours, clock);
    await made.files.tree(dev);
    made.platform.listsLate = 2;
    await clock.run<unknown>(change(made));
    expect((await made.files.tree(dev)).get(PATH)?.content).not.toBe('cubes: base\n');
  });
});

describe('a branch that is not a dev branch', () => {
  const main = { ...dev, branchName: 'main' };
  it.each([
    ['write', ({ files }: Scene) => files.write(main, PATH, 'cubes: mine\n')],
    ['remove', ({ files }: Scene) => files.remove(main, PATH)],
    ['rename', ({ files }: Scene) => files.rename(main, PATH, 'model/cubes/sales.yml')],
    ['restore', ({ files }: Scene) => files.write(main, PATH, 'cubes: old\n', { cause: 'restore' })],
  ])('takes no change of a file: %s', async (_, change) => {
    const made = scene(true);
    await expect(change(made)).rejects.toThrow('“main” is not a dev branch, so its files cannot be changed.');
    expect(made.sent).toEqual([]);
  });
});

describe('a dev branch that production is built from by now', () => {
  it.each(Object.entries(changes))('takes no change of a file: %s', async (_, change) => {
    const made = scene(true);
    made.after = (request, response) =>
      new URL(request.url).pathname.endsWith('/branches')
        ? Response.json({ data: [{ name: dev.branchName, parentBranch: null }] })
        : response;
    await expect(change(made)).rejects.toThrow(`Production is built from “${dev.branchName}”`);
    expect(made.sent).toEqual([]);
  });
});

describe('a file that the platform does not deliver as it is', () => {
  it('makes a new file only where there is none', async () => {
    const made = scene(true);
    await made.files.tree(dev);
    await made.files.write(dev, 'model/cubes/new.yml', 'a: 1\n');
    expect(made.sent.map(({ headers }) => headers.get('if-none-match'))).toEqual(['*']);
  });

  it.each([
    ['without content', undefined],
    ['with characters in the place of bytes', 'caf\uFFFD: 1\n'],
  ])('is neither opened nor written back: %s', async (_, content) => {
    const made = scene(true);
    made.after = async (request, response) => {
      if (!request.url.includes('data-model/files')) return response;
      const other = { path: 'model/cubes/other.yml', type: 'file', content: 'cubes: []\n' };
      return Response.json({ files: [{ path: PATH, type: 'file', content }, other] });
    };
    await expect(made.files.text(dev, PATH)).rejects.toThrow('cannot be opened');
    await expect(made.files.write(dev, PATH, `${content ?? ''}more\n`)).rejects.toThrow('cannot be opened');
    expect(made.sent).toEqual([]);
    expect([...made.platform.files]).toEqual([[PATH, 'cubes: base\n']]);
  });
});

describe('what a change of a branch’s file replaces', () => {
  const kept = ({ trash }: Scene) =>
    trash.items.map(({ branch, path, text, cause, deleted }) => ({ branch, path, text, cause, deleted }));

  it.each([
    ['write', false],
    ['remove', true],
  ] as const)('is in the trash with its reason before the platform is asked: %s', async (name, deleted) => {
    const made = scene(true);
    made.before = () => {
      expect(made.trash.items).toHaveLength(1);
      return undefined;
    };
    await changes[name](made);
    expect(kept(made)).toEqual([
      { branch: dev.branchName, path: PATH, text: 'cubes: base\n', cause: 'branchEdit', deleted },
    ]);
  });

  it.each(['write', 'remove'] as const)('stays on the platform where it cannot be kept: %s', async (name) => {
    const made = scene(true);
    const files = new BranchFiles(
      { client: () => made.client } as unknown as PlatformData,
      () => 1,
      () => Promise.reject(new Error('The disk is full.')),
    );
    await expect(changes[name]({ ...made, files })).rejects.toThrow('The disk is full.');
    expect([...made.platform.files]).toEqual([[PATH, 'cubes: base\n']]);
  });

  it('is not deleted where its content cannot be read', async () => {
    const made = scene(true);
    made.after = async (request, response) => {
      if (!request.url.includes('data-model/files')) return response;
      return Response.json({ files: [{ path: PATH, type: 'file', content: 'caf\uFFFD: 1\n' }] });
    };
    await expect(made.files.remove(dev, PATH)).rejects.toThrow('cannot be copied to the trash first');
    expect(made.sent).toEqual([]);
  });

  it('is nothing where the file is renamed, or saved as it was', async () => {
    const made = scene(true);
    await made.files.write(dev, PATH, 'cubes: base\n');
    await changes.rename(made);
    expect(made.trash.items).toEqual([]);
  });

  it('comes back from the trash, and what was there then is kept in turn', async () => {
    const made = scene(true);
    const trash = new BranchTrash(made.files, made.trash.open);
    await changes.remove(made);
    const [deleted] = await trash.list(dev);
    await trash.restore(dev, deleted ?? { id: '', path: '' });
    expect([...made.platform.files]).toEqual([[PATH, 'cubes: base\n']]);
    await changes.write(made);
    made.platform.files.set(PATH, 'cubes: theirs\n');
    await trash.restore(dev, deleted ?? { id: '', path: '' });
    expect([...made.platform.files]).toEqual([[PATH, 'cubes: base\n']]);
    expect(kept(made).at(-1)).toMatchObject({ text: 'cubes: theirs\n', cause: 'restore', deleted: false });
    await expect(trash.restore(dev, { id: 'gone', path: PATH })).rejects.toThrow('no longer in the trash');
  });
});

describe('undoing the deletion of a file of a branch', () => {
  it('brings it back, but not over a file that was made there since', async () => {
    const made = scene(true);
    const trash = new BranchTrash(made.files, made.trash.open);
    await changes.remove(made);
    const [deleted = { id: '', path: '' }] = await trash.list(dev);
    await trash.undelete(dev, deleted);
    expect([...made.platform.files]).toEqual([[PATH, 'cubes: base\n']]);
    made.platform.files.set(PATH, 'cubes: theirs\n');
    await expect(trash.undelete(dev, deleted)).rejects.toThrow(/is on “dev-\S+” again, so its deletion was not undone/);
    expect([...made.platform.files]).toEqual([[PATH, 'cubes: theirs\n']]);
  });
});

describe('reading a branch', () => {
  const LATE = 'model/cubes/zebras.yml';

  /** Paths of the reads of contents so far, and how many chunks of the answers were taken. */
  function streamed(made: Scene): { reads: number; chunks: number } {
    const seen = { reads: 0, chunks: 0 };
    made.after = async (request, response) => {
      if (!request.url.includes('withContent')) return response;
      seen.reads += 1;
      const text = await response.text();
      const body = new ReadableStream<Uint8Array>(
        {
          pull: (stream) => {
            const at = seen.chunks * 64;
            seen.chunks += 1;
            if (at >= text.length) stream.close();
            else stream.enqueue(new TextEncoder().encode(text.slice(at, at + 64)));
          },
        },
        { highWaterMark: 0 },
      );
      return new Response(body, { headers: response.headers });
    };
    return seen;
  }

  it('lists names without reading any content', async () => {
    const made = scene(true);
    const seen = streamed(made);
    expect([...(await made.files.list(dev)).keys()]).toEqual([PATH]);
    expect(seen.reads).toBe(0);
  });

  it('reads one file only as far as the answer is needed, and once', async () => {
    const made = scene(true);
    for (let at = 0; at < 100; at++) made.platform.files.set(`model/cubes/x${at}.yml`, `cubes: ${at}\n`.repeat(50));
    const seen = streamed(made);
    expect(await made.files.text(dev, PATH)).toBe('cubes: base\n');
    expect(await made.files.text(dev, PATH)).toBe('cubes: base\n');
    expect(seen.reads).toBe(1);
    expect(seen.chunks).toBeLessThan(20);
  });

  it('reads several files in one go', async () => {
    const made = scene(true);
    made.platform.files.set(LATE, 'cubes: late\n');
    const seen = streamed(made);
    await made.files.prefetch(dev, [PATH, LATE, 'model/nowhere.yml']);
    expect(await made.files.text(dev, PATH)).toBe('cubes: base\n');
    expect(await made.files.text(dev, LATE)).toBe('cubes: late\n');
    expect(seen.reads).toBe(1);
  });

  it('reads only what changed after a refresh, and nothing for a file that was written here', async () => {
    const made = scene(true);
    made.platform.files.set(LATE, 'cubes: late\n');
    await made.files.tree(dev);
    const seen = streamed(made);
    await made.files.write(dev, PATH, 'cubes: mine\n');
    expect((await made.files.tree(dev)).get(PATH)?.content).toBe('cubes: mine\n');
    expect(seen.reads).toBe(0);
    made.platform.files.set(LATE, 'cubes: theirs\n');
    await made.files.refresh(dev);
    expect((await made.files.tree(dev)).get(LATE)?.content).toBe('cubes: theirs\n');
    expect(seen.reads).toBe(1);
  });

  it('does not read a version again that another branch has too', async () => {
    const made = scene(true);
    await made.files.tree(dev);
    const seen = streamed(made);
    const other = await made.files.tree({ ...dev, branchName: 'dev-ada-2' });
    expect(other.get(PATH)?.content).toBe('cubes: base\n');
    expect(seen.reads).toBe(0);
  });

  it('continues after a broken connection with what is missing', async () => {
    const made = scene(true);
    made.platform.files.set(LATE, 'cubes: late\n');
    let reads = 0;
    made.after = async (request, response) => {
      if (!request.url.includes('withContent')) return response;
      reads += 1;
      return reads > 1 ? response : new Response((await response.text()).slice(0, -30), { headers: response.headers });
    };
    const tree = await made.files.tree(dev);
    expect([...tree].map(([path, { content }]) => [path, content])).toEqual([...made.platform.files]);
    expect(reads).toBe(2);
  });
});
