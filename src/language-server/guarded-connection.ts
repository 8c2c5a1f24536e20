import { type Connection, ErrorCodes, ResponseError } from 'vscode-languageserver';
import { asError } from '#base/async.ts';

type Handler = (...given: readonly unknown[]) => unknown;

/**
 * Wraps a connection so that its handlers cannot take the server down: if a handler throws or rejects, the error is logged and
 * sent as the answer. This covers every `on…` of the connection and its namespaces, also those of later protocol versions.
 */
export function guardedConnection(connection: Connection): Connection {
  const log = (message: string): void => connection.console.error(message);
  return guarded(connection, log);
}

function guarded<T extends object>(target: T, log: (message: string) => void): T {
  return new Proxy(target, {
    get: (own, name) => {
      const value: unknown = Reflect.get(own, name);
      if (typeof value === 'function') {
        const isRegistration = typeof name === 'string' && /^on(?:[A-Z]|$)/.test(name);
        return (...given: readonly unknown[]): unknown =>
          Reflect.apply(
            value as Handler,
            own,
            isRegistration ? given.map((item) => guardOf(item, name, given, log)) : given,
          );
      }
      const isPart = typeof value === 'object' && value !== null && PARTS.has(name);
      return isPart ? guarded(value, log) : value;
    },
  });
}

/** The properties of a connection that have handlers of their own. */
const PARTS: ReadonlySet<string | symbol> = new Set([
  'languages',
  'workspace',
  'diagnostics',
  'callHierarchy',
  'typeHierarchy',
  'semanticTokens',
  'inlayHint',
]);

function guardOf(item: unknown, name: string, given: readonly unknown[], log: (message: string) => void): unknown {
  if (typeof item !== 'function') return item;
  const [method] = given;
  const label = typeof method === 'string' ? method : name;
  const fail = (error: unknown): ResponseError => {
    if (error instanceof ResponseError) return error;
    const { message, stack } = asError(error);
    log(`${label} failed: ${stack ?? message}`);
    return new ResponseError(ErrorCodes.InternalError, `${label} failed: ${message}`);
  };
  return (...params: readonly unknown[]): unknown => {
    try {
      const answer = (item as Handler)(...params);
      return answer instanceof Promise ? answer.catch(fail) : answer;
    } catch (error) {
      return fail(error);
    }
  };
}
