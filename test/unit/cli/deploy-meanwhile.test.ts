import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demo } from '#platform/seed/names.ts';
import { linkProject } from '#support/linked-project.ts';
import { yaml } from '#support/language/raw.ts';
import { sha1 } from '#support/sync/tiny-platform.ts';
import { A, C, mine, text, theirs } from '#support/tiny-operations.ts';
import { TinyProject } from '#support/tiny-project.ts';

/** What the platform lists, in a field where it has pages. */
type Rows = readonly Row[] | { readonly deployments: readonly Row[] };

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
  readonly happen?: (project: TinyProject) => void;
  readonly list?: Readonly<Record<string, (row: Row) => Row>>;
}

const mineToo = text('mine', 'other', 'c');

const changes: readonly Change[] = [
  { name: 'one of two files changes on disk', happen: (project) => project.write(A, text('late')) },
  { name: 'another file appears on disk', happen: (project) => project.write('model/cubes/late.yml', text('late')) },
  {
    name: 'someone else deploys',
    shownBy: 'GET file-hashes',
    happen: ({ tenant }) => void tenant.of('main').set(A, theirs),
  },
  {
    name: 'a Git repository feeds the deployment',
    shownBy: 'GET deployments',
    list: { deployments: (row) => (row.id === 1 ? { ...row, deployMode: 'git' } : row) },
  },
  {
    name: 'production is built from another branch',
    shownBy: 'GET branches',
    list: {
      branches: (row) => ({
        ...row,
        parentBranch: row.name === 'main' ? 'release' : (row.parentBranch ?? 'release'),
      }),
    },
  },
  {
    name: 'the deploy branch is renamed',
    shownBy: 'GET branches',
    list: { branches: (row) => ({ ...row, name: row.name === 'main' ? 'release' : row.name }) },
  },
];

describe('a deploy that was reviewed', () => {
  const project = new TinyProject({ [A]: text('agreed'), [C]: text('agreed', 'other', 'c') }, { honours: false });
  const { tenant } = project;
  let args: readonly string[];
  let putBack: () => void;
  let whole: Awaited<ReturnType<typeof deployWith>>;
  afterAll(() => project[Symbol.dispose]());
  beforeAll(async () => {
    tenant.deployments = [{ id: 1, name: 'Shop', deployMode: 'cli' }];
    project.write(A, mine);
    project.write(C, mineToo);
    const { plan, confirm } = await project.json('deploy');
    args = ['deploy', '--yes', '--plan', String(plan), '--yes-production', String(confirm)];
    putBack = project.kept();
    whole = await deployWith({ name: 'nothing' }, Infinity);
  });

  const production = (): object => Object.fromEntries(tenant.of('main'));

  /** Runs the deploy, with a change before its request of this number. */
  async function deployWith(change: Change, at: number) {
    putBack();
    let isChanged = false;
    project.serve = async ({ request, number, kind }, answer) => {
      if (number === at) {
        isChanged = true;
        change.happen?.(project);
      }
      const answered = await answer();
      const [, what = ''] = kind.split(' ');
      const listed = isChanged && request.method === 'GET' ? change.list?.[what] : undefined;
      if (!listed) return answered;
      const { data, ...rest } = (await answered.json()) as { readonly data: Rows };
      const rows = 'deployments' in data ? data.deployments : data;
      return Response.json({ ...rest, data: rows.map((row) => listed(row)) });
    };
    return { ...(await project.run(...args)), deployed: production() };
  }

  /** The files of production, if this happens and nothing is deployed. */
  function untouched(change: Change): object {
    putBack();
    change.happen?.(project);
    return production();
  }

  it('uploads what was shown where nothing happens meanwhile', () => {
    expect(whole).toMatchObject({ code: 0, err: '', deployed: { [A]: mine, [C]: mineToo } });
  });

  it.each(changes)('uploads what was shown to where it was shown, or nothing, where $name', async (change) => {
    const before = untouched(change);
    const wrong: string[] = [];
    const finish = whole.requests.indexOf('POST finish');
    expect(finish).toBeGreaterThan(0);
    const reading = whole.requests.slice(0, finish);
    // What is on disk alone matters only if it is sent.
    const last = change.shownBy === undefined ? -1 : reading.lastIndexOf(change.shownBy);
    for (let at = 1; at <= finish; at += 1) {
      const { code, out, err, requests, deployed } = await deployWith(change, at);
      const isNothing = isDeepStrictEqual(deployed, before) && !requests.includes('POST finish');
      const isStopped = code !== 0 && `${err}${out}`.trim() !== '';
      const isShown = isDeepStrictEqual(deployed, whole.deployed) && code === 0;
      if (!(isNothing && isStopped) && !(isShown && at - 1 > last))
        wrong.push(`before request ${at} of ${whole.requests.join(', ')}: ${code} ${err}`);
    }
    expect(wrong).toEqual([]);
  });

  it('reaches the local platform as well', async () => {
    const path = 'model/cubes/returns.yml';
    const returns = yaml`
      cubes:
        - name: returns
          sql_table: returns
    `;
    const { platform, write, json, run } = await linkProject({ deployment: demo.cli });
    write(path, returns);
    const shown = await json('deploy');
    const [plan, confirm] = [String(shown['plan']), String(shown['confirm'])];
    const ended = await run('deploy', '--yes', '--plan', plan, '--yes-production', confirm);
    expect(ended).toMatchObject({ code: 0, err: '' });
    expect(await platform.control.hashes(demo.cli, 'master')).toMatchObject({ [path]: sha1(returns) });
  });
});
