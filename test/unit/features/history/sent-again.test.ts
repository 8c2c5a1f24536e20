import { describe, expect, it } from 'vitest';
import { writeDataModelFiles } from '#api/resources/data-model.ts';
import { silentLogger } from '#base/log.ts';
import { originOf } from '#base/origin.ts';
import { startDevMode } from '#features/branches/dev-mode.ts';
import { commitStep } from '#features/history/commit.ts';
import { mergeStep, mergeToDefaultStep } from '#features/history/merge.ts';
import { PlatformData } from '#features/platform/platform-data.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { patientClient } from '#support/api/patient-client.ts';
import { changedFile, type OnPage, openStepDesk, press, type StepDesk } from '#support/step-desk.ts';

interface Row {
  readonly name: string;
  readonly parentBranch?: string | null;
}

/** How the platform answers a step for the first time, without having done anything. */
const refusals = {
  'the platform asks for a pause': () =>
    Response.json({ error: 'slow down' }, { status: 429, headers: { 'Retry-After': '30' } }),
  'the key has expired, and the user enters another': () => Response.json({ error: 'expired' }, { status: 401 }),
} as const;

/** The scene of a step: what happens while its request waits, and what the platform says then. */
interface Scene {
  readonly desk: StepDesk;
  readonly sent: BranchTarget;
  /** The requests that reached the platform, apart from readings. */
  readonly arrived: string[];
  /** Happens between the first request and the next. */
  meanwhile: () => Promise<unknown>;
  listed: (rows: readonly Row[]) => readonly Row[];
}

/** A step whose first request is refused; its client waits for as long as it has to. */
async function scene(refusal: keyof typeof refusals, parent: string, pages: readonly OnPage[]): Promise<Scene> {
  const steps = /\/(commit|merge|merge-to-default)$/;
  let isRefused = false;
  const arrived: string[] = [];
  const opened = { arrived, meanwhile: async () => Promise.resolve(), listed: (rows: readonly Row[]) => rows } as Scene;
  const desk = await openStepDesk(pages, {
    intercept: async (request, send) => {
      if (steps.test(new URL(request.url).pathname)) {
        if (!isRefused) {
          isRefused = true;
          return refusals[refusal]();
        }
        opened.arrived.push(request.url.split('/').at(-1) ?? '');
      }
      const answer = await send(request);
      if (request.method !== 'GET' || !request.url.endsWith('/branches')) return answer;
      const { data } = (await answer.json()) as { readonly data: readonly Row[] };
      return Response.json({ data: opened.listed(data) });
    },
  });
  const client = patientClient({
    baseUrl: desk.account.tenantUrl,
    credential: () => ({
      kind: 'bearer',
      token: desk.platform.apiKey,
      origin: originOf(desk.account.tenantUrl),
    }),
    fetch: async (input, init) => desk.platform.fetch(new Request(input, init)),
    logger: silentLogger,
    clock: { now: () => Date.now(), sleep: async () => void (await opened.meanwhile()) },
    onUnauthorized: async () => {
      await opened.meanwhile();
      return true;
    },
  });
  const data = new PlatformData({ accounts: desk.accounts, connect: () => client });
  await data.deployments(desk.account.id).ensure();
  const sent =
    parent === 'main' ? desk.dev : await startDevMode({ ...desk, data }, { ...desk.dev, branchName: parent });
  const body = { branchName: sent.branchName, files: [{ path: changedFile, content: 'cubes: []\n' }] };
  await desk.client.call(writeDataModelFiles, { params: { deploymentId: '1' }, body });
  return Object.assign(opened, { desk: { ...desk, ports: { ...desk.ports, data } }, sent });
}

const steps = {
  commit: async ({ desk, sent }: Scene) => commitStep(desk.ports, sent, { typed: 'Why', to: 'returns-model' }),
  merge: async ({ desk, sent }: Scene) => mergeStep(desk.ports, sent),
  mergeToDefault: async ({ desk, sent }: Scene) => mergeToDefaultStep(desk.ports, sent),
};

const cases = Object.keys(refusals).flatMap((refusal) =>
  Object.keys(steps).map((step) => ({ refusal: refusal as keyof typeof refusals, step: step as keyof typeof steps })),
);

describe('a step that the platform has refused before it did anything', () => {
  it.each(cases)('$step is sent again where nothing has changed, when $refusal', async ({ refusal, step }) => {
    const opened = await scene(refusal, 'main', [press]);
    // The platform itself refuses to merge what is not committed.
    await Promise.allSettled([steps[step](opened)]);
    expect(opened.arrived).toHaveLength(1);
  });

  it.each(cases)(
    '$step is not sent with a file that the user has not seen, when $refusal',
    async ({ refusal, step }) => {
      const opened = await scene(refusal, 'main', [press]);
      opened.meanwhile = async () => opened.desk.write('model/cubes/later.yml', 'cubes: []\n');
      await expect(steps[step](opened)).rejects.toThrow(/has changed while the request waited.*nothing was sent/);
      expect(opened.arrived).toEqual([]);
    },
  );

  it.each(Object.keys(refusals) as (keyof typeof refusals)[])(
    'is not sent to production, which was asked about for a shared branch, when %s',
    async (refusal) => {
      const opened = await scene(refusal, 'returns-model', []);
      opened.meanwhile = async () => {
        opened.listed = (rows) =>
          rows.map((row) => ({ ...row, parentBranch: row.name === 'returns-model' ? null : 'returns-model' }));
        return Promise.resolve();
      };
      await expect(steps.commit(opened)).rejects.toThrow(/nothing was sent/);
      expect(opened.arrived).toEqual([]);
      expect(opened.desk.asked).toEqual([]);
    },
  );
});
