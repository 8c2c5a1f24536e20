import type { SessionSettings } from '#api/chat.ts';
import type { ChatAddress } from '#api/tenant-url.ts';
import { type Result, err, ok } from '#base/result.ts';

/** How the chat proves who is asking (chat part 5). */
export type ChatCredentialKind = 'apiKey' | 'serviceToken';

/** Who the person is to the agent; settings. */
export interface ChatPerson {
  /** Lower case, without spaces. */
  readonly externalId: string;
  /** E-mail address of an existing user: takes the place of `externalId`, with that user's own permissions. */
  readonly internalId: string;
}

/**
 * The session that goes with a credential (chat 4.1, part 5): with an API key the person must be named; with a service
 * token the token names them. An API key carries no agent, so it cannot be used with the deployment form.
 */
export function sessionFor(
  address: ChatAddress,
  kind: ChatCredentialKind,
  person: ChatPerson,
): Result<SessionSettings | undefined, string> {
  if (kind === 'serviceToken') return ok(undefined);
  if (address.form === 'deployment') {
    return err(
      'The Chat API URL of a deployment takes a service token, not an API key. Enter a service token, or paste the URL of an agent.',
    );
  }
  if (person.internalId !== '') return ok({ internalId: person.internalId });
  return ok({ externalId: externalId(person.externalId) });
}

/** The platform treats ids that differ only in case as one, and allows no spaces (chat 2.2). */
export function externalId(text: string): string {
  return text.trim().toLowerCase().replaceAll(/\s+/g, '-');
}
