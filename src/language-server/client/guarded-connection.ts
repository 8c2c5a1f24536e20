import { type Connection, ErrorCodes, ResponseError } from 'vscode-languageserver';
import { asError } from '#base/async.ts';
import type { FileAliases } from '#language-server/documents/file-aliases.ts';
import { Lifecycle } from './lifecycle.ts';

type Handler = (...given: readonly unknown[]) => unknown;

/**
 * Wraps a connection so that its handlers cannot take the server down: if a handler throws or rejects, the error is logged and
 * sent as the answer. This covers every `on…` of the connection and its namespaces, also those of later protocol versions. What
 * comes before `initialize` or after `shutdown` reaches no handler. Handlers see documents under the path by which models know them.
 */
export function guardedConnection(connection: Connection, aliases: FileAliases): Connection {
  const guards: Guards = { log: (message) => connection.console.error(message), lifecycle: new Lifecycle(), aliases };
  const own = guarded(connection, guards);
  own.onShutdown(() => undefined);
  // The library answers requests without a handler as unknown, also before the client may send any.
  own.onRequest((method) => new ResponseError(ErrorCodes.MethodNotFound, `There is no request “${method}”.`));
  return own;
}

interface Guards {
  readonly log: (message: string) => void;
  readonly lifecycle: Lifecycle;
  readonly aliases: FileAliases;
}

function guarded<T extends object>(target: T, guards: Guards): T {
  return new Proxy(target, {
    get: (own, name) => {
      const value: unknown = Reflect.get(own, name);
      if (typeof value === 'function') {
        const isRegistration = typeof name === 'string' && /^on(?:[A-Z]|$)/.test(name);
        return (...given: readonly unknown[]): unknown =>
          Reflect.apply(
            value as Handler,
            own,
            isRegistration ? given.map((item) => guardOf(item, name, given, guards)) : given,
          );
      }
      const isPart = typeof value === 'object' && value !== null && PARTS.has(name);
      return isPart ? guarded(value, guards) : value;
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

function guardOf(item: unknown, name: string, given: readonly unknown[], guards: Guards): unknown {
  const { log, lifecycle, aliases } = guards;
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
    const refusal = lifecycle.refusal(name);
    if (refusal) return refusal;
    lifecycle.enter(name);
    try {
      const answer = (item as Handler)(...params.map((each) => aliases.incoming(each)));
      if (!(answer instanceof Promise)) return aliases.outgoing(answer);
      return answer.then((each: unknown) => aliases.outgoing(each)).catch(fail);
    } catch (error) {
      return fail(error);
    }
  };
}
