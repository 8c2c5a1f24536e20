import { err, ok, type Result } from '#base/result.ts';
import { isLoopback, isSecure } from './secure-url.ts';

/** A tenant's address (docs/platform-api.md#addresses). */
export interface TenantAddress {
  /** Scheme, host and port; no path, no trailing slash. */
  readonly baseUrl: string;
  readonly host: string;
  /** The first label of the host, usually the account's subdomain; the whole host for an IP address or this machine. */
  readonly tenant: string;
}

/** The problem with a typed address, and what to type instead. */
export interface AddressProblem {
  readonly message: string;
}

const example = 'Type the address that you open the platform with, for example https://acme.example.com.';

/**
 * Parses what a user types as tenant URL: adds `https://` if there is no scheme (`http://` for this machine), removes
 * path, query and fragment, and accepts custom domains.
 */
export function parseTenantUrl(typed: string): Result<TenantAddress, AddressProblem> {
  const url = typedUrl(typed);
  if (!url.ok) return url;
  const { host, hostname, origin } = url.value;
  const isAddress = hostname.startsWith('[') || /^[\d.]+$/.test(hostname);
  const tenant = isAddress || isLoopback(hostname) ? host : (hostname.split('.')[0] ?? host);
  return ok({ baseUrl: origin, host, tenant });
}

/**
 * The components of a Chat API URL (docs/chat.md#body-of-a-question): the two forms address an agent or a deployment's
 * default agent.
 */
export type ChatAddress = {
  /** The base URL of the chat API, without a trailing slash. */
  readonly chatUrl: string;
  readonly accountName: string;
} & (
  | { readonly form: 'agent'; readonly agentId: string }
  | { readonly form: 'deployment'; readonly deploymentId: string }
);

const chatPath =
  /^(?<prefix>.*)\/api\/v1\/public\/(?<account>[^/]+)\/(?<form>agents|deployments)\/(?<id>[^/]+)(?:\/chat(?:\/(?:stream-chat-state|abort))?)?\/?$/;

/** Parses a Chat API URL as the agent settings show it; accepts the URLs for streaming, for aborting and of the bare agent. */
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

/** Returns the stream URL of an address, as the agent settings would show it. */
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

/** Parses typed text as a secure URL: removes quotes and brackets around it, and adds a missing scheme. */
function typedUrl(typed: string): Result<URL, AddressProblem> {
  const text = typed
    .trim()
    .replaceAll(/^[<"'`]+|(?<![>"'`])[>"'`]+$/g, '')
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
