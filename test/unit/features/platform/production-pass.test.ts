import { describe, expect, it } from 'vitest';
import type { GatedSituation } from '#features/platform/production-gate.ts';
import { type GateQuestion, type ProductionPass, throughGate } from '#features/platform/production-pass.ts';

const target = { accountId: 'a', deploymentId: '1', branchName: 'dev-ada-1' };
const production: GatedSituation = {
  step: 'commit',
  from: 'dev-ada-1',
  to: 'main',
  isDeploy: true,
  isProtected: false,
  deployment: 'Shop',
  build: 'built',
  content: 'a',
};

/** A gate that reads these situations one after the other, the last one for ever, and notes what it asks and says. */
function gate(readings: readonly GatedSituation[], answers: readonly boolean[] = []) {
  const left = [...readings];
  const asked: GateQuestion[] = [];
  const said: string[] = [];
  const passes: ProductionPass[] = [];
  const outcome = throughGate(
    target,
    {
      read: async () => (left.length > 1 ? left.shift() : left[0]) ?? production,
      ask: async (question) => {
        asked.push(question);
        return answers[asked.length - 1] === true ? question : undefined;
      },
      say: (text) => void said.push(text),
    },
    async (pass) => passes.push(pass),
  );
  return { outcome, asked, said, passes };
}

describe('a step at the gate', () => {
  it('is sent without a question where it cannot reach production', async () => {
    const { outcome, asked, passes } = gate([{ ...production, to: 'returns', isDeploy: false }]);
    expect([(await outcome).kind, asked, passes.length]).toEqual(['sent', [], 1]);
  });

  it('is asked about with its destination, and sent once it was confirmed', async () => {
    const { outcome, asked, passes } = gate([production], [true]);
    expect([(await outcome).kind, passes.length]).toEqual(['sent', 1]);
    expect(asked).toMatchObject([
      {
        title: 'Commit to main (production)?',
        button: 'Commit to main (production)',
        detail: 'Production of “Shop” is rebuilt from “main”.',
        typed: undefined,
      },
    ]);
  });

  it('is not sent where the user does not confirm it', async () => {
    const { outcome, passes } = gate([production], [false]);
    expect([await outcome, passes]).toEqual([{ kind: 'refused' }, []]);
  });

  it('is a hint where there is nothing to send', async () => {
    const { outcome, asked, said, passes } = gate([{ ...production, content: '' }]);
    expect([await outcome, asked, passes]).toEqual([{ kind: 'nothing' }, [], []]);
    expect(said).toEqual(['Nothing to commit: dev-ada-1 and main are the same.']);
  });

  it('is asked about again where its build fails while the question is open', async () => {
    const failed = { ...production, build: 'failed', buildError: 'orders.yml: no such column' } as const;
    const { outcome, asked, passes } = gate([{ ...production, build: 'building' }, failed], [true, true]);
    expect([(await outcome).kind, passes.length]).toEqual(['sent', 1]);
    expect(asked.map(({ typed }) => typed)).toEqual([undefined, 'Shop']);
    expect(asked[1]?.detail).toMatchInlineSnapshot(
      `"This has changed since you confirmed it. Production of “Shop” is rebuilt from “main”. The build of “dev-ada-1” failed, so production would fail as well. orders.yml: no such column"`,
    );
  });

  it('is asked about again where its content or destination changes', async () => {
    const other = { ...production, content: 'b' };
    const { outcome, asked, passes } = gate([production, other, { ...other, to: 'master' }], [true, true, false]);
    expect([await outcome, asked.length, passes]).toEqual([{ kind: 'refused' }, 3, []]);
  });

  it('ends quietly where someone else has done it meanwhile', async () => {
    const { outcome, said, passes } = gate([production, { ...production, content: '' }], [true]);
    expect([await outcome, said.length, passes]).toEqual([{ kind: 'nothing' }, 1, []]);
  });
});

describe('a pass', () => {
  const pass = async (): Promise<ProductionPass> => {
    const { outcome, passes } = gate([production], [true]);
    await outcome;
    const [made] = passes;
    if (!made) throw new Error('There is no pass.');
    return made;
  };

  it('fits one call', async () => {
    const made = await pass();
    made.use('commit', target);
    expect(() => made.use('commit', target)).toThrow(/not confirmed/);
  });

  it.each([
    ['another step', 'merge', target],
    ['another branch', 'commit', { ...target, branchName: 'dev-ben-1' }],
    ['another deployment', 'commit', { ...target, deploymentId: '2' }],
    ['another account', 'commit', { ...target, accountId: 'b' }],
  ] as const)('does not fit %s', async (_name, step, other) => {
    const made = await pass();
    expect(() => made.use(step, other)).toThrow(/not confirmed/);
  });
});
