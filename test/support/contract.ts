import type { Platform } from '#platform/app.ts';
import { readModes } from '#platform/modes/modes.ts';
import { expect } from 'vitest';
import { openPlatform } from './platform.ts';

/**
 * Asks the local platform in the words of the documented API: paths, bodies and fields are typed out by hand in the tests, and
 * nothing here knows the operations of the client, so that a constant that is wrong on both sides is found.
 */
export interface Said {
  readonly status: number;
  readonly type: string;
  readonly headers: Headers;
  // A contract is about what came, whatever it is: the tests say what they expect of it.
  readonly json: Json;
  readonly text: string;
}

/** JSON as it came; what is not there reads as undefined all the way down. */
export interface Json {
  readonly [field: string]: Json | undefined;
}

export interface AskOptions {
  readonly body?: unknown;
  readonly form?: FormData;
  /** The value of the header `Authorization`; null sends none. By default the unscoped key as a bearer. */
  readonly authorization?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Ask = (line: string, options?: AskOptions) => Promise<Said>;

/** A fresh platform in this mode, closed when the test ends. */
export async function openContract(mode: string): Promise<{ readonly ask: Ask; readonly platform: Platform }> {
  const platform = await openPlatform({ modes: readModes(mode), chatDelayMs: 0 });
  return { platform, ask: askOf(platform) };
}

/** Sends `METHOD /path?query`. */
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

/** Whether a status says that something was done. */
export const done = ({ status }: Said): boolean => status >= 200 && status < 300;

/** The rows of a list. */
export const rows = (list: Json | undefined): readonly Json[] => list as unknown as readonly Json[];

/** A text, number or yes or no of an answer as text; `undefined` and objects read as nothing. */
export function plain(value: Json | undefined): string {
  const found: unknown = value;
  return typeof found === 'string' || typeof found === 'number' || typeof found === 'boolean' ? String(found) : '';
}

/** What an answer must hold where its value is the platform's own choice. */
export const a = {
  text: expect.any(String) as string,
  number: expect.any(Number) as number,
  list: expect.any(Array) as readonly unknown[],
  matching: (pattern: RegExp): string => expect.stringMatching(pattern) as string,
  containing: (words: string): string => expect.stringContaining(words) as string,
} as const;
