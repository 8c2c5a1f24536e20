import * as v from 'valibot';
import { Emitter, type Event } from '#base/event.ts';
import { parsed } from '#base/parsed.ts';
import { type ReadonlyStore, Store } from '#base/store.ts';
import type { StateStore } from '#shell/ports.ts';
import type { EnvironmentChoice, NamedTarget, QueryTarget } from './query-service.ts';
import { localServer, usualPath } from './server-address.ts';

export interface TargetPorts {
  /** The user's state for all windows. */
  readonly user: StateStore;
  /** The state of this workspace, which is never in a file of it. */
  readonly window: StateStore;
  /** Resolves to the environments that can be chosen now. */
  readonly environments: () => Promise<readonly NamedTarget[]>;
  /** Resolves to whether a Cube Core server responds at the base address of a data API. */
  readonly answers: (restUrl: string) => Promise<boolean>;
}

const targetSchema = v.variant('kind', [
  v.object({
    kind: v.literal('environment'),
    accountId: v.string(),
    deploymentId: v.string(),
    environmentId: v.optional(v.string()),
  }),
  v.object({ kind: v.literal('cubeCore'), restUrl: v.string() }),
]);
const serversKey = 'query.servers';
const chosenKey = 'query.chosen';

/** The possible targets of queries, and the user's choice for each folder (docs/data-api.md#query-targets). */
export class QueryTargets {
  readonly #ports: TargetPorts;
  readonly #all = new Store<readonly NamedTarget[]>([]);
  readonly #chosen = new Emitter<string>();
  /** Fires with the folder that a target was chosen for. */
  readonly onDidChoose: Event<string> = this.#chosen.event;

  constructor(ports: TargetPorts) {
    this.#ports = ports;
  }

  get all(): ReadonlyStore<readonly NamedTarget[]> {
    return this.#all;
  }

  /** Reads the environments again and checks for a server on this machine; leaves out what cannot be read. */
  async refresh(): Promise<readonly NamedTarget[]> {
    const { environments, answers } = this.#ports;
    const [known, isHere] = await Promise.all([
      environments().catch(() => []),
      answers(localServer).catch(() => false),
    ]);
    const servers = [...new Set([...(isHere ? [localServer] : []), ...this.#servers()])];
    this.#all.set([...known, ...servers.map((restUrl) => serverTarget(restUrl))]);
    return this.#all.value;
  }

  /** Adds a server to the targets of all windows. */
  async add(restUrl: string): Promise<QueryTarget> {
    await this.#ports.user.set(serversKey, [...new Set([...this.#servers(), restUrl])]);
    this.#all.update((all) => [
      ...all.filter(({ target }) => target.kind !== 'cubeCore' || target.restUrl !== restUrl),
      serverTarget(restUrl),
    ]);
    return { kind: 'cubeCore', restUrl };
  }

  /**
   * Resolves to the target for queries of a folder: the user's choice, otherwise the environment of its branch, otherwise the
   * server on this machine; `undefined` if there is none of them.
   */
  async whereFor(folder: string, branch: EnvironmentChoice | undefined): Promise<QueryTarget | undefined> {
    const chosen = this.chosen(folder);
    if (chosen) return chosen;
    if (branch) return { kind: 'environment', ...branch };
    const isLocal = ({ target }: NamedTarget): boolean => target.kind === 'cubeCore' && target.restUrl === localServer;
    return (await this.refresh()).find(isLocal)?.target;
  }

  /** Returns the user's choice for a folder; `undefined`: the environment of its branch. */
  chosen(folder: string): QueryTarget | undefined {
    return this.#choices()[folder];
  }

  /** Stores the target for queries of a folder; `undefined`: the environment of its branch. */
  async choose(folder: string, target: QueryTarget | undefined): Promise<void> {
    const { [folder]: _, ...others } = this.#choices();
    await this.#ports.window.set(chosenKey, target ? { ...others, [folder]: target } : others);
    this.#chosen.fire(folder);
  }

  #servers(): readonly string[] {
    return parsed(v.array(v.string()), this.#ports.user.get(serversKey)) ?? [];
  }

  #choices(): Readonly<Record<string, QueryTarget>> {
    return parsed(v.record(v.string(), targetSchema), this.#ports.window.get(chosenKey)) ?? {};
  }
}

function serverTarget(restUrl: string): NamedTarget {
  return { target: { kind: 'cubeCore', restUrl }, name: serverName(restUrl) };
}

/** Returns the name that a Cube Core server's rows are shown under; its path is part of it unless it is the usual one. */
export function serverName(restUrl: string): string {
  const { host, pathname } = new URL(restUrl);
  return `Cube Core at ${host}${pathname === usualPath ? '' : pathname}`;
}
