import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, it } from 'vitest';
import { createPlatform, type Platform, type PlatformOptions } from '#platform/app.ts';
import { realEngine } from '#support/real-engine.ts';
import { KeptForNext } from '../tools/kept-for-next.ts';
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
  /** How the platform's agent answers: its pace from the next word on, its model from the next question on. */
  setAgent(agent: Pick<PlatformOptions, 'agentUrl' | 'chatDelayMs'>): void;
}

export interface JourneyOptions {
  readonly host?: HostOptions;
  readonly platform?: PlatformOptions;
  /** Whether the folder is a linked copy of the sample model; an empty one otherwise. */
  readonly linked?: boolean;
  /** Further files of the folder, which are there before the window opens. */
  readonly files?: Readonly<Record<string, string>>;
  /** The deployment that the copy is of, and the folder linked to; the demo shop unless said otherwise. */
  readonly deployment?: string;
  /** The branch that the copy is of; the deploy branch unless said otherwise. */
  readonly branch?: string;
  /** Whether the window stays in Restricted Mode; otherwise the user trusts the folder first. */
  readonly isRestricted?: boolean;
  /** Signs in through the environment, as in a container; otherwise the journey signs in itself. */
  readonly signedIn?: boolean;
}

/** What a user does in a journey. */
type Play = (stage: Stage) => Promise<void>;

/**
 * A fresh local platform, a fresh VS Code with the extension and a folder, for one journey. Its pictures go to
 * `test-results/<name>/`; when it fails, the last one shows where.
 */
export async function journey(name: string, options: JourneyOptions, play: Play): Promise<void> {
  const opened = await openStage(options);
  try {
    await opened.play(name, play);
  } finally {
    await opened.close();
  }
}

/**
 * One stage for several journeys, a test each, in this order: starting a window is a third of a short journey. Where one fails or is
 * left out, the window lacks what it would have left there: each one after it has another stage. `begin` brings a new stage to where
 * the journey starts; one that was used is there already, because of the journeys before.
 */
export function inOneWindow(options: JourneyOptions): (title: string, name: string, play: Play, begin?: Play) => void {
  const stages = new KeptForNext(async () => openStage(options));
  let count = 0;
  afterAll(async () => stages.close());
  return (title, name, play, begin) => {
    const place = count;
    count += 1;
    // oxlint-disable-next-line vitest/expect-expect -- the journeys assert
    it(title, async () => {
      await stages.use(place, async (opened, isNew) => {
        await opened.play(name, async (stage) => {
          if (isNew) await begin?.(stage);
          await play(stage);
        });
      });
    });
  };
}

interface OpenStage {
  play(name: string, play: Play): Promise<void>;
  close(): Promise<void>;
}

async function openStage(options: JourneyOptions): Promise<OpenStage> {
  const endings: (() => unknown)[] = [];
  const close = async (): Promise<void> => {
    for (const end of endings.splice(0).toReversed()) await end();
  };
  try {
    const home = mkdtempSync(join(tmpdir(), 'modelbench-journey-'));
    endings.push(() => rmSync(home, { recursive: true, force: true, maxRetries: 3 }));
    const folder = join(home, 'shop-model');
    mkdirSync(folder);
    const platformOptions: PlatformOptions = { chatDelayMs: 0, engine: realEngine(), ...options.platform };
    const platform = await createPlatform(platformOptions);
    const setAgent: Stage['setAgent'] = (agent) => void Object.assign(platformOptions, agent);
    endings.push(async () => platform.close());
    const { url } = await platform.listen();
    const source = { url, apiKey: platform.apiKey, deployment: options.deployment ?? '1', branch: options.branch };
    if (options.linked !== false) await prepareSample(folder, source);
    for (const [path, content] of Object.entries(options.files ?? {})) {
      mkdirSync(join(folder, path, '..'), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
    // The engine's start is the longest that a request waits for, and the extension gives up after half a minute.
    await platform.control.buildSettled(1, 'main');
    const host = await startVSCode(hostOptions(options, { url, apiKey: platform.apiKey }));
    endings.push(async () => host.stop());
    const page = await host.open({ folder, isRestricted: options.isRestricted === true });
    return {
      play: async (name, play) => {
        rmSync(join('test-results', name), { recursive: true, force: true, maxRetries: 3 });
        const workbench = new Workbench(host, page, name);
        try {
          await workbench.ready();
          await play({ platform, url, host, workbench, folder, setAgent });
        } catch (error) {
          await explain(error, host, workbench);
          throw error;
        }
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function hostOptions(options: JourneyOptions, { url, apiKey }: { url: string; apiKey: string }): HostOptions {
  const signedIn = { MODELBENCH_API_KEY: apiKey, MODELBENCH_TENANT_URL: url };
  return {
    extensionsDir: installed,
    ...options.host,
    // Journeys play with both: what VS Code does in a browser, and, where they say so, what it does on a desktop.
    settings: { 'files.autoSave': 'afterDelay', ...plainTyping, ...options.host?.settings },
    env: { ...(options.signedIn ? signedIn : {}), ...options.host?.env },
  };
}

/** Adds to an error what the window showed. */
async function explain(error: unknown, host: VSCodeHost, workbench: Workbench): Promise<void> {
  // A journey may have closed its first window.
  if (!(error instanceof Error) || workbench.page.isClosed()) return;
  await workbench.picture('failure');
  const shown = (await workbench.notification('').allInnerTexts()).join('\n');
  error.message += `\nNotifications: ${shown || 'none'}\nVS Code's server: ${lastLines(host.output(), 5)}`;
  for (const part of ['sidebar', 'editor', 'statusbar'])
    error.message += `\n${part}: ${await shownIn(workbench, part)}`;
  // Of a webview's frames, VS Code loads the page itself from this address.
  for (const frame of workbench.page.frames().filter((each) => each.url().includes('/fake.html')))
    error.message += `\nwebview: ${inOneLine(await frame.evaluate(() => document.body.innerText).catch(String))}`;
}

/** What a part of the window says, in one line: where only the output of a run is kept, its pictures are gone. */
async function shownIn({ page }: Workbench, part: string): Promise<string> {
  return inOneLine(await page.locator(`.part.${part}`).first().innerText().catch(String));
}

function inOneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 2000 ? `${line.slice(0, 2000)}…` : line;
}
