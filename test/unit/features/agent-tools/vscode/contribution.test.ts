import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { DisposableStore } from '#base/disposable.ts';
import type { agentToolsContribution as Contribution } from '#features/agent-tools/vscode/contribution.ts';
import { localisedManifest } from '#support/manifest.ts';
import { tools } from '#tools/tools.ts';

interface Registered {
  readonly prepareInvocation: (options: object) => Promise<Readonly<Record<string, unknown>>>;
  readonly invoke: (options: object, token: object) => Promise<{ readonly values: readonly unknown[] }>;
}

const host = vi.hoisted(() => ({ lm: {} as Record<string, unknown> }));

vi.mock('vscode', async () => {
  const fake = await import('#support/fake-vscode.ts');
  class Part {
    readonly values: readonly unknown[];
    constructor(...values: readonly unknown[]) {
      this.values = values;
    }
  }
  class MarkdownString {
    readonly value: string;
    constructor(value: string) {
      this.value = value;
    }
  }
  return { ...fake, lm: host.lm, LanguageModelToolResult: Part, LanguageModelTextPart: Part, MarkdownString };
});

describe('the registration of tools for agents', () => {
  let contribution: typeof Contribution;
  let registered: Map<string, Registered>;
  beforeAll(() => vi.resetModules());
  afterAll(() => vi.resetModules());
  beforeEach(async () => {
    registered = new Map();
    host.lm['registerTool'] = (name: string, tool: Registered): object => {
      registered.set(name, tool);
      return { dispose: () => registered.delete(name) };
    };
    ({ agentToolsContribution: contribution } = await import('#features/agent-tools/vscode/contribution.ts'));
  });

  const prepared = vi.fn();
  const run = vi.fn();
  async function register(): Promise<DisposableStore> {
    const store = new DisposableStore();
    const extension = { packageJSON: JSON.parse(localisedManifest()) as unknown } as never;
    await contribution({ extension }, async () => Promise.resolve({ prepared, run } as never)).register(store);
    return store;
  }

  it('has every tool of the table, and ends with the extension', async () => {
    const store = await register();
    expect([...registered.keys()]).toEqual(tools.map(({ name }) => `modelbench_${name}`));
    store.dispose();
    expect(registered.size).toBe(0);
  });

  it('has nothing where the host lacks the API', async () => {
    delete host.lm['registerTool'];
    await register();
    expect(registered.size).toBe(0);
  });

  it('shows texts of an agent as they are, never as Markdown', async () => {
    prepared.mockResolvedValue({
      doing: 'Commit Dev Branch',
      confirmation: { title: 'Commit Dev Branch', message: 'message: [click](command:x)' },
    });
    await register();
    expect(await registered.get('modelbench_commit')?.prepareInvocation({ input: { message: 'x' } })).toEqual({
      invocationMessage: { value: 'Commit Dev Branch' },
      confirmationMessages: {
        title: 'Commit Dev Branch',
        message: { value: String.raw`message\: \[click\]\(command\:x\)` },
      },
    });
  });

  it('passes the answer on, and stops the work that VS Code cancels', async () => {
    let cancel = (): void => undefined;
    const token = {
      isCancellationRequested: false,
      onCancellationRequested: (listener: () => void) => {
        cancel = listener;
        return { dispose: () => undefined };
      },
    };
    run.mockImplementation(async (name: string, input: object, signal: AbortSignal) => {
      cancel();
      return Promise.resolve(JSON.stringify([name, input, signal.aborted]));
    });
    await register();
    const answer = await registered.get('modelbench_check')?.invoke({ input: { strict: true } }, token);
    expect(JSON.stringify(answer)).toContain(
      JSON.stringify(JSON.stringify(['check', { strict: true }, true])).slice(1, -1),
    );
  });
});
