import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { PlatformError } from '#api/errors.ts';
import { silentLogger } from '#base/log.ts';
import { text } from '#base/user-text.ts';
import { Hint } from '#shell/user-error.ts';
import { KeyOrigins } from '#shell/key-origins.ts';
import type { confirmKeyHost as ConfirmKeyHost } from '#features/accounts/vscode/confirm-key-host.ts';
import type { confirmSignOut as ConfirmSignOut } from '#features/accounts/vscode/confirm-sign-out.ts';
import type { UploadConsent, UploadRisk } from '#features/folders/upload-consent.ts';
import type { UploadDeps } from '#features/folders/vscode/deps.ts';
import type { mayUpload as MayUpload } from '#features/folders/vscode/upload-consent.ts';
import type { errorBoundary as ErrorBoundary } from '#shell/vscode/error-boundary.ts';
import type { openAddress as OpenAddress } from '#shell/vscode/guarded/open-address.ts';
import type * as Questions from '#shell/vscode/questions.ts';

/** VS Code's messages, and a user who presses a button. */
const host = vi.hoisted(() => ({
  press: undefined as string | undefined,
  said: [] as string[],
  hints: [] as (readonly unknown[])[],
  opened: [] as unknown[],
  ran: [] as string[],
}));

vi.mock('vscode', () => {
  const message = (text: string, ...rest: readonly unknown[]): Promise<unknown> => {
    const [options] = rest;
    host.said.push(typeof options === 'object' ? `${text}\n${(options as { detail: string }).detail}` : text);
    return Promise.resolve(rest.find((item) => item === host.press));
  };
  const names = [
    'TreeItem',
    'CodeLens',
    'Diagnostic',
    'FileDecoration',
    'CompletionItem',
    'FileSystemError',
    'Uri',
    'TestRunRequest',
    'TestMessage',
  ];
  return {
    ...Object.fromEntries(names.map((name) => [name, Object])),
    window: {
      showErrorMessage: message,
      showWarningMessage: message,
      showInformationMessage: (text: string, ...buttons: readonly unknown[]) => {
        host.hints.push([text, ...buttons]);
        return message(text, ...buttons);
      },
    },
    env: {
      clipboard: { writeText: () => Promise.resolve() },
      openExternal: (uri: unknown) => {
        host.opened.push(uri);
        return Promise.resolve(true);
      },
    },
    commands: {
      executeCommand: (id: string) => {
        host.ran.push(id);
        return Promise.resolve();
      },
    },
    languages: {},
    scm: {},
    tests: {},
    authentication: {},
    lm: {},
  };
});

let confirmKeyHost: typeof ConfirmKeyHost;
let confirmSignOut: typeof ConfirmSignOut;
let mayUpload: typeof MayUpload;
let errorBoundary: typeof ErrorBoundary;
let openAddress: typeof OpenAddress;
let questions: typeof Questions;

// Test files share what they have loaded, and each has a VS Code of its own.
beforeAll(async () => {
  vi.resetModules();
  ({ confirmKeyHost } = await import('#features/accounts/vscode/confirm-key-host.ts'));
  ({ confirmSignOut } = await import('#features/accounts/vscode/confirm-sign-out.ts'));
  ({ mayUpload } = await import('#features/folders/vscode/upload-consent.ts'));
  ({ errorBoundary } = await import('#shell/vscode/error-boundary.ts'));
  ({ openAddress } = await import('#shell/vscode/guarded/open-address.ts'));
  questions = await import('#shell/vscode/questions.ts');
});
afterAll(() => vi.resetModules());

beforeEach(() => {
  Object.assign(host, { press: undefined, said: [], hints: [], opened: [], ran: [] });
});

const link = '[Sign in again](command:workbench.action.terminal.new) $(zap) \u202E';

describe('an error message', () => {
  it.each([
    ['an expected error', new PlatformError({ kind: 'auth', operation: 'x', message: `It said: “${link}”.` })],
    ['a bug', new Error(link)],
  ])('quotes a server without its link: %s', async (_name, error) => {
    await errorBoundary(silentLogger)('test', error);
    expect(host.said).toHaveLength(1);
    expect(host.said[0]).toContain('[Sign in again] (command:workbench.action.terminal.new) $ (zap) \uFFFD');
  });
});

describe('a refusal of the platform', () => {
  const refused = new PlatformError({ kind: 'conflict', operation: 'merge', status: 409, message: 'It said no.' });
  const press = async (button: string, error: Error = refused): Promise<readonly string[]> => {
    host.press = button;
    await errorBoundary(silentLogger)('modelbench.branches.open', error, () => Promise.resolve(host.ran.push('again')));
    return host.ran;
  };

  it('can be tried again', async () => {
    expect(await press('Try Again')).toEqual(['again']);
  });

  it('can be answered by a refresh', async () => {
    expect(await press('Refresh')).toContain('modelbench.branches.refresh');
  });

  it('offers the log where neither can help', async () => {
    const own = new PlatformError({ kind: 'invalidRequest', operation: 'merge', message: 'Nothing was sent.' });
    expect(await press('Refresh', own)).toEqual([]);
    expect(await press('Show Log', own)).toEqual(['modelbench.showLog']);
  });
});

describe('a hint', () => {
  it('is information without the log, with what helps', async () => {
    const action = { title: 'Select', command: 'modelbench.selectDeployment' } as const;
    host.press = 'Select';
    await errorBoundary(silentLogger)('test', new Hint('Select a deployment first.', action));
    expect(host).toMatchObject({
      hints: [['Select a deployment first.', 'Select']],
      ran: ['modelbench.selectDeployment'],
    });
  });

  it('offers no log where nothing else helps', async () => {
    await errorBoundary(silentLogger)('test', new Hint('There are no conflicts.'));
    expect(host.hints).toEqual([['There are no conflicts.']]);
  });
});

describe('opening an address', () => {
  const tenant = 'https://acme.example.com';

  it('asks nothing within the tenant', async () => {
    expect(await openAddress(`${tenant}/device`, tenant)).toBe(true);
    expect(host).toMatchObject({ said: [], opened: [`${tenant}/device`] });
  });

  it('shows the whole address elsewhere, and opens exactly that', async () => {
    const address = `https://еvil.example/${'a'.repeat(600)}?next=\u202E`;
    host.press = 'Open';
    expect(await openAddress(address, tenant)).toBe(true);
    const [opened] = host.opened;
    expect(host.said[0]).toContain(`${String(opened)}\n`);
    expect(host.said[0]).toMatch(/^Open a page on xn--vil-qdd\.example\?/);
  });

  it('opens nothing that was not confirmed, and nothing that is not a web page', async () => {
    expect(await openAddress('https://evil.example/', tenant)).toBe(false);
    host.press = 'Open';
    for (const address of ['file:///etc/passwd', 'vscode://a.b/c', 'ms-msdt:/id', 'http://evil.example/']) {
      await expect(openAddress(address, tenant)).rejects.toThrow('not opened');
    }
    expect(host.opened).toEqual([]);
  });
});

describe('the key of an account', () => {
  it('goes to another host after one question for each account and host', async () => {
    const stored = new Map<string, unknown>();
    const origins = new KeyOrigins({
      get: (name) => stored.get(name),
      set: (name, value) => Promise.resolve(void stored.set(name, value)),
    });
    const a = { accountId: 'a', tenantUrl: 'https://a.example' };
    const b = { accountId: 'b', tenantUrl: 'https://b.example' };
    expect(await confirmKeyHost(origins, a, 'https://a.example/chat')).toBe(true);
    expect(await confirmKeyHost(origins, a, 'https://ai.example/chat')).toBe(false);
    expect(host.said).toEqual([
      'Send the key of a.example to ai.example?\nWhoever runs that host can use your key, so send it only if the agent settings of a.example show this address:\n\nhttps://ai.example/chat',
    ]);
    host.press = 'Send Key to ai.example';
    expect(await confirmKeyHost(origins, a, 'https://ai.example/chat')).toBe(true);
    host.press = undefined;
    expect(await confirmKeyHost(origins, a, 'https://ai.example/other')).toBe(true);
    expect(await confirmKeyHost(origins, a, 'https://ai.example:8443/chat')).toBe(false);
    expect(await confirmKeyHost(origins, b, 'https://ai.example/chat')).toBe(false);
    expect(await confirmKeyHost(origins, b, 'blob:https://b.example/1')).toBe(false);
  });
});

describe('a sign-out', () => {
  it('is one question and one sentence, and erases only what was asked to be erased', async () => {
    expect(await confirmSignOut('a.example')).toBeUndefined();
    expect(host.said).toEqual([
      'Sign out of a.example?\nIts keys are removed. “Sign Out and Erase” also removes its chat transcripts, texts that you have not sent, earlier versions of files and trash from this machine, but no file of your folders.',
    ]);
    host.press = 'Sign Out';
    expect(await confirmSignOut('a.example')).toBe('keep');
    host.press = 'Sign Out and Erase';
    expect(await confirmSignOut('a.example')).toBe('erase');
  });
});

describe('an upload to a deployment that Git may feed', () => {
  const ask = async (risk: UploadRisk): Promise<boolean> => {
    const consent = { obtain: (_: unknown, question: (risk: UploadRisk) => Promise<boolean>) => question(risk) };
    const data = { deployments: () => ({ ensure: () => Promise.resolve() }), nameOf: () => 'Shop' };
    const deps = { data, consent: consent as unknown as UploadConsent } as unknown as UploadDeps;
    return mayUpload(deps, { accountId: 'a', deploymentId: '1' });
  };

  it('is one question and one sentence', async () => {
    expect(await ask({ kind: 'unknown' })).toBe(false);
    host.press = 'Upload Anyway';
    expect(await ask({ kind: 'connected', provider: 'GitHub' })).toBe(true);
    expect(host.said).toEqual([
      'Upload to “Shop”, which may be connected to a Git repository?\nUploads and pushes to that repository overwrite each other, and Modelbench does not ask again for this deployment.',
      'Upload to “Shop”, which is connected to GitHub?\nUploads and pushes to GitHub overwrite each other, and Modelbench does not ask again for this deployment.',
    ]);
  });
});

describe('confirmed', () => {
  it('resolves to true only for the one button', async () => {
    const ask = (): Promise<boolean> => questions.confirmed(text`Move it?`, text`Move`, text`Everyone sees it.`);
    expect(await ask()).toBe(false);
    host.press = 'Move';
    expect(await ask()).toBe(true);
    expect(host.said).toEqual(['Move it?\nEveryone sees it.', 'Move it?\nEveryone sees it.']);
  });
});

describe('warnAndOffer', () => {
  const actions = [
    { title: 'Refresh Branches', command: 'modelbench.branches.refresh' },
    { title: 'Show Log', command: 'modelbench.showLog' },
  ] as const;

  it.each([
    [undefined, []],
    ['Refresh Branches', ['modelbench.branches.refresh']],
    ['Show Log', ['modelbench.showLog']],
  ])('runs the command of the chosen button: %s', async (press, ran) => {
    host.press = press;
    await questions.warnAndOffer('The branch is gone.', actions);
    expect([host.said, host.ran]).toEqual([['The branch is gone.'], ran]);
  });
});
