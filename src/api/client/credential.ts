import { type Origin, originOf } from '#base/origin.ts';
import { SecretEchoes } from '#base/secret-echoes.ts';
import { PlatformError } from '#api/errors.ts';
import type { Operation } from '#api/operation.ts';

/**
 * The default header of a service token; on a real server, its name contains the product's name (a setting):
 * docs/chat.md#credentials.
 */
const defaultServiceTokenHeader = 'X-Service-Auth-Token';

/**
 * A proof of the caller's identity (docs/platform-api.md#credentials, docs/chat.md#credentials) with the only origin that it is
 * sent to. Exactly one header carries it.
 */
export type Credential = BoundToken | { readonly kind: 'none' };

/** A token; without an origin, it is not sent to any server. */
type BoundToken = Token & { readonly origin: Origin | undefined };

type Token =
  /** An API key or an OAuth access token. */
  | { readonly kind: 'bearer'; readonly token: string }
  /** An API key for the chat: `Authorization: Api-Key …`. */
  | { readonly kind: 'apiKey'; readonly token: string }
  /** A service token (JWT) for the chat, in a header of its own. */
  | { readonly kind: 'serviceToken'; readonly token: string; readonly header?: string | undefined }
  /** A token without a scheme in `Authorization`, as the data API expects it. */
  | { readonly kind: 'plain'; readonly token: string };

/**
 * Sets the one header that carries the credential and removes all others that could. Throws `insecure` if the request
 * goes to another origin than the credential's.
 */
export function authorize(headers: Headers, credential: Credential, op: Pick<Operation, 'id'>, url: URL): void {
  headers.delete('authorization');
  if (credential.kind === 'none') return;
  if (credential.origin === undefined || credential.origin !== originOf(url)) throw otherOrigin(credential, op, url);
  const token = sendable(credential.token, op.id);
  switch (credential.kind) {
    case 'bearer':
      headers.set('authorization', `Bearer ${token}`);
      break;
    case 'apiKey':
      headers.set('authorization', `Api-Key ${token}`);
      break;
    case 'plain':
      headers.set('authorization', token);
      break;
    case 'serviceToken':
      headers.set(credential.header ?? defaultServiceTokenHeader, token);
      break;
  }
}

function otherOrigin({ origin }: BoundToken, op: Pick<Operation, 'id'>, url: URL): PlatformError {
  const bound =
    origin === undefined ? 'The address that the key was entered for is not a URL' : `The key is for ${origin}`;
  return new PlatformError({
    kind: 'insecure',
    operation: op.id,
    message: `${bound}, so it was not sent to ${url.origin}. Sign in to that server, or correct its address.`,
  });
}

/** Checks whether two credentials have the same kind and token. */
export function sameCredential(a: Credential | undefined, b: Credential | undefined): boolean {
  return a?.kind === b?.kind && tokenOf(a) === tokenOf(b);
}

function tokenOf(credential: Credential | undefined): string | undefined {
  return credential && 'token' in credential ? credential.token : undefined;
}

/**
 * Validates a token. `fetch` quotes the value of a header that it refuses in its error, so an invalid one must not get
 * that far.
 */
function sendable(token: string, operation: string): string {
  const trimmed = token.trim();
  if (trimmed !== '' && /^[\x21-\x7e]+$/.test(trimmed)) return trimmed;
  throw new PlatformError({
    kind: 'auth',
    operation,
    message:
      trimmed === ''
        ? 'The saved API key or token is empty. Sign in again.'
        : 'The API key or token contains a character that keys never contain (a space, a line break or a letter outside ASCII). Copy it again and sign in.',
  });
}

/** Removes the credential from everything that is shown or logged. */
export class CredentialRedactor {
  readonly #credential: Credential | undefined;
  readonly #body: unknown;
  #found: SecretEchoes | undefined;

  /** `body`: that of the request, whose secrets (client secrets, refresh tokens, secret variables) a server may echo too. */
  constructor(credential: Credential | undefined, body?: unknown) {
    this.#credential = credential;
    this.#body = body;
  }

  /** Computed only when there is something to report: most calls succeed. */
  get #secrets(): SecretEchoes {
    if (this.#found) return this.#found;
    const echoes = new SecretEchoes('…');
    for (const secret of [tokenOf(this.#credential)?.trim() ?? '', ...secretsIn(this.#body)]) echoes.add(secret);
    this.#found = echoes;
    return echoes;
  }

  text(value: string): string {
    return this.#secrets.clean(value);
  }

  /** Returns a copy of a JSON value with the credential removed from all texts and keys in it. */
  json(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((item) => this.json(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [this.text(key), this.json(item)]));
  }
}

const secretName = /secret|token|password|device_code|private_?key/i;

/** Returns the values of fields with secret names, and of variables marked `isSecret`. */
function secretsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => secretsIn(item));
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array || value instanceof Blob) return [];
  const isSecret = 'isSecret' in value && value.isSecret === true;
  return Object.entries(value).flatMap(([name, item]) =>
    typeof item === 'string' && (secretName.test(name) || (isSecret && name === 'value')) ? [item] : secretsIn(item),
  );
}
