import { changedError, isPlatformError } from '#api/errors.ts';
import { isObject } from '#api/schema.ts';
import { modelFailure } from './model-failure.ts';

/** Returns a failure whose message names the target; the client's own message names only its host. */
export function explained(error: unknown, { name }: { readonly name: string }): unknown {
  if (!isPlatformError(error)) return error;
  const message = modelFailure(error.body, name);
  if (message !== undefined) return changedError(error, { message });
  if (error.status === undefined) return error;
  if (error.kind !== 'auth' && error.kind !== 'forbidden') return error;
  const said =
    isObject(error.body) && typeof error.body['error'] === 'string' ? ` It says: “${error.body['error']}”` : '';
  return changedError(error, { message: `${name} refused the token, or this query with it.${said}` });
}
