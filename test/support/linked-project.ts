import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { startDevMode } from '#api/resources/branches.ts';
import { runCommandLine } from '#cli/run.ts';
import type { CliEnvironment } from '#cli/environment.ts';
import type { Platform, PlatformOptions } from '#platform/app.ts';
import { demo } from '#platform/seed/names.ts';
import { longestWait } from '../tools/limits.ts';
import { places } from './cli-places.ts';
import { openPlatform, send } from './platform.ts';

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A project that is linked to the demo deployment, with a dev branch, as the command line sees it. */
export interface LinkedProject {
  readonly platform: Platform;
  readonly folder: string;
  readonly branch: string;
  /** The command line's view of its process. */
  readonly environment: Omit<CliEnvironment, 'stdout' | 'stderr'>;
  readonly run: (...args: readonly string[]) => Promise<Ended>;
  /** Runs a command with `--format json`. */
  readonly json: (...args: readonly string[]) => Promise<Record<string, unknown>>;
  readonly write: (path: string, text: string) => void;
  readonly read: (path: string) => string | undefined;
  readonly remote: (path: string) => Promise<string | undefined>;
}

interface LinkOptions extends PlatformOptions {
  readonly deployment?: number;
  /** The built programs of the compiler and the template engine; without them, neither runs. */
  readonly programs?: CliEnvironment['engine'] | undefined;
}

/** Links a project. `deployment` is one of the demo seed; one without dev mode gets no dev branch. */
export async function linkProject({
  deployment = demo.shop,
  programs,
  ...options
}: LinkOptions = {}): Promise<LinkedProject> {
  const platform = await openPlatform(options);
  const folder = mkdtempSync(join(tmpdir(), 'modelbench-project-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  const params = { deploymentId: String(demo.shop) };
  const { value } = await send(platform, startDevMode, { params, body: { branchName: 'main' } });
  const project = join(folder, 'project');
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  };
  write('modelbench.json', JSON.stringify({ tenant: 'https://platform.test', deployment: String(deployment) }));
  mkdirSync(join(project, 'model'));
  const environment = {
    ...places(folder),
    ...(programs ? { engine: programs } : {}),
    folder: project,
    isInteractive: false,
    signal: new AbortController().signal,
    variables: { MODELBENCH_API_KEY: platform.apiKey, MODELBENCH_TENANT_URL: 'https://platform.test' },
    // A busy machine responds late: only a hang is aborted.
    limits: { timeoutMs: longestWait },
    fetch: async (input: string | URL | Request, init?: RequestInit) => platform.fetch(new Request(input, init)),
  };
  const run = async (...args: readonly string[]): Promise<Ended> => {
    let [out, err] = ['', ''];
    const code = await runCommandLine(args, {
      ...environment,
      stdout: (text) => (out += text),
      stderr: (text) => (err += text),
    });
    return { code, out, err };
  };
  return {
    ...{ platform, folder: project, branch: value.name, environment, run, write },
    json: async (...args) => JSON.parse((await run(...args, '--format', 'json')).out) as Record<string, unknown>,
    read: (path) => (existsSync(join(project, path)) ? readFileSync(join(project, path), 'utf8') : undefined),
    remote: async (path) => platform.control.readFile(demo.shop, value.name, path),
  };
}
