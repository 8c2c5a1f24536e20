import * as api from '#api/resources/sign-in.ts';
import { Hono } from 'hono';
import type { Core } from '../core/core.ts';
import { decideDevice, pollDevice, refreshTokens, startDevice } from '../core/device-flow.ts';
import { demo } from '../seed/names.ts';
import { route } from './route.ts';

export const signInRoutes = [
  route(api.startDeviceSignIn, ({ core, origin }) => startDevice(core, origin)),
  route(api.pollDeviceSignIn, ({ core, body }) => pollDevice(core, body.device_code)),
  route(api.refreshSignIn, ({ core, body }) => refreshTokens(core, body.refresh_token)),
];

/** The page a user opens to allow a device; it asks who is signing in, and for the password of this start. */
export function signInPage(core: Core): Hono {
  const app = new Hono();
  app.get('/auth/device', (context) => context.html(form(context.req.query('user_code') ?? '')));
  app.post('/auth/device', async (context) => {
    const answers = new URLSearchParams(await context.req.text());
    if (answers.get('password') !== demo.password) {
      return context.html(page('This is not the password that the platform printed when it started.'), 403);
    }
    const email = answers.get('decision') === 'deny' ? undefined : (answers.get('email') ?? '');
    const done = decideDevice(core, answers.get('user_code') ?? '', email);
    return context.html(
      page(done ? 'Done: go back to the application.' : 'This code or user is not known.'),
      done ? 200 : 400,
    );
  });
  return app;
}

const form = (code: string): string =>
  page(`<form method="post">
<p><label>Code <input name="user_code" value="${escape(code)}" required></label></p>
<p><label>Sign in as <input name="email" type="email" value="${demo.owner}" required></label></p>
<p><label>Password <input name="password" type="password" required></label></p>
<p><button name="decision" value="allow">Allow</button> <button name="decision" value="deny">Deny</button></p>
</form>`);

const page = (body: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Sign in</title><body><h1>Local platform</h1>${body}</body></html>`;

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
