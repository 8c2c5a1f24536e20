import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPlatform, type Platform, type PlatformOptions } from '#platform/app.ts';
import { lastLines } from '../tools/run.ts';
import { prepareSample } from '../tools/sample-folder.ts';
import { type HostOptions, startVSCode, type VSCodeHost } from '../tools/vscode-host.ts';
import { installed } from './install-extension.ts';
import { plainTyping, Workbench } from './workbench.ts';

/** What a journey plays on. */
export interface Stage {
  readonly platform: Platform;
  /** Base of the platform's APIs. */
  readonly url: string;
  readonly host: VSCodeHost;
  readonly workbench: Workbench;
  /** The opened folder. */
  readonly folder: string;
}

export interface JourneyOptions {
  readonly host?: HostOptions;
  readonly platform?: PlatformOptions;
  /** Whether the folder is a linked copy of the sample model; an empty one otherwise. */
  readonly linked?: boolean;
  /** The deployment that the copy is of, and the folder linked to; the demo shop unless said otherwise. */
  readonly deployment?: string;
  /** The branch that the copy is of; the deploy branch unless said otherwise. */
  readonly branch?: string;
  /** Signs in through the environment, as in a container; otherwise the journey signs in itself. */
  readonly signedIn?: boolean;
}

/**
 * A fresh local platform, a fresh VS Code with the extension and a folder, for one journey. Its pictures go to
 * `test-results/<name>/`; when it fails, the last one shows where.
 */
export async function journey(
  name: string,
  options: JourneyOptions,
  play: (stage: Stage) => Promise<void>,
): Promise<void> {
  rmSync(join('test-results', name), { recursive: true, force: true });
  const home = mkdtempSync(join(tmpdir(), 'modelbench-journey-'));
  const folder = join(home, 'shop-model');
  mkdirSync(folder);
  const platform = await createPlatform({ chatDelayMs: 0, ...options.platform });
  try {
    const { url } = await platform.listen();
    const source = { url, apiKey: platform.apiKey, deployment: options.deployment ?? '1', branch: options.branch };
    if (options.linked !== false) await prepareSample(folder, source);
    await onStage(name, { options, platform, url, folder }, play);
  } finally {
    await platform.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  }
}

interface Scene {
  readonly options: JourneyOptions;
  readonly platform: Platform;
  readonly url: string;
  readonly folder: string;
}

async function onStage(name: string, scene: Scene, play: (stage: Stage) => Promise<void>): Promise<void> {
  const { options, platform, url, folder } = scene;
  const signedIn = { MODELBENCH_API_KEY: platform.apiKey, MODELBENCH_TENANT_URL: url };
  const host = await startVSCode({
    extensionsDir: installed,
    ...options.host,
    settings: { ...plainTyping, ...options.host?.settings },
    env: { ...(options.signedIn ? signedIn : {}), ...options.host?.env },
  });
  let workbench: Workbench | undefined;
  try {
    workbench = await Workbench.open(host, name, folder);
    await play({ platform, url, host, workbench, folder });
  } catch (error) {
    await explain(error, host, workbench);
    throw error;
  } finally {
    await host.stop();
  }
}

/** Adds to an error what the window showed. */
async function explain(error: unknown, host: VSCodeHost, workbench: Workbench | undefined): Promise<void> {
  if (!(error instanceof Error) || !workbench) return;
  await workbench.picture('failure');
  const shown = (await workbench.notifications()).join('\n');
  error.message += `\nNotifications: ${shown || 'none'}\nVS Code's server: ${lastLines(host.output(), 5)}`;
}
