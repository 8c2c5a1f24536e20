import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Arriving, TinyProject } from '#support/tiny-project.ts';
import { A, C, N, mine, type Operation, operations, shownArguments, text } from '#support/tiny-operations.ts';
import { sha1 } from '#support/sync/tiny-platform.ts';

type Answer = () => Promise<Response>;

/** A way in which a platform, or a proxy before it, answers one request wrongly. `earlier`: the answer before it to the same kind. */
interface Fault {
  readonly name: string;
  readonly answer: (arriving: Arriving, answer: Answer, earlier: string | undefined) => Promise<Response>;
}

/** A file that no operation changes. */
const Z = 'model/cubes/z.yml';
const json = (text: string): Response => new Response(text, { headers: { 'content-type': 'application/json' } });
const elsewhere: Readonly<Record<string, string>> = {
  'GET file-hashes': '{"data":[{"name":"main","parentBranch":null}]}',
  'GET branches': '{"files":{}}',
};

/** Answers with other hashes. */
async function otherHashes(
  answer: Answer,
  change: (files: Record<string, { hash: string }>) => object,
): Promise<Response> {
  const body = (await (await answer()).json()) as { readonly files: Record<string, { hash: string }> };
  return Response.json({ files: change(body.files) });
}

const faults: readonly Fault[] = [
  { name: 'an error with status 200', answer: async () => json('{"error":"Something went wrong."}') },
  {
    name: 'a page with status 200',
    answer: async () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
  },
  { name: 'an empty body', answer: async () => json('') },
  { name: 'an empty object', answer: async () => json('{}') },
  {
    name: 'the end of the text is missing',
    answer: async (_, answer) => {
      const body = await (await answer()).text();
      return json(body.slice(0, Math.floor(body.length / 2)));
    },
  },
  { name: 'the answer to another request', answer: async ({ kind }) => json(elsewhere[kind] ?? '{"files":{}}') },
  {
    name: 'the answer before',
    answer: async (_, answer, earlier) => (earlier === undefined ? answer() : json(earlier)),
  },
  {
    name: 'the request arrives twice',
    answer: async (_, answer) => {
      await answer();
      return answer();
    },
  },
  {
    name: 'other hashes',
    answer: async ({ kind }, answer) =>
      kind === 'GET file-hashes'
        ? otherHashes(answer, (files) =>
            Object.fromEntries(Object.keys(files).map((path) => [path, { hash: sha1(path) }])),
          )
        : answer(),
  },
  {
    name: 'the hashes of other files',
    answer: async ({ kind }, answer) =>
      kind === 'GET file-hashes'
        ? otherHashes(answer, (files) => {
            const paths = Object.keys(files);
            return Object.fromEntries(
              paths.map((path, at) => [path, files[paths[(at + 1) % paths.length] ?? ''] ?? {}]),
            );
          })
        : answer(),
  },
  {
    name: 'a list without a file',
    answer: async ({ kind }, answer) =>
      kind === 'GET file-hashes'
        ? otherHashes(answer, (files) => Object.fromEntries(Object.entries(files).filter(([path]) => path !== Z)))
        : answer(),
  },
  {
    name: 'a list of nothing',
    answer: async ({ kind }, answer) => (kind === 'GET file-hashes' ? json('{"files":{}}') : answer()),
  },
];

const deploy: Operation = {
  name: 'deploy',
  show: 'deploy',
  args: ['deploy', '--yes', '--plan', 'PLAN', '--yes-production', 'Shop'],
  before: (project) => {
    project.tenant.deployments = [{ id: 1, name: 'Shop', deployMode: 'cli' }];
    project.write(A, mine);
    project.write(N, mine);
    project.remove(C);
  },
};

/** What was shown, from which each case begins. */
interface Shown {
  readonly project: TinyProject;
  readonly args: readonly string[];
  readonly putBack: () => void;
}

/** Pulls and shows an operation; the project is removed after the tests of this block. */
async function show(operation: Operation): Promise<Shown> {
  const agreed = { [A]: text('agreed'), [C]: text('agreed', 'other', 'c'), [Z]: text('agreed', 'untouched', 'z') };
  const project = new TinyProject(agreed, { honours: false });
  await project.run('pull', '--yes');
  const args = await shownArguments(operation, project);
  return { project, args, putBack: project.kept() };
}

async function runWith({ project, args, putBack }: Shown, fault: Fault | undefined, at: number) {
  putBack();
  const { tenant } = project;
  const versions = project.versions();
  const earlier = new Map<string, string>();
  project.serve = async (arriving, answer) => {
    const { kind, number, request } = arriving;
    // A body can be read once.
    const again = async (): Promise<Response> => tenant.fetch(request.clone());
    const isDue = number === at && fault !== undefined;
    const answered = isDue ? await fault.answer(arriving, again, earlier.get(kind)) : await answer();
    if (answered.ok) earlier.set(kind, await answered.clone().text());
    return answered;
  };
  const ended = await project.run(...args);
  const now = project.versions();
  return {
    ...ended,
    lost: [...versions].filter((version) => !now.has(version) && !project.isKept(version)),
    branches: [...new Set(tenant.writes.map((write) => write.split(' ')[0]))],
    files: [A, C, N, Z].map((path) => [project.read(path), tenant.of('dev-a').get(path), tenant.of('main').get(path)]),
  };
}

/** Those that write to the platform. */
const writing = [...operations.filter(({ name }) => name === 'push' || name === 'take mine'), deploy];

describe.each(writing)('$name', (operation) => {
  let shown: Shown;
  let whole: Awaited<ReturnType<typeof runWith>>;
  beforeAll(async () => {
    shown = await show(operation);
    whole = await runWith(shown, undefined, -1);
  });
  afterAll(() => shown.project[Symbol.dispose]());

  it('is done where every answer is right', () => {
    expect(whole).toMatchObject({ code: 0, err: '', lost: [] });
  });

  it.each(faults)('loses nothing and claims nothing that is not so: $name', async (fault) => {
    const wrong: string[] = [];
    for (const [index, kind] of whole.requests.entries()) {
      // The other requests show nothing that an effect depends on, and a write is proven by the list after it.
      if (kind !== 'GET file-hashes') continue;
      const at = index + 1;
      const { code, out, err, lost, branches, files } = await runWith(shown, fault, at);
      const isClaimed = code === 0 && JSON.stringify(files) !== JSON.stringify(whole.files);
      const found = [
        lost.length > 0 ? `lost ${lost.join()}` : '',
        branches.join() === whole.branches.join() || branches.length === 0 ? '' : `sent to ${branches.join()}`,
        isClaimed ? `claims to be done: ${out} ${JSON.stringify(files)}` : '',
        files[3]?.includes(undefined) === true ? `deleted a file that nobody named: ${out}${err}` : '',
        code !== 0 && `${out}${err}`.trim() === '' ? 'says nothing' : '',
        `${out}${err}`.includes('    at ') ? `shows a stack: ${err}` : '',
      ].filter((each) => each !== '');
      wrong.push(...found.map((each) => `request ${at} of ${whole.requests.join(', ')}: ${each}`));
    }
    expect(wrong).toEqual([]);
  });
});
