import { createDataClient, type DataClient, type DataClientOptions, type DataQuery } from '#api/data/data.ts';
import type { MetaCube } from '#api/data/data-operations.ts';
import { createDataToken, createMetadataToken } from '#api/resources/environments.ts';
import { isPlatformError, PlatformError } from '#api/errors.ts';
import { abortable } from '#base/async.ts';
import type { Clock } from '#base/clock.ts';
import type { Logger } from '#base/log.ts';
import { type Origin, originOf } from '#base/origin.ts';
import { err, ok, type Result } from '#base/result.ts';
import type { ReadonlyStore } from '#base/store.ts';
import { deployBranchOf, type DescribedData, type Environment, type Session } from '#features/platform/index.ts';
import type { SecretStore, StateStore } from '#shell/ports.ts';
import { loadRows, statementOf } from './ask-data.ts';
import { brokeredClient } from './brokered-client.ts';
import { storedCredentials } from './credentials.ts';
import { environmentOf, type QueryEnvironment } from './environments.ts';
import { issueToken } from './issued-token.ts';
import { signedJwt } from './jwt.ts';
import type {
  EnvironmentChoice,
  NamedTarget,
  QueryOutcome,
  QueryService,
  QueryTarget,
  QueryOptions,
  SecurityContext,
} from './query-service.ts';
import { explained } from './explained-failure.ts';
import { outcomeOf, rowsOutcome } from './query-outcome.ts';
import type { ShownQuery } from '#shell/shown-query.ts';
import { QueryTargets, serverName } from './query-targets.ts';
import { findServer, isServerAt } from './find-server.ts';
import { portsOfIdentity } from './identity-tokens.ts';
import { type AskReason, type CheckAnswer, TokenBroker, type TokenPorts } from './token-broker.ts';

/** The target and the reason of the form for a secret or a token. */
export interface CredentialQuestion {
  /** The name of the environment or server. */
  readonly source: string;
  /** The host that tokens go to. */
  readonly host: string;
  readonly reason: AskReason;
}

/** The storage that outlives the window. */
export interface QueryStorage {
  readonly secrets: SecretStore;
  /** State of the user (`user`) and of this workspace (`window`). */
  readonly user: StateStore;
  readonly window: StateStore;
}

export interface QueryPorts extends DescribedData {
  readonly session: Session;
  readonly storage: QueryStorage;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly fetch?: DataClientOptions['fetch'];
  /** Shows the form until an input is accepted or the user closes it. */
  readonly ask: (question: CredentialQuestion, check: CheckAnswer) => Promise<void>;
}

/** Loads the query service on first use; there is one for the window, so that tokens are shared. */
export type LazyQueries = () => Promise<Queries>;

/** The lifetime of metadata for completion, and of the token that reads it, in milliseconds. */
const metaLifeMs = 5 * 60_000;
/** Shorter, because a server on this machine has a new model as soon as a file is saved. */
const serverMetaLifeMs = 2_000;
/** The lifetime of signed and issued tokens, in milliseconds; servers refuse longer ones. */
const tokenLifeMs = 3_600_000;

/** A target that is ready for requests. */
interface Reached {
  readonly name: string;
  readonly restUrl: string;
  readonly origin: Origin;
  readonly environment?: (EnvironmentChoice & { readonly environmentId: string }) | undefined;
}

/** The query service of a window (docs/data-api.md#query-targets). */
export class Queries implements QueryService {
  readonly #ports: QueryPorts;
  readonly #proxyOf: DataClientOptions['proxyOf'];
  readonly #brokers = new Map<string, { readonly accountId: string | undefined; readonly broker: TokenBroker }>();
  readonly #cubes = new Map<string, { readonly at: number; readonly value: Promise<readonly MetaCube[]> }>();
  /** The possible targets and the user's choices. */
  readonly choices: QueryTargets;

  /** `proxyOf`: the proxy that a request goes through, for messages. */
  constructor(ports: QueryPorts, proxyOf?: DataClientOptions['proxyOf']) {
    this.#ports = ports;
    this.#proxyOf = proxyOf;
    const { user, window } = ports.storage;
    this.choices = new QueryTargets({
      user,
      window,
      environments: () => this.#environments(),
      answers: (restUrl) => this.answers(restUrl),
    });
  }

  get targets(): ReadonlyStore<readonly NamedTarget[]> {
    return this.choices.all;
  }

  refreshTargets(): Promise<readonly NamedTarget[]> {
    return this.choices.refresh();
  }

  async run(target: QueryTarget, query: DataQuery, options: QueryOptions = {}): Promise<QueryOutcome> {
    const { clock } = this.#ports;
    const { signal, onProgress, mayAsk, securityContext } = options;
    const started = clock.now();
    try {
      const reached = await this.#reach(target);
      if (!reached.ok) return { kind: 'unavailable', message: reached.error };
      const client = this.client(target, { mayAsk, securityContext });
      const answer = await loadRows(client, query, { signal, onWait: onProgress });
      return rowsOutcome(answer, reached.value.name, clock.now() - started);
    } catch (error) {
      return outcomeOf(error);
    }
  }

  async meta(
    target: QueryTarget,
    { signal, mayAsk = false, securityContext }: Pick<QueryOptions, 'signal' | 'mayAsk' | 'securityContext'> = {},
  ): Promise<readonly MetaCube[]> {
    const reached = found(await this.#reach(target));
    const key = keyOf(reached, securityContext);
    const known = this.#cubes.get(key);
    const { clock } = this.#ports;
    // Other callers wait for the same response: a signal ends only the wait of its caller.
    const until = <T>(work: Promise<T>): Promise<T> => (signal ? abortable(work, signal) : work);
    if (known && clock.now() - known.at < (reached.environment ? metaLifeMs : serverMetaLifeMs))
      return until(known.value);
    const value = this.#readMeta(target, reached, { mayAsk, securityContext });
    this.#cubes.set(key, { at: clock.now(), value });
    // A failure is not cached, so the next completion tries again.
    value.catch(() => this.#cubes.delete(key));
    return until(value);
  }

  /** Drops cached metadata, because a build has ended. */
  forgetMeta(): void {
    this.#cubes.clear();
  }

  async nameOf(target: QueryTarget): Promise<string> {
    return found(await this.#reach(target)).name;
  }

  /** Resolves to a query with its target's name and client, to show its rows. */
  async shown(target: QueryTarget, query: Pick<ShownQuery, 'sql' | 'title'>): Promise<ShownQuery> {
    const accountId = target.kind === 'environment' ? target.accountId : undefined;
    return { ...query, source: await this.nameOf(target), client: this.client(target), accountId };
  }

  /** Resolves to the SQL that the engine compiles a query to, without running it. */
  async compiled(target: QueryTarget, query: Parameters<DataClient['sql']>[0]): ReturnType<DataClient['sql']> {
    return statementOf(this.client(target), query);
  }

  client(
    target: QueryTarget,
    { mayAsk = true, securityContext }: Pick<QueryOptions, 'mayAsk' | 'securityContext'> = {},
  ): DataClient {
    const connect = async () => {
      const reached = found(await this.#reach(target));
      return {
        broker: this.#brokerOf(reached, securityContext),
        clientWith: (token: string | undefined) => this.#clientWith(reached, token),
        explain: (error: unknown) => explained(error, reached),
      };
    };
    return brokeredClient(connect, { mayAsk });
  }

  /** Forgets cached tokens of all other accounts, because their users signed out. */
  keepTokensOf(accountIds: ReadonlySet<string>): void {
    for (const [key, { accountId }] of this.#brokers) {
      if (accountId !== undefined && !accountIds.has(accountId)) this.#brokers.delete(key);
    }
  }

  /**
   * Resolves to the environment that is named, or that of the named or active branch, otherwise production; the error names the
   * next step.
   */
  async environment(target: EnvironmentChoice): Promise<Result<QueryEnvironment, string>> {
    const { data, session } = this.#ports;
    const dev = target.branchName ?? session.activeBranch(target);
    const environments = await data.of(target).environments.get();
    if (target.environmentId !== undefined) return chosenOf(environments, target.environmentId);
    if (dev !== undefined) {
      const own = environmentOf(environments, { name: dev, isDefault: false });
      if (own.ok) return own;
    }
    const deploy = deployBranchOf(data.known(target)?.branches.value ?? []);
    return environmentOf(environments, deploy && { name: deploy.name, isDefault: true });
  }

  /** Resolves to the base address of the server that an address stands for; the error says why there is none. */
  find(typed: string, signal?: AbortSignal): Promise<Result<string, string>> {
    return findServer((server) => this.#clientWith(server, undefined, { attempts: 1 }), typed, signal);
  }

  /** Resolves to whether a Cube Core server responds at the base address of a data API. */
  answers(restUrl: string, signal?: AbortSignal): Promise<boolean> {
    return isServerAt((server) => this.#clientWith(server, undefined, { attempts: 1 }), restUrl, signal);
  }

  /** Asks for another secret or token of a target; resolves to `false` if the user closes the form. Throws `PlatformError`. */
  async changeCredential(target: QueryTarget): Promise<boolean> {
    return this.#brokerOf(found(await this.#reach(target))).change();
  }

  async #reach(target: QueryTarget): Promise<Result<Reached, string>> {
    if (target.kind === 'cubeCore') {
      const origin = originOf(target.restUrl);
      if (origin === undefined) return err('The address of the Cube Core server is not a web address.');
      return ok({ name: serverName(target.restUrl), restUrl: target.restUrl, origin });
    }
    const environment = await this.environment(target);
    if (!environment.ok) return environment;
    const { id: environmentId, name, restUrl } = environment.value;
    const origin = originOf(restUrl);
    if (origin === undefined) return err(`The environment “${name}” has no REST address.`);
    const deployment = this.#ports.data.nameOf(target);
    return ok({ name: `${deployment} · ${name}`, restUrl, origin, environment: { ...target, environmentId } });
  }

  #brokerOf(reached: Reached, context?: SecurityContext): TokenBroker {
    const key = keyOf(reached, context);
    const known = this.#brokers.get(key);
    if (known) return known.broker;
    const { clock, storage, ask } = this.#ports;
    const { name: source, origin } = reached;
    const ports: TokenPorts = {
      clock,
      ...storedCredentials(storage.secrets, reached),
      issue: () => this.#issue(reached, context),
      mint: (secret) => signedJwt(secret, context ?? {}, { now: clock.now(), lifetimeMs: tokenLifeMs }),
      test: (token, signal) => this.#test(reached, token, signal),
      ask: (reason, check) => ask({ source, host: new URL(origin).host, reason }, check),
    };
    const broker = new TokenBroker(context ? portsOfIdentity(ports) : ports);
    this.#brokers.set(key, { accountId: reached.environment?.accountId, broker });
    return broker;
  }

  #clientWith(
    { restUrl, origin }: Pick<Reached, 'restUrl' | 'origin'>,
    token: string | undefined,
    limits?: DataClientOptions['limits'],
  ): DataClient {
    const { logger, clock, fetch } = this.#ports;
    return createDataClient({
      restUrl,
      credential: () => (token === undefined ? undefined : { kind: 'plain', token, origin }),
      logger,
      clock,
      fetch,
      proxyOf: this.#proxyOf,
      limits,
    });
  }

  /** Resolves to `undefined` if the platform does not offer it, or not to this account: the next source is tried. */
  async #issue({ environment }: Reached, context: SecurityContext = {}) {
    if (!environment) return undefined;
    const { accountId, deploymentId, environmentId } = environment;
    if (!(await this.#ports.capabilitiesOf(accountId)).has(createDataToken)) return undefined;
    try {
      const request = { deploymentId, environmentId, securityContext: context, seconds: tokenLifeMs / 1000 };
      const issued = await issueToken(this.#ports.data.client(accountId), request);
      const expires = Date.parse(issued.expires_at ?? '');
      return { token: issued.token, ...(Number.isNaN(expires) ? {} : { expiresAt: expires }) };
    } catch (error) {
      const kinds = ['forbidden', 'notFound', 'unsupported', 'invalidRequest', 'invalidResponse', 'server'] as const;
      if (kinds.some((kind) => isPlatformError(error, kind))) return undefined;
      throw error;
    }
  }

  /**
   * Checks whether a token may query, by an empty query: that is invalid, and a server reports it only to those who may query
   * (docs/data-api.md#tokens).
   */
  async #test(reached: Reached, token: string | undefined, signal: AbortSignal | undefined): Promise<boolean> {
    try {
      await this.#clientWith(reached, token).load({}, { signal, maxWaitMs: 0 });
    } catch (error) {
      if (isPlatformError(error, 'auth') || isPlatformError(error, 'forbidden')) return false;
      if (!isPlatformError(error, 'invalidRequest')) throw error;
    }
    return true;
  }

  async #readMeta(
    target: QueryTarget,
    reached: Reached,
    identity: Pick<QueryOptions, 'mayAsk' | 'securityContext'>,
  ): Promise<readonly MetaCube[]> {
    const options = { maxWaitMs: 60_000 };
    if (!reached.environment) return this.client(target, identity).meta(options);
    const token = await this.#metadataToken(reached.environment, identity.securityContext);
    try {
      return await this.#clientWith(reached, token).meta(options);
    } catch (error) {
      throw explained(error, reached);
    }
  }

  /** Resolves to the environments of the shown deployment. */
  async #environments(): Promise<readonly NamedTarget[]> {
    const { data, session } = this.#ports;
    const shown = session.active.value;
    if (!shown) return [];
    const { accountId, deploymentId } = shown;
    return (await data.of(shown).environments.get()).map(({ id, name }) => ({
      target: { kind: 'environment', accountId, deploymentId, environmentId: id },
      name: `${data.nameOf(shown)} · ${name}`,
    }));
  }

  /** Resolves to a token for metadata only (docs/platform-api.md#createmetadatatoken), so that completion needs no data token. */
  async #metadataToken(
    { accountId, deploymentId, environmentId }: NonNullable<Reached['environment']>,
    context: SecurityContext = {},
  ): Promise<string> {
    const { data } = await this.#ports.data.client(accountId).call(createMetadataToken, {
      params: { deploymentId, environmentId },
      body: { security_context: context, expires_in: metaLifeMs / 1000 },
    });
    return data.token;
  }
}

function chosenOf(environments: readonly Environment[], id: string): Result<QueryEnvironment, string> {
  const found = environments.find((each) => each.id === id);
  if (!found) return err('The environment that queries run in no longer exists. Choose where queries run again.');
  const { restUrl } = found;
  return restUrl === undefined
    ? err(`The environment “${found.name}” has no REST address.`)
    : ok({ ...found, restUrl });
}

function keyOf({ restUrl, environment }: Reached, context?: SecurityContext): string {
  const { accountId, deploymentId, environmentId } = environment ?? {};
  return JSON.stringify([accountId, deploymentId, environmentId, restUrl, context]);
}

/** Returns a reached target; throws `PlatformError` otherwise, as the client’s methods do. */
function found(reached: Result<Reached, string>): Reached {
  if (reached.ok) return reached.value;
  throw new PlatformError({ kind: 'notFound', operation: 'queryTarget', message: reached.error });
}
