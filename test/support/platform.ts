import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AnswerOf, Operation, RequestOf } from '#api/operation.ts';
import { createPlatform, type Platform, type PlatformOptions } from '#platform/app.ts';
import * as v from 'valibot';
import { inject, onTestFinished } from 'vitest';
import { folderTemplate } from './folder-template.ts';
import { oncePerWorker } from './once-per-worker.ts';
import { quickEngine } from './quick-engine.ts';

const demoSeed = (): ReturnType<typeof folderTemplate> =>
  oncePerWorker('demo seed', () => folderTemplate(inject('demoSeed')));

/**
 * Opens a platform in memory (with the quick engine unless another is given) in its own folder and closes it when the test ends.
 * The demo seed is created once per run (`demo-seed.ts`) and copied; the warehouse is generated once and only read.
 */
export async function openPlatform(options: PlatformOptions = {}): Promise<Platform> {
  const dataDir = mkdtempSync(join(tmpdir(), 'platform-test-'));
  if (options.seed === undefined || options.seed === 'demo') {
    demoSeed()(dataDir);
  }
  const warehouseDir = inject('shared');
  const platform = await createPlatform({ engine: quickEngine(), dataDir, warehouseDir, ...options });
  onTestFinished(async () => {
    await platform.close();
    // The asynchronous one takes four times the processor time.
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 });
  });
  return platform;
}

export interface Answer<Op extends Operation = Operation> {
  readonly status: number;
  /** The response as parsed by the operation's schema, if it succeeded with a JSON body. */
  readonly value: AnswerOf<Op>;
  /** The raw body: parsed JSON, or text. */
  readonly body: unknown;
  readonly headers: Headers;
}

interface Extra {
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Sends one operation without the client, so that a test can send invalid requests too. A response that violates the operation's
 * own schema fails the test.
 */
export async function send<Op extends Operation>(
  platform: Platform,
  operation: Op,
  request?: RequestOf<Op> & Extra,
): Promise<Answer<Op>> {
  const response = await platform.fetch(toRequest(platform, operation, request as LooseRequest | undefined));
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  const body: unknown = isJson && text !== '' ? JSON.parse(text) : text;
  const readable = response.ok && operation.answer !== undefined && isJson;
  const value = readable ? v.parse(operation.answer, body) : undefined;
  return { status: response.status, value: value as AnswerOf<Op>, body, headers: response.headers };
}

/** Returns the `error` of a refused request. */
export const errorOf = (answer: Pick<Answer, 'body'>): string => String((answer.body as { error?: unknown }).error);

/**
 * Returns the status and the `error` of a refused request. The text begins with the field where one is wrong, because an error body
 * has no property for it (docs/platform-api.md#lists).
 */
export const refusalOf = (answer: Pick<Answer, 'status' | 'body'>): string => `${answer.status} ${errorOf(answer)}`;

interface LooseRequest extends Extra {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

export function toRequest(platform: Platform, operation: Operation, request: LooseRequest = {}): Request {
  const { params = {}, query = {}, body, key = platform.apiKey, headers = {} } = request;
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const url = new URL(path, 'http://platform.test');
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  const init: RequestInit & { headers: Record<string, string> } = { method: operation.method, headers: { ...headers } };
  if (key !== null) init.headers['Authorization'] = `Bearer ${key}`;
  if (body !== undefined) init.body = encode(operation, body, init.headers);
  return new Request(url, init);
}

function encode(operation: Operation, body: unknown, headers: Record<string, string>): BodyInit {
  if (operation.encoding === 'form') return new URLSearchParams(body as Record<string, string>);
  if (operation.encoding === 'multipart') {
    const form = new FormData();
    for (const [name, value] of Object.entries(body as Record<string, unknown>)) {
      if (value instanceof Uint8Array) form.set(name, new Blob([new Uint8Array(value)]), 'file');
      else form.set(name, typeof value === 'string' ? value : JSON.stringify(value));
    }
    return form;
  }
  headers['Content-Type'] = 'application/json';
  return JSON.stringify(body);
}
