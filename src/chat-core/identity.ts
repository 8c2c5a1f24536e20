import * as v from 'valibot';
import { type SessionSettings, sessionSettings } from '#api/chat.ts';
import type { ChatAddress } from '#api/tenant-url.ts';
import { type Result, err, ok } from '#base/result.ts';

/** How the chat proves who is asking (docs/chat.md#credentials). */
export type ChatCredentialKind = 'apiKey' | 'serviceToken';

/** Who the user is to the agent; settings. */
export interface ChatUser {
  /** Lower case, without spaces. */
  readonly externalId: string;
  /** E-mail address of an existing user: takes the place of `externalId`, with that user's own permissions. */
  readonly internalId: string;
  /**
   * What else the platform may know of an external user: attributes, groups, how long it keeps them
   * (docs/chat.md#body-of-a-question).
   */
  readonly more?: object | undefined;
}

/** What has to be changed before one can ask. */
export interface SessionRefusal {
  readonly what: 'credential' | 'settings';
  readonly message: string;
}

/**
 * The session that goes with a credential (docs/chat.md#body-of-a-question, docs/chat.md#credentials): with an API key the user must be named; with a service
 * token the token names them. An API key carries no agent, so it cannot be used with the deployment form.
 */
export function sessionFor(
  address: ChatAddress,
  kind: ChatCredentialKind,
  user: ChatUser,
): Result<SessionSettings | undefined, SessionRefusal> {
  if (kind === 'serviceToken') return ok(undefined);
  if (address.form === 'deployment') {
    const message =
      'The Chat API URL of a deployment takes a service token, not an API key. Enter a service token, or paste the URL of an agent.';
    return err({ what: 'credential', message });
  }
  // An internal user's own permissions apply: no other attributes may be sent for them.
  if (user.internalId !== '') return ok({ internalId: user.internalId });
  const given = v.safeParse(sessionSettings, { ...user.more, externalId: externalId(user.externalId) });
  if (given.success) return ok(given.output);
  const [issue] = given.issues;
  const field = v.getDotPath(issue) ?? 'it';
  return err({
    what: 'settings',
    message: `The setting “modelbench.chat.session” cannot be sent: ${field} ${issue.message}.`,
  });
}

/** The platform treats ids that differ only in case as one, and allows no spaces (docs/chat.md#the-user-who-asks). */
export function externalId(text: string): string {
  return text.trim().toLowerCase().replaceAll(/\s+/g, '-');
}
