import { err, ok, type Result } from '#base/result.ts';
import { isLoopback, isSecure } from './secure-url.ts';

/** A tenant's address (docs/platform-api.md#addresses). */
export interface TenantAddress {
  /** Scheme, host and port; no path, no trailing slash. */
  readonly baseUrl: string;
  readonly host: string;
  /** The first label of the host: the account's subdomain, or the whole host of a custom domain without one. */
  readonly tenant: string;
}

/** What is wrong with a typed address, and what to type instead. */
export interface AddressProblem {
  readonly message: string;
}

const example = 'Type the address that you open the platform with, for example https://acme.example.com.';

/**
 * Reads what a user types as tenant URL: `https://` is added where no scheme is given (`http://` for this machine),
 * path, query and fragment fall away, custom domains pass.
 */
export function parseTenantUrl(typed: string): Result<TenantAddress, AddressProblem> {
  const url = typedUrl(typed);
  if (!url.ok) return url;
  const { host, hostname, origin } = url.value;
  const isAddress = hostname.startsWith('[') || /^[\d.]+$/.test(hostname);
  const tenant = isAddress || isLoopback(hostname) ? host : (hostname.split('.')[0] ?? host);
  return ok({ baseUrl: origin, host, tenant });
}

/** A Chat API URL in parts (docs/chat.md#body-of-a-question): the two forms address an agent or a deployment's default agent. */
export type ChatAddress = {
  /** Base address of the chat API; no trailing slash. */
  readonly chatUrl: string;
  readonly accountName: string;
} & (
  | { readonly form: 'agent'; readonly agentId: string }
  | { readonly form: 'deployment'; readonly deploymentId: string }
);

const chatPath =
  /^(?<prefix>.*)\/api\/v1\/public\/(?<account>[^/]+)\/(?<form>agents|deployments)\/(?<id>[^/]+)(?:\/chat(?:\/(?:stream-chat-state|abort))?)?\/?$/;

/** Reads a Chat API URL as the agent settings show it; the stream's, the abort's and the bare agent's address all pass. */
export function parseChatUrl(typed: string): Result<ChatAddress, AddressProblem> {
  const url = typedUrl(typed);
  if (!url.ok) return url;
  const { prefix = '', account, form, id } = chatPath.exec(url.value.pathname)?.groups ?? {};
  const accountName = decoded(account);
  const target = decoded(id);
  if (accountName === undefined || target === undefined) {
    return err({
      message:
        'This is not a Chat API URL. Copy it from the agent settings; it ends in /api/v1/public/ACCOUNT/agents/AGENT/chat/stream-chat-state.',
    });
  }
  const base = { chatUrl: `${url.value.origin}${prefix}`, accountName };
  return ok(
    form === 'agents'
      ? { ...base, form: 'agent', agentId: target }
      : { ...base, form: 'deployment', deploymentId: target },
  );
}

/** The stream URL of an address, as the agent settings would show it. */
export function chatStreamUrl(address: ChatAddress): string {
  const target =
    address.form === 'agent'
      ? `agents/${encodeURIComponent(address.agentId)}`
      : `deployments/${encodeURIComponent(address.deploymentId)}`;
  return `${address.chatUrl}/api/v1/public/${encodeURIComponent(address.accountName)}/${target}/chat/stream-chat-state`;
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** A secure URL out of typed text: quotes and brackets around it fall away, a missing scheme is added. */
function typedUrl(typed: string): Result<URL, AddressProblem> {
  const text = typed
    .trim()
    .replaceAll(/^[<"'`]+|[>"'`]+$/g, '')
    .trim();
  if (text === '') return err({ message: `No address was given. ${example}` });
  const hasScheme = /^[a-z][\w+.-]*:\/\//i.test(text);
  const url = parsed(hasScheme ? text : withScheme(text));
  if (!url || url.hostname === '') return err({ message: `This is not an address. ${example}` });
  if (url.username !== '' || url.password !== '') {
    return err({ message: 'Leave the user name and password out of the address; the key is asked for next.' });
  }
  if (!isSecure(url)) {
    const why =
      url.protocol === 'http:'
        ? 'Only HTTPS is accepted (plain http is for this machine alone). Type the address with https://.'
        : `An address with ${url.protocol}// cannot be used. Type it with https://.`;
    return err({ message: why });
  }
  if (!hasScheme && !url.hostname.includes('.') && !url.hostname.includes(':') && !isLoopback(url.hostname)) {
    return err({ message: `“${url.hostname}” is only a part of an address. ${example}` });
  }
  return ok(url);
}

function withScheme(text: string): string {
  const host = parsed(`https://${text}`)?.hostname ?? '';
  return `${isLoopback(host) ? 'http' : 'https'}://${text}`;
}

function parsed(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
