import { describe, expect, it } from 'vitest';
import { createBranch, deleteBranch } from '#api/resources/branches.ts';
import { writeDataModelFiles } from '#api/resources/data-model.ts';
import { commitStep } from '#features/history/commit.ts';
import { mergeStep, mergeToDefaultStep } from '#features/history/merge.ts';
import { startDevMode } from '#features/branches/dev-mode.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { changedFile, type Intercept, openStepDesk, press, type StepDesk } from '#support/step-desk.ts';

/** What can happen to a step between its page and its request, on the platform or in another window. */
interface Change {
  readonly name: string;
  /** Whose files it changes, if it changes no branch. */
  readonly files?: 'own' | 'production';
  readonly happen: (scene: Scene) => Promise<void>;
}

interface Scene {
  readonly desk: StepDesk;
  /** The branch that is sent. */
  readonly sent: BranchTarget;
  /** What the platform's list says instead, from now on. */
  readonly listed: { change: (rows: readonly Row[]) => readonly Row[] };
}

interface Row {
  readonly name: string;
  readonly parentBranch?: string | null;
}

const theirs = { 'model/cubes/theirs.yml': 'cubes: []\n' };

/** Another file on the branch that is sent; only dev branches take writes. */
async function anotherFile({ desk, sent }: Scene): Promise<void> {
  if (sent.branchName === desk.dev.branchName) await desk.write('model/cubes/later.yml', 'cubes: []\n');
  else await desk.platform.control.colleagueCommit(1, sent.branchName, theirs);
}

async function deletion({ desk, sent }: Scene): Promise<void> {
  const query = { branchName: sent.branchName };
  await desk.client.call(deleteBranch, { params: { deploymentId: '1' }, query });
}

const changes: readonly Change[] = [
  { name: 'another file is on the branch', files: 'own', happen: anotherFile },
  {
    name: 'a colleague has changed production',
    files: 'production',
    happen: async ({ desk }) => {
      await desk.platform.control.colleagueCommit(1, 'main', theirs);
    },
  },
  { name: 'the branch is deleted', happen: deletion },
  {
    name: 'the branch is deleted and made again with other files',
    happen: async (scene) => {
      await deletion(scene);
      const { desk, sent } = scene;
      await desk.platform.control.git(1, 'branch', sent.branchName, 'customers-model').catch(() => undefined);
      scene.listed.change = (rows) => [
        ...rows.filter(({ name }) => name !== sent.branchName),
        { name: sent.branchName, parentBranch: 'main' },
      ];
    },
  },
  {
    name: 'the branch is renamed',
    happen: async ({ listed, sent }) => {
      listed.change = (rows) =>
        rows.map((row) => (row.name === sent.branchName ? { ...row, name: `${row.name}-renamed` } : row));
      return Promise.resolve();
    },
  },
  {
    name: 'production is built from another branch',
    happen: async ({ listed }) => {
      listed.change = (rows) =>
        rows.map((row) => ({ ...row, parentBranch: row.name === 'customers-model' ? null : 'customers-model' }));
      return Promise.resolve();
    },
  },
  {
    name: 'the branch is gone from the list and so is its parent',
    happen: async ({ listed }) => {
      listed.change = () => [{ name: 'other', parentBranch: null }];
      return Promise.resolve();
    },
  },
];

/** The steps that send a branch to production, each with a branch that has something to send. */
const steps = {
  commit: async (desk: StepDesk) => ({
    sent: desk.dev,
    run: async () => commitStep(desk.ports, desk.dev, {}),
  }),
  merge: async (desk: StepDesk) => {
    const sent = { ...desk.dev, branchName: 'returns-model' };
    await desk.platform.control.colleagueCommit(1, sent.branchName, { [changedFile]: 'cubes: []\n' });
    return { sent, run: async () => mergeStep(desk.ports, sent) };
  },
  mergeToDefault: async (desk: StepDesk) => {
    const sent = { ...desk.dev, branchName: 'returns-model' };
    await desk.platform.control.colleagueCommit(1, sent.branchName, { [changedFile]: 'cubes: []\n' });
    return { sent, run: async () => mergeToDefaultStep(desk.ports, sent) };
  },
} as const;

/** When it happens, and the kind of request before which that is; `undefined`: before any. */
const moments = [
  ['while the page is open', undefined],
  ['after the button was pressed', 'branches'],
  ['while its files are read for the last time', 'file-hashes'],
] as const;

const cases = Object.keys(steps).flatMap((step) =>
  moments.flatMap(([moment, before]) =>
    changes
      // The list of branches was read by then.
      .filter(({ files }) => before !== 'file-hashes' || files !== undefined)
      .map((change) => ({ step: step as keyof typeof steps, moment, before, change, name: change.name })),
  ),
);

describe('a step to production that its user has confirmed once', () => {
  it.each(cases)('$step sends nothing where $name $moment', async ({ step, before, change }) => {
    const listed: Scene['listed'] = { change: (rows) => rows };
    let sent: string[] = [];
    let isPressed = false;
    let scene: Scene | undefined;
    const happen = async (): Promise<void> => {
      const due = scene;
      scene = undefined;
      if (due) await change.happen(due);
    };
    const intercept: Intercept = async (request, send) => {
      const { pathname, searchParams } = new URL(request.url);
      const kind = pathname.split('/').at(-1);
      if (request.method === 'POST') sent.push(`POST ${kind}`);
      const isTheirs = searchParams.get('branchName') === 'main';
      const isDue = kind !== 'file-hashes' || isTheirs === (change.files === 'production');
      if (isPressed && request.method === 'GET' && kind === before && isDue) await happen();
      const answer = await send(request);
      if (request.method !== 'GET' || kind !== 'branches') return answer;
      const { data } = (await answer.json()) as { readonly data: readonly Row[] };
      return Response.json({ data: listed.change(data) });
    };
    const desk = await openStepDesk(
      [
        async (page) => {
          await page.ready();
          if (before === undefined) await happen();
          isPressed = true;
          await page.press();
        },
      ],
      { intercept },
    );
    const { run, sent: branch } = await steps[step](desk);
    scene = { desk, sent: branch, listed };
    sent = [];
    const refused = await run().then(
      () => '',
      (error: unknown) => String(error),
    );
    expect(scene).toBeUndefined();
    expect(sent).toEqual([]);
    // Either it is asked again with what is there now, or the user reads why it was not sent.
    const [first, ...again] = desk.asked;
    expect(first).toMatch(/main \(production\)\?$/);
    expect(again.length > 0 || refused !== '').toBe(true);
  });

  it.each(Object.keys(steps) as (keyof typeof steps)[])(
    '%s ends with the reason where the platform is not reached after the button was pressed',
    async (step) => {
      let isPressed = false;
      const desk = await openStepDesk(
        [
          async (page) => {
            await page.ready();
            isPressed = true;
            await page.press();
          },
        ],
        { intercept: async (request, send) => (isPressed ? Promise.reject(new TypeError('reset')) : send(request)) },
      );
      const { run, sent } = await steps[step](desk);
      await expect(run()).rejects.toMatchObject({ kind: 'network' });
      // No second page claims that something has changed, and what was typed is there for the next attempt.
      expect(desk.asked).toHaveLength(1);
      expect(desk.ports.drafts.of(step, sent)).toBe(step === 'merge' ? undefined : 'Why');
    },
  );

  it.each(Object.keys(steps) as (keyof typeof steps)[])('%s is sent where nothing has changed', async (step) => {
    const desk = await openStepDesk([press]);
    const { run } = await steps[step](desk);
    await run();
    expect(desk.log.filter((line) => line.startsWith('POST'))).toHaveLength(1);
    expect(desk.asked).toHaveLength(1);
  });

  it.each(Object.keys(steps) as (keyof typeof steps)[])(
    'reports what was sent with %s because it came after the files were read for the last time',
    async (step) => {
      let late = async (): Promise<unknown> => Promise.resolve();
      const desk = await openStepDesk([press], {
        intercept: async (request, send) => {
          if (/\/(commit|merge|merge-to-default)$/.test(request.url)) await late();
          return send(request);
        },
      });
      const { sent, run } = await steps[step](desk);
      late = async () =>
        sent.branchName === desk.dev.branchName
          ? desk.write('model/cubes/later.yml', 'cubes: []\n')
          : desk.platform.control.colleagueCommit(1, sent.branchName, { 'model/cubes/later.yml': 'cubes: []\n' });
      await run();
      expect(desk.asked.at(-1)).toMatch(
        /^hint: “main” also has 1 change that you did not confirm.*: model\/cubes\/later\.yml/,
      );
    },
  );

  it.each(Object.keys(steps) as (keyof typeof steps)[])(
    'reports that %s changed nothing although it was confirmed, and keeps the message of a commit',
    async (step) => {
      let sentSteps = 0;
      const desk = await openStepDesk([press], {
        intercept: async (request, send) => {
          if (!/\/(commit|merge|merge-to-default)$/.test(request.url)) return send(request);
          sentSteps += 1;
          return Response.json({});
        },
      });
      const { sent, run } = await steps[step](desk);
      await run();
      expect(desk.asked.at(-1)).toMatch(
        /^hint: The platform confirmed the step, but on “main” \d+ files? (?:is|are) as before: .*\. (?:Nothing was sent again|Either there was nothing to merge, because they are newer there, or the platform did not merge)\. Check/,
      );
      expect(sentSteps).toBe(1);
      // A merge may have had nothing to bring, so it is not a failure.
      expect(desk.ports.drafts.of(step, sent)).toBe(step === 'commit' ? 'Why' : undefined);
    },
  );

  it('says of a file that both branches had that it is neither version', async () => {
    const lines = (first: string, last: string): string => `# ${first}\n${'# same\n'.repeat(9)}# ${last}\n`;
    const both = 'model/cubes/both.yml';
    const desk = await openStepDesk([press]);
    const { control } = desk.platform;
    await control.colleagueCommit(1, 'main', { [both]: lines('old', 'old') });
    const body = { name: 'feature', parentBranch: 'main' };
    await desk.client.call(createBranch, { params: { deploymentId: '1' }, body });
    const sent = { ...desk.dev, branchName: 'feature' };
    await control.colleagueCommit(1, 'feature', { [both]: lines('new', 'old') });
    await control.colleagueCommit(1, 'main', { [both]: lines('old', 'new') });
    await mergeToDefaultStep(desk.ports, sent);
    expect(await control.readFile(1, 'main', both)).toBe(lines('new', 'new'));
    expect(desk.asked.at(-1)).toMatch(
      /^hint: “main” has 1 file in a version that neither branch had.*: model\/cubes\/both/,
    );
  });

  it('is sent with the new files after the user has confirmed those', async () => {
    const isNew: boolean[] = [];
    const desk = await openStepDesk([
      async (page) => {
        await page.ready();
        await desk.write('model/cubes/later.yml', 'cubes: []\n');
        await page.press();
      },
      async (page) => {
        isNew.push(page.question.hasChanged, page.question.situation.content?.includes('later.yml') === true);
        await page.press();
      },
    ]);
    expect(await commitStep(desk.ports, desk.dev, {})).toBe(true);
    expect(isNew).toEqual([true, true]);
    expect(await desk.platform.control.readFile(1, 'main', 'model/cubes/later.yml')).toBe('cubes: []\n');
  });

  it('is not sent to production by a second window that reads the same branch', async () => {
    const desk = await openStepDesk([
      async (page) => {
        await page.ready();
        // The first of two windows has sent it by now.
        expect(await commitStep(desk.ports, desk.dev, {})).toBe(true);
        await page.press();
      },
      press,
    ]);
    expect(await commitStep(desk.ports, desk.dev, {})).toBe(true);
    expect(desk.log.filter((line) => line === 'POST commit')).toHaveLength(1);
    expect(desk.asked.at(-1)).toMatch(/^hint: Nothing to commit/);
  });
});

describe('a dev branch that was left elsewhere', () => {
  it('is committed only as its page showed it', async () => {
    const desk = await openStepDesk([
      async (page) => {
        await page.ready();
        await startDevMode(desk, { ...desk.dev, branchName: 'returns-model' });
        await page.press();
      },
    ]);
    const outcome = await commitStep(desk.ports, desk.dev, {}).catch((error: unknown) => String(error));
    const file = await desk.platform.control.readFile(1, 'main', changedFile);
    // The platform decides whether a stopped dev branch is committed; other files never are.
    expect([outcome, file]).toEqual(outcome === true ? [true, 'cubes: []\n'] : [outcome, undefined]);
    expect(desk.log.filter((line) => line === 'POST commit').length).toBeLessThan(2);
  });
});

describe('a commit to a shared branch that its user has reviewed', () => {
  it('is reviewed again where another file is on the branch by then', async () => {
    const asked: boolean[] = [];
    const desk = await openStepDesk([
      async (page) => {
        await write();
        await page.press();
      },
      async ({ question }) => {
        asked.push(question.hasChanged, question.situation.content?.includes('later.yml') === true);
        return Promise.resolve();
      },
    ]);
    const dev = await startDevMode(desk, { ...desk.dev, branchName: 'returns-model' });
    const writeFile = async (path: string): Promise<void> => {
      const body = { branchName: dev.branchName, files: [{ path, content: 'cubes: []\n' }] };
      await desk.client.call(writeDataModelFiles, { params: { deploymentId: '1' }, body });
    };
    const write = async (): Promise<void> => writeFile('model/cubes/later.yml');
    await writeFile(changedFile);
    expect(await commitStep(desk.ports, dev, {})).toBe(false);
    expect(asked).toEqual([true, true]);
    expect(desk.log.filter((line) => line === 'POST commit')).toEqual([]);
  });
});
