import type { AccountClients } from '#api/client/client.ts';
import { scimGroupPages, scimUserPages } from '#api/resources/lists.ts';
import { collect } from '#api/resources/pagination.ts';
import { isObject } from '#api/schema.ts';
import type { ScimUser } from '#api/resources/scim.ts';
import { listUserAttributes, listUserAttributeValues } from '#api/resources/user-attributes.ts';
import { err, ok, type Result } from '#base/result.ts';
import * as v from 'valibot';
import { parsed } from '#base/parsed.ts';
import type { QueryTarget } from '#features/data/index.ts';
import type { StateStore } from '#shell/ports.ts';
import { queryTargetKey } from './history.ts';

const identity = v.object({ name: v.string(), securityContext: v.record(v.string(), v.unknown()) });
/** An identity that queries run as: a security context and its name for users (docs/data-api.md#tokens). */
export type Identity = v.InferOutput<typeof identity>;

/** The security contexts that a user saved for a deployment or a Cube Core server, sorted by name. */
export class SavedIdentities {
  readonly #state: StateStore;
  readonly #key: string;

  constructor(state: StateStore, target: QueryTarget) {
    this.#state = state;
    this.#key = `playground.identities.${queryTargetKey(target)}`;
  }

  all(): readonly Identity[] {
    const kept = this.#state.get(this.#key);
    return (Array.isArray(kept) ? kept : []).flatMap((value) => parsed(identity, value) ?? []);
  }

  /** Saves an identity; replaces one with the same name. */
  async save(saved: Identity): Promise<void> {
    const all = [...this.all().filter(({ name }) => name !== saved.name), saved];
    await this.#state.set(
      this.#key,
      all.toSorted((a, b) => a.name.localeCompare(b.name)),
    );
  }

  async remove(name: string): Promise<void> {
    await this.#state.set(
      this.#key,
      this.all().filter((each) => each.name !== name),
    );
  }
}

/** Parses a security context that the user wrote as JSON; the error gives an example. */
export function securityContextOf(text: string): Result<Identity['securityContext'], string> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? ok(value) : err('A security context is an object, like {"user": "ada"}.');
  } catch {
    return err('This is not JSON. Write a security context like {"user": "ada"}.');
  }
}

/** Resolves to the provisioned users of a tenant. Throws `PlatformError`, for example if the account may not list them. */
export async function platformUsers(data: AccountClients, accountId: string): Promise<readonly ScimUser[]> {
  return (await collect(scimUserPages(data.client(accountId)), {})).items;
}

/**
 * Resolves to a user of the platform with the security context that the platform gives them: groups and attribute values below
 * `cubeCloud`, as access policies read them. Throws `PlatformError`.
 */
export async function identityOfUser(data: AccountClients, accountId: string, user: ScimUser): Promise<Identity> {
  const client = data.client(accountId);
  const [{ data: attributes }, { data: values }, { items: groups }] = await Promise.all([
    client.call(listUserAttributes, {}),
    client.call(listUserAttributeValues, { params: { userId: user.id } }),
    collect(scimGroupPages(client), {}),
  ]);
  const names = new Map(attributes.map(({ id, name }) => [id, name]));
  const userAttributes = Object.fromEntries(
    values.flatMap(({ name, attributeId, value }) => {
      const known = name ?? names.get(attributeId ?? '');
      return known === undefined || value === null || value === undefined ? [] : [[known, value] as const];
    }),
  );
  const own = groups.filter(({ members = [] }) => members.some(({ value }) => value === user.id));
  const email = (user.emails?.find(({ primary }) => primary) ?? user.emails?.[0])?.value;
  const username = user.userName ?? email ?? user.id;
  return {
    name: user.displayName ?? username,
    securityContext: {
      cubeCloud: {
        userId: user.id,
        username,
        ...(email === undefined ? {} : { email }),
        groups: own.map(({ displayName, id }) => displayName ?? id),
        userAttributes,
      },
    },
  };
}
