import { Hono } from 'hono';
import type { Mount, PlatformDeps } from '../deps.ts';

/** Nothing yet: the chat engineer's file replaces this one. */
export function chatRoutes(_deps: PlatformDeps): Mount {
  return { app: new Hono() };
}
