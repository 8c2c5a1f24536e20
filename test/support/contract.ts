import type { Platform } from '#platform/app.ts';
import { readModes } from '#platform/modes/modes.ts';
import { expect } from 'vitest';
import { openPlatform } from './platform.ts';

/**
 * A response of the local platform to a request in the words of the documented API. Tests type paths, bodies and fields by hand,
 * and nothing here uses the client's operations, so that a constant that is wrong on both sides is found.
 */
export interface Said {
  readonly status: number;
  readonly type: string;
  readonly headers: Headers;
  // A contract test may check any response: the tests state what they expect.
  readonly json: Json;
  readonly text: string;
}

/** Untyped JSON; absent values read as undefined at any depth. */
export interface Json {
  readonly [field: string]: Json | undefined;
}

export interface AskOptions {
  readonly body?: unknown;
  readonly form?: FormData;
  /** The value of the header `Authorization`; null omits it. By default the unscoped key as a bearer. */
  readonly authorization?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Ask = (line: string, options?: AskOptions) => Promise<Said>;

/** Opens a fresh platform in this mode, and closes it when the test ends. */
export async function openContract(mode: string): Promise<{ readonly ask: Ask; readonly platform: Platform }> {
  const platform = await openPlatform({ modes: readModes(mode), chatDelayMs: 0 });
  return { platform, ask: askOf(platform) };
}

/** Returns a function that sends `METHOD /path?query`. */
function askOf(platform: Platform): Ask {
  return async (line, { body, form, authorization = `Bearer ${platform.apiKey}`, headers = {} } = {}) => {
    const [method = '', path = ''] = line.split(' ');
    const init: RequestInit & { headers: Record<string, string> } = { method, headers: { ...headers } };
    if (authorization !== null) init.headers['Authorization'] = authorization;
    if (form !== undefined) init.body = form;
    if (body !== undefined) {
      init.headers['Content-Type'] = 'application/json';
      init.body = JSON.stringify(body);
    }
    const response = await platform.fetch(new Request(new URL(path, 'https://shop.platform.example'), init));
    const type = response.headers.get('content-type') ?? '';
    const text = await response.text();
    const json = /[/+]json\b/.test(type) && text !== '' ? (JSON.parse(text) as Json) : {};
    return { status: response.status, type, headers: response.headers, json, text };
  };
}

/** Whether a status means success. */
export const done = ({ status }: Said): boolean => status >= 200 && status < 300;

/** Returns the rows of a list. */
export const rows = (list: Json | undefined): readonly Json[] => list as unknown as readonly Json[];

/** Returns a text, number or boolean of a response as text; an empty text for `undefined` and objects. */
export function plain(value: Json | undefined): string {
  const found: unknown = value;
  return typeof found === 'string' || typeof found === 'number' || typeof found === 'boolean' ? String(found) : '';
}

/** Matchers for response values that the platform may choose. */
export const a = {
  text: expect.any(String) as string,
  number: expect.any(Number) as number,
  list: expect.any(Array) as readonly unknown[],
  matching: (pattern: RegExp): string => expect.stringMatching(pattern) as string,
  containing: (words: string): string => expect.stringContaining(words) as string,
} as const;
