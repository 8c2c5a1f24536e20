import { PlatformError } from '#api/errors.ts';
import { messageOf } from '#api/client/refusal.ts';
import type { NamedOperation } from '#api/operation.ts';
import { isObject } from '#api/schema.ts';

/** The operation of a call and the host that it goes to, for messages. */
export interface Called {
  readonly operation: NamedOperation;
  readonly host: string;
}

/** Throws for an error in place of an answer in a 200 response (docs/data-api.md#errors); returns any other response. */
export function refuseError(called: Called, answer: unknown): unknown {
  if (!isObject(answer) || !isError(answer)) return answer;
  throw queryError(called, answer);
}

function isError({ error, errors, type, message }: Readonly<Record<string, unknown>>): boolean {
  if (typeof error === 'string' || isObject(error)) return true;
  if (Array.isArray(errors) && errors.length > 0) return true;
  return typeof type === 'string' && /error$/i.test(type) && typeof message === 'string';
}

function queryError({ operation, host }: Called, body: Readonly<Record<string, unknown>>): PlatformError {
  const kind = 'invalidRequest';
  const serverMessage = messageOf(body);
  const refused = { host, kind, status: 200, serverMessage, requestId: '', retryAfter: undefined } as const;
  const message = operation.texts?.failure(refused) ?? serverMessage ?? '';
  return new PlatformError({ kind, operation: operation.id, message, body });
}
