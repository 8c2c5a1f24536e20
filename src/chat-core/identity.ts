import * as v from 'valibot';
import { type SessionSettings, sessionSettings } from '#api/resources/chat.ts';
import type { ChatAddress } from '#api/tenant-url.ts';
import { type Result, err, ok } from '#base/result.ts';

/** The kind of credential that identifies the user to the chat (docs/chat.md#credentials). */
export type ChatCredentialKind = 'apiKey' | 'serviceToken';

/** The user's identity for the agent, from the settings. */
export interface ChatUser {
  /** Lower case, without spaces. */
  readonly externalId: string;
  /** E-mail address of an existing user: replaces `externalId` and uses that user's own permissions. */
  readonly internalId: string;
  /**
   * Other data about an external user (docs/chat.md#body-of-a-question): attributes, groups, how long the platform keeps them.
   */
  readonly more?: object | undefined;
}

/** What the user must change before asking. */
export interface SessionRefusal {
  readonly what: 'credential' | 'settings';
  readonly message: string;
}

/**
 * Returns the session for a credential (docs/chat.md#body-of-a-question, docs/chat.md#credentials): an API key requires the
 * user's identity, a service token contains it. An API key carries no agent, so it cannot be used with the deployment form.
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
  // An internal user's own permissions apply: the platform accepts no other attributes.
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

/** Normalizes an id: the platform ignores case in ids and allows no spaces (docs/chat.md#the-user-who-asks). */
export function externalId(text: string): string {
  return text.trim().toLowerCase().replaceAll(/\s+/g, '-');
}
