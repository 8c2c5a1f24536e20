import { CancellationTokenSource } from 'vscode-languageserver/node';
import { describe, expect, it } from 'vitest';
import type { EngineError, EngineFile } from '#language-server/engine/messages.ts';
import type { Engine } from '#language-server/host.ts';
import {
  checkProposal,
  type CheckProposalParams,
  type CompileAnswer,
  type CompileQuestion,
  mayCompile,
  type ProposalVerdict,
} from '#features/language/messages.ts';
import { FakeEngine, onSave, ORDERS, orders, started } from '#support/language/fake-engine.ts';
import { ROOT, type Session } from '#support/language/session.ts';
import { yaml } from '#support/language/raw.ts';

describe('a proposal, checked before it is accepted', () => {
  const MORE = ORDERS.replace('sql_table: u', 'sql_table: users_new');
  const added = `${ROOT}/new.yml`;

  /** Refuses what `broken` finds in the files that it is given. */
  class PickyEngine extends FakeEngine {
    readonly signals: (AbortSignal | undefined)[] = [];
    readonly #broken: (files: readonly EngineFile[]) => readonly EngineError[];
    constructor(broken: (files: readonly EngineFile[]) => readonly EngineError[]) {
      super();
      this.#broken = broken;
    }
    override async check(
      root: string,
      files: readonly EngineFile[],
      signal?: AbortSignal,
    ): Promise<readonly EngineError[]> {
      await super.check(root, files);
      this.signals.push(signal);
      return this.#broken(files);
    }
  }
  const propose = (session: Session, files: CheckProposalParams['files']): Promise<ProposalVerdict> =>
    session.client.sendRequest<ProposalVerdict>(checkProposal, { files });
  const mention = (text: string, message: string) => (files: readonly EngineFile[]) =>
    files.some(({ content }) => content.includes(text)) ? [{ message }] : [];

  it('reaches the engine in the place of its files, beside those that it adds, and marks nothing', async () => {
    const engine = new PickyEngine(() => []);
    const session = await started(engine);
    const verdict = await propose(session, [
      { uri: orders, text: MORE },
      { uri: added, text: 'cubes: []\n' },
    ]);
    expect(verdict).toEqual({ state: 'accepted' });
    expect(engine.asked).toEqual([
      [
        { fileName: 'orders.yml', content: MORE },
        { fileName: 'new.yml', content: 'cubes: []\n' },
      ],
    ]);
    expect(engine.signals[0]).toBeDefined();
    const uri = await session.open('orders.yml');
    expect(await session.diagnosticsOf(uri, 1)).toEqual([]);
  });

  // @shows engine-check-of-proposals (server)
  it('shows why the engine refuses it and where, in the proposed text', async () => {
    const engine = new PickyEngine(mention('users_new', 'users cube: "sqlTable" is strange'));
    const session = await started(engine);
    expect(await propose(session, [{ uri: orders, text: MORE }])).toEqual({
      state: 'refused',
      errors: [{ message: '"sqlTable" is strange', location: { uri: orders, line: 11 } }],
    });
  });

  it('takes no blame for what the engine refuses without it', async () => {
    const session = await started(new PickyEngine(() => [{ message: 'orders cube: it was like that' }]));
    expect(await propose(session, [{ uri: orders, text: MORE }])).toMatchInlineSnapshot(`
      {
        "reason": "The engine already refuses the model without this change.",
        "state": "skipped",
      }
    `);
  });

  it('does not reach the engine where the folder may not be compiled, or only the platform can', async () => {
    const engine = new PickyEngine(() => []);
    const asking = await started(engine, { 'orders.yml': ORDERS }, { ...onSave, asksBeforeCompiling: true });
    const questions: CompileQuestion[] = [];
    asking.client.onRequest<CompileAnswer, void>(mayCompile, (question: CompileQuestion): CompileAnswer => {
      questions.push(question);
      return { may: false, reason: 'you chose not to.' };
    });
    const script = { uri: `${ROOT}/more.js`, text: "cube('more', { sql: `SELECT 1` });\n" };
    expect(await propose(asking, [script])).toEqual({ state: 'skipped', reason: 'You chose not to.' });
    expect(questions.map(({ hasScripts, byCommand }) => [hasScripts, byCommand])).toEqual([[true, false]]);
    const off = await started(engine, { 'orders.yml': ORDERS }, { ...onSave, engineCheck: 'off' });
    expect(await propose(off, [{ uri: orders, text: MORE }])).toMatchInlineSnapshot(`
      {
        "reason": "The engine check is off here.",
        "state": "skipped",
      }
    `);
    const named = yaml`
      ${ORDERS}    dimensions:
            - name: x
              sql: "{constructor.constructor}"
              type: string
    `;
    const open = await started(engine);
    expect(await propose(open, [{ uri: orders, text: named }])).toMatchInlineSnapshot(`
      {
        "reason": "An expression names \`constructor\`, which is not part of the data-model language.",
        "state": "skipped",
      }
    `);
    expect(engine.asked).toEqual([]);
  });

  // @shows engine-check-of-proposals (server)
  it('ends its check when the client cancels', async () => {
    let given: AbortSignal | undefined;
    const engine: Engine = {
      canCompile: () => true,
      check: (_root, _files, signal) =>
        new Promise((_, reject) => {
          given = signal;
          signal?.addEventListener('abort', () => reject(new Error('The engine stopped.')));
          asked();
        }),
    };
    let asked = (): void => undefined;
    const isAsked = new Promise<void>((resolve) => (asked = resolve));
    const session = await started(engine);
    const cancel = new CancellationTokenSource();
    const verdict = session.client.sendRequest<ProposalVerdict>(
      checkProposal,
      { files: [{ uri: orders, text: MORE }] },
      cancel.token,
    );
    await isAsked;
    cancel.cancel();
    expect(await verdict).toEqual({ state: 'skipped', reason: 'The check was cancelled.' });
    expect(given?.aborted).toBe(true);
  });
});
