import { readFileSync } from 'node:fs';
import type { Engine, QueryEngine } from '../host.ts';
import { errorsIn, queryAnswerIn } from './answers.ts';
import type { EngineQuestion } from './messages.ts';
import { createSandbox, type Sandbox, type SandboxOptions } from './sandbox/sandbox.ts';

export interface EngineOptions {
  /** The program of the sandbox's process. */
  readonly program: string;
  /** The compiler's bundle, evaluated in the realm. */
  readonly bundle: string;
  /** The WebAssembly code of the template library. */
  readonly templates: string;
  readonly limitMs?: number | undefined;
  readonly idleMs?: number | undefined;
  readonly heapMb?: number | undefined;
  readonly launch?: SandboxOptions['launch'];
}

/** How many models stay warm. Each has its own realm, so that none can change the input of another. */
const WARM = 2;

/**
 * Creates the platform's compiler in sandboxes. A sandbox starts with the first request for a model, and again after it has
 * ended.
 */
export function engineProcess(options: EngineOptions): Engine & QueryEngine {
  const saved = sandboxPerModel(options, WARM);
  // Proposed models have their own sandbox: reviewing a proposal neither delays a check after a save nor makes it start cold.
  const proposed = sandboxPerModel(options, 1);
  // Queries are compiled while the user types: they are cancelled often, and a cancellation ends their process.
  const queried = sandboxPerModel(options, 1);
  return {
    canCompile: (root) => root.startsWith('file:'),
    check: async (root, files, signal) => {
      signal?.throwIfAborted();
      const sandbox = (signal ? proposed : saved)(root);
      return errorsIn(await sandbox.ask(JSON.stringify({ kind: 'check', files } satisfies EngineQuestion), signal));
    },
    query: async (root, question, signal) => {
      signal.throwIfAborted();
      const message = { kind: 'query', ...question } satisfies EngineQuestion;
      return queryAnswerIn(await queried(root).ask(JSON.stringify(message), signal));
    },
  };
}

/** Returns the sandbox of each model. If there are too many, the least recently used one ends after it has answered. */
function sandboxPerModel(options: EngineOptions, most: number): (root: string) => Sandbox {
  const sandboxes = new Map<string, Sandbox>();
  return (root) => {
    const sandbox = sandboxes.get(root) ?? open(options);
    sandboxes.delete(root);
    sandboxes.set(root, sandbox);
    const [oldest] = sandboxes;
    if (sandboxes.size > most && oldest) {
      oldest[1].retire();
      sandboxes.delete(oldest[0]);
    }
    return sandbox;
  };
}

/** Creates a sandbox with a bundle in its realm; its process starts with the first question. */
export function open({ bundle, templates, limitMs = 60_000, idleMs = 5 * 60_000, ...options }: EngineOptions): Sandbox {
  const scripts = (): readonly string[] => [
    `globalThis.modelbenchTemplates = ${JSON.stringify(readFileSync(templates).toString('base64'))};`,
    readFileSync(bundle, 'utf8'),
  ];
  return createSandbox({ ...options, scripts, limitMs, idleMs });
}
