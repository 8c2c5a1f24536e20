import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import { parseTenantUrl } from '#api/tenant-url.ts';
import { type Account, hostOf } from '#features/accounts/accounts.ts';
import {
  hostToConfirm,
  prefilledTenant,
  suggestedBy,
  type TenantSuggestion,
} from '#features/accounts/tenant-suggestion.ts';
import { withNewKey } from '#features/accounts/new-key.ts';
import { checkSignIn, tenantProblem } from '#features/accounts/check-sign-in.ts';
import { askChecked } from '#shell/vscode/checked-input.ts';
import type { SignInDeps } from './deps.ts';
import { signInWithBrowser } from './browser-sign-in.ts';
import { confirmed } from '#shell/vscode/questions.ts';

const title = 'Sign In to a Tenant';

/**
 * Asks for the tenant and a key, tries them, and stores the account. A problem is shown under the input that caused it, which
 * stays open. Resolves to `undefined` if the user cancelled.
 */
export async function signIn(services: SignInDeps, suggestion?: TenantSuggestion): Promise<Account | undefined> {
  let tenantUrl = prefilledTenant(suggestion, services.isTrusted.value);
  const source = tenantUrl === undefined ? undefined : suggestedBy(suggestion);
  let problem: string | undefined;
  for (;;) {
    tenantUrl = await askTenant(services, { value: tenantUrl, source, problem }, suggestion);
    if (tenantUrl === undefined) return undefined;
    const outcome = await askKey(services, tenantUrl);
    if (outcome === undefined) return undefined;
    if (outcome.kind !== 'wrongTenant') {
      return withNewKey(
        services,
        outcome.kind === 'browser'
          ? signInWithBrowser(services, tenantUrl)
          : services.accounts.add(tenantUrl, outcome.key),
      );
    }
    problem = outcome.message;
  }
}

/** Asks the user whether anything may be sent to a host that a folder or a link suggested. */
async function confirmHost(
  { accounts }: SignInDeps,
  tenantUrl: string,
  suggestion: TenantSuggestion | undefined,
): Promise<boolean> {
  const host = hostToConfirm(tenantUrl, suggestion, accounts.all.value);
  if (host === undefined) return true;
  return confirmed(
    text`Sign in to ${host}?`,
    text`Sign In to ${host}`,
    text`You have not signed in to this host before. It was suggested by ${suggestedBy(suggestion) ?? ''}, and your key will be sent to ${tenantUrl}.`,
  );
}

interface TenantQuestion {
  readonly value: string | undefined;
  /** Who suggested the value. */
  readonly source: string | undefined;
  readonly problem: string | undefined;
}

/**
 * Asks for a tenant until one responds. The host is contacted only after the user confirmed it, and before a key is asked for.
 */
async function askTenant(
  services: SignInDeps,
  { value, source, problem }: TenantQuestion,
  suggestion: TenantSuggestion | undefined,
): Promise<string | undefined> {
  let isDeclined = false;
  const answer = await askChecked({
    title,
    step: 1,
    totalSteps: 2,
    prompt:
      source === undefined
        ? text`Tenant URL: the address of the platform in your browser. Custom domains work too.`
        : text`Tenant URL, suggested by ${source}. Continue only if you know this address.`,
    placeholder: 'https://acme.example.com',
    value,
    problem,
    validate: (typed) => {
      const parsed = parseTenantUrl(typed);
      return parsed.ok ? undefined : parsed.error.message;
    },
    check: async (typed, signal) => {
      const parsed = parseTenantUrl(typed);
      if (!parsed.ok) return parsed.error.message;
      const { baseUrl } = parsed.value;
      isDeclined = !(await confirmHost(services, baseUrl, suggestion));
      return isDeclined ? undefined : tenantProblem(services.connectWith(baseUrl, ''), signal);
    },
  });
  const parsed = answer === undefined || isDeclined ? undefined : parseTenantUrl(answer);
  return parsed?.ok ? parsed.value.baseUrl : undefined;
}

type KeyOutcome =
  | { readonly kind: 'signedIn'; readonly key: string }
  | { readonly kind: 'browser' }
  /** The problem is the tenant, not the key. */
  | { readonly kind: 'wrongTenant'; readonly message: string };

async function askKey({ connectWith }: SignInDeps, tenantUrl: string): Promise<KeyOutcome | undefined> {
  let wrongTenant: string | undefined;
  let browser = false;
  const key = await askChecked({
    title,
    step: 2,
    totalSteps: 2,
    prompt: text`API key or access token for ${hostOf(tenantUrl)}. It is stored only in VS Code’s secret storage.`,
    placeholder: 'Paste your API key',
    password: true,
    alternative: { icon: 'globe', tooltip: 'Sign in with a browser instead', choose: () => (browser = true) },
    validate: (typed) => {
      const text = typed.trim();
      if (text === '') return 'Paste an API key. You can create one in your account settings on the platform.';
      return /\s/.test(text) ? 'A key has no spaces: paste only the key.' : undefined;
    },
    check: async (typed, signal) => {
      const checked = await checkSignIn(connectWith(tenantUrl, typed.trim()), signal);
      if (checked.ok) return undefined;
      if (checked.error.field === 'key') return checked.error.message;
      wrongTenant = checked.error.message;
      return undefined;
    },
  });
  if (browser) return { kind: 'browser' };
  if (wrongTenant !== undefined) return { kind: 'wrongTenant', message: wrongTenant };
  return key === undefined ? undefined : { kind: 'signedIn', key: key.trim() };
}

/** Asks which account to use; returns the only one without asking. */
export async function pickAccount(
  services: { readonly accounts: Pick<SignInDeps['accounts'], 'all'> },
  placeHolder: string,
): Promise<Account | undefined> {
  const accounts = services.accounts.all.value;
  if (accounts.length <= 1) return accounts[0];
  const items = accounts.map((account) => ({
    label: textOf(account.label),
    description: textOf(account.source === 'environment' ? 'from MODELBENCH_API_KEY' : account.tenantUrl),
    account,
  }));
  return (await vscode.window.showQuickPick(items, { placeHolder: textOf(placeHolder) }))?.account;
}
