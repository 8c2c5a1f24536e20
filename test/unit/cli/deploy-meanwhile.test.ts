import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { demo } from '#platform/seed/names.ts';
import { yaml } from '#support/language/raw.ts';
import { sha1 } from '#support/sync/tiny-platform.ts';
import { type LinkedProject, linkProject } from '#support/linked-project.ts';

const path = 'model/cubes/returns.yml';
const cube = (name: string): string => yaml`
  cubes:
    - name: ${name}
      sql_table: ${name}
`;

interface Row {
  readonly id?: number;
  readonly name: string;
  readonly parentBranch?: string | null;
  readonly deployMode?: string;
}

/**
 * What can happen between a plan and the upload of it. `list`: what the platform lists from then on. `shownBy`: the request that
 * shows it; after the last one before the upload is finished, it comes too late for this deploy.
 */
interface Change {
  readonly name: string;
  readonly shownBy?: string;
  readonly happen?: (project: LinkedProject) => void | Promise<void>;
  readonly list?: Readonly<Record<string, (row: Row) => Row>>;
}

const changes: readonly Change[] = [
  { name: 'the file changes on disk', happen: ({ write }) => write(path, cube('refunds')) },
  { name: 'another file appears on disk', happen: ({ write }) => write('model/cubes/late.yml', cube('late')) },
  {
    name: 'someone else deploys',
    shownBy: 'GET file-hashes',
    happen: async ({ platform }) => {
      await platform.control.colleagueCommit(demo.cli, 'master', { [path]: cube('theirs') });
    },
  },
  {
    name: 'a Git repository feeds the deployment',
    shownBy: 'GET deployments',
    list: { deployments: (row) => (row.id === demo.cli ? { ...row, deployMode: 'git' } : row) },
  },
  {
    name: 'production is built from another branch',
    shownBy: 'GET branches',
    list: {
      branches: (row) => ({
        ...row,
        parentBranch: row.name === 'master' ? 'release' : (row.parentBranch ?? 'release'),
      }),
    },
  },
  {
    name: 'the deploy branch is renamed',
    shownBy: 'GET branches',
    list: { branches: (row) => ({ ...row, name: row.name === 'master' ? 'release' : row.name }) },
  },
];

/** Runs a deploy that was reviewed, with a change before its request of this number. */
async function deployWith(change: Change, at: number) {
  const project = await linkProject({ deployment: demo.cli });
  const { platform, json, run, write } = project;
  write(path, cube('returns'));
  const planned = await json('deploy');
  const requests: string[] = [];
  let isChanged = false;
  let left = at;
  const serve = platform.fetch.bind(platform);
  const fetch = async (request: Request): Promise<Response> => {
    const kind = new URL(request.url).pathname.split('/').at(-1) ?? '';
    left -= 1;
    if (left === 0) {
      isChanged = true;
      await change.happen?.(project);
    }
    requests.push(`${request.method} ${kind}`);
    const answer = await serve(request);
    const listed = isChanged && request.method === 'GET' ? change.list?.[kind] : undefined;
    if (!listed) return answer;
    const { data, ...rest } = (await answer.json()) as { readonly data: readonly Row[] };
    return Response.json({ ...rest, data: data.map((row) => listed(row)) });
  };
  Object.assign(platform, { fetch });
  const ended = await run(
    ...['deploy', '--yes', '--plan', String(planned['plan']), '--yes-production', String(planned['confirm'])],
  );
  Object.assign(platform, { fetch: serve });
  const deployed = await platform.control.hashes(demo.cli, 'master');
  return { ended, requests, deployed, disk: project.read(path) };
}

/** The hashes of the files of production, if this happens and nothing is deployed. */
async function untouched(change: Change): Promise<object> {
  const project = await linkProject({ deployment: demo.cli });
  await change.happen?.(project);
  return project.platform.control.hashes(demo.cli, 'master');
}

describe('a deploy that was reviewed', () => {
  it('names what it did', async () => {
    expect(await deployWith({ name: 'nothing' }, Infinity)).toMatchObject({
      ended: { code: 0, err: '' },
      deployed: { [path]: sha1(cube('returns')) },
    });
  });

  it.each(changes)('uploads what was shown to where it was shown, or nothing, where $name', async (change) => {
    const whole = await deployWith({ name: 'nothing' }, Infinity);
    const before = await untouched(change);
    const wrong: string[] = [];
    const finish = whole.requests.indexOf('POST finish');
    const reading = whole.requests.slice(0, finish);
    // What is on disk alone matters only if it is sent.
    const last = change.shownBy === undefined ? -1 : reading.lastIndexOf(change.shownBy);
    for (let at = 1; at <= finish; at += 1) {
      const { ended, requests, deployed } = await deployWith(change, at);
      const isNothing = isDeepStrictEqual(deployed, before) && !requests.includes('POST finish');
      const isStopped = ended.code !== 0 && `${ended.err}${ended.out}`.trim() !== '';
      const isShown = isDeepStrictEqual(deployed, whole.deployed) && ended.code === 0;
      if (!(isNothing && isStopped) && !(isShown && at - 1 > last))
        wrong.push(`before request ${at} of ${whole.requests.join(', ')}: ${ended.code} ${ended.err}`);
    }
    expect(wrong).toEqual([]);
  });
});
