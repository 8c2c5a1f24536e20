import { resolve } from 'node:path';
import { logContainers } from '#api/resources/runtime.ts';
import { type Clock, systemClock } from '#base/clock.ts';
import { err } from '#base/result.ts';
import { definitionOf, namesOf } from '#tools/model/definitions.ts';
import { branchesOf, deploymentsOf, openDeployment } from '#tools/platform/deployment.ts';
import { openModel } from '#tools/model/opened-model.ts';
import type { ToolPorts } from '#tools/ports.ts';
import type { ToolContext } from '#tools/tool.ts';
import { revisionNames } from '../git-revision.ts';
import { portsOf } from '../ports.ts';
import type { CliEnvironment } from '../environment.ts';
import type { Candidate, ValueSource } from './complete.ts';

/** How long a user waits for names of the platform after a press of Tab, in milliseconds. */
const PLATFORM_WAIT = 3000;

/** Returns a source of values that reads them with the tools; where that fails, there are none, because a shell shows no errors. */
export function valuesFor(environment: CliEnvironment, clock: Clock = systemClock): ValueSource {
  return async (kind, start, { folder, deployment }) => {
    const project = resolve(environment.folder, folder);
    const ports = portsOf(project, environment, 'refuse');
    const own = contextOf(environment.signal);
    const [late, done] = [new AbortController(), new AbortController()];
    const remote = contextOf(AbortSignal.any([environment.signal, late.signal]));
    const sources: Readonly<Record<typeof kind, () => Promise<readonly Candidate[]> | readonly Candidate[]>> = {
      name: () => namesIn(ports, start, own),
      modelFile: async () => pathsOf((await ports.model(own.signal)).files),
      queryFile: async () => pathsOf((await ports.model(own.signal)).queries ?? new Map()),
      revision: async () => (await revisionNames(project, own.signal)).map((value) => ({ value })),
      branch: () => branchNames(ports, deployment, remote),
      deployment: () => deploymentIds(ports, remote),
      container: () => logContainers.map((value) => ({ value })),
      text: () => [],
    };
    const wait = clock.sleep(PLATFORM_WAIT, done.signal);
    wait.then(
      () => late.abort(),
      () => undefined,
    );
    try {
      return (await sources[kind]()).filter(({ value }) => value.startsWith(start));
    } catch {
      return [];
    } finally {
      done.abort();
    }
  };
}

function contextOf(signal: AbortSignal): ToolContext {
  return { signal, progress: () => undefined, confirm: async () => Promise.resolve(err('')) };
}

/** Resolves to cubes and views, and members of one as soon as its name is clear: all members of a model would be thousands. */
async function namesIn(ports: ToolPorts, start: string, context: ToolContext): Promise<readonly Candidate[]> {
  const opened = await openModel(ports, context);
  const all = [...namesOf(opened)].flatMap((found) => definitionOf(opened, found) ?? []);
  const matching = all.filter(({ name }) => name.startsWith(start));
  const heads = new Set(matching.map(({ name }) => name.split('.')[0]));
  const isClear = start.includes('.') || heads.size === 1;
  return matching
    .filter(({ name }) => isClear || !name.includes('.'))
    .map(({ name, kind, title, description }) => ({
      value: name,
      description: [kind.replace('_', '-'), title ?? description].filter((text) => text !== undefined).join(': '),
    }));
}

async function branchNames(
  ports: ToolPorts,
  deployment: string | undefined,
  context: ToolContext,
): Promise<readonly Candidate[]> {
  const branches = await branchesOf(await openDeployment(ports, deployment, context), context);
  return branches.map(({ name }) => ({ value: name }));
}

async function deploymentIds(ports: ToolPorts, context: ToolContext): Promise<readonly Candidate[]> {
  const deployments = await deploymentsOf(await ports.platform(context.signal), context);
  return deployments.map(({ id, name }) => ({ value: id, description: name }));
}

function pathsOf(files: ReadonlyMap<string, string>): readonly Candidate[] {
  return [...files.keys()].map((value) => ({ value }));
}
