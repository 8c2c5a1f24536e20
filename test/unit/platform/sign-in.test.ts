import { startDevMode } from '#api/resources/branches.ts';
import { listDataModelFiles } from '#api/resources/data-model.ts';
import { listDeployments } from '#api/resources/deployments.ts';
import * as api from '#api/resources/sign-in.ts';
import type { Platform } from '#platform/app.ts';
import { ManualClock } from '#support/manual-clock.ts';
import { errorOf, openPlatform, send } from '#support/platform.ts';
import { describe, expect, it } from 'vitest';

const client_id = 'modelbench';

async function begin(clock = new ManualClock(Date.UTC(2026, 5, 1))) {
  const platform = await openPlatform({ clock });
  const { value } = await send(platform, api.startDeviceSignIn, { body: { client_id }, key: null });
  const poll = () =>
    send(platform, api.pollDeviceSignIn, {
      body: { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: value.deviceCode, client_id },
      key: null,
    });
  return { platform, clock, poll, code: value };
}

const refresh = (platform: Platform, token: string) =>
  send(platform, api.refreshSignIn, { body: { grant_type: 'refresh_token', refresh_token: token }, key: null });

describe('the device sign-in', () => {
  it('waits, slows down a client that asks too often, and gives tokens once the user allowed it', async () => {
    const { platform, clock, poll, code } = await begin();
    expect(code).toMatchObject({ interval: 5, expiresIn: 600 });
    expect(errorOf(await poll())).toBe('authorization_pending');
    expect(errorOf(await poll())).toBe('slow_down');
    await clock.advance(5000);
    expect(errorOf(await poll())).toBe('authorization_pending');
    expect(platform.control.decideDevice(code.userCode, platform.control.demo.colleague)).toBe(true);
    const { status, value } = await poll();
    expect(status).toBe(200);
    expect((await send(platform, listDeployments, { key: value.accessToken })).status).toBe(200);
    expect(errorOf(await poll())).toBe('expired_token');
  });

  it('says when it was denied and when it expired', async () => {
    const denied = await begin();
    denied.platform.control.decideDevice(denied.code.userCode);
    expect(errorOf(await denied.poll())).toBe('access_denied');
    const late = await begin();
    await late.clock.advance(600_000);
    expect(errorOf(await late.poll())).toBe('expired_token');
    expect(late.platform.control.decideDevice(late.code.userCode, late.platform.control.demo.owner)).toBe(false);
  });

  it('ends an access token after an hour; its refresh token works once and keeps dev mode', async () => {
    const { platform, clock, poll, code } = await begin();
    platform.control.decideDevice(code.userCode, platform.control.demo.owner);
    const { value } = await poll();
    const params = { deploymentId: 1 };
    await send(platform, startDevMode, { params, body: { branchName: 'main' }, key: value.accessToken });
    await clock.advance(3_600_000);
    expect((await send(platform, listDeployments, { key: value.accessToken })).status).toBe(401);
    const next = await refresh(platform, value.refreshToken ?? '');
    expect((await refresh(platform, value.refreshToken ?? '')).status).toBe(401);
    expect((await send(platform, listDeployments, { key: next.value.refreshToken ?? '' })).status).toBe(401);
    const files = await send(platform, listDataModelFiles, {
      params,
      query: { branchName: 'dev-ada-1' },
      key: next.value.accessToken,
    });
    expect(files.status).toBe(200);
  });

  it('has a page on which the user decides', async () => {
    const { platform, poll, code } = await begin();
    const page = await platform.fetch(new Request(code.verificationUriComplete ?? ''));
    expect(await page.text()).toContain(`value="${code.userCode}"`);
    const { owner, password } = platform.control.demo;
    const form = (email: string, typed: string = password) =>
      platform.fetch(
        new Request(code.verificationUri, {
          method: 'POST',
          body: new URLSearchParams({ user_code: code.userCode, email, password: typed }),
        }),
      );
    expect((await form('nobody@shop.example')).status).toBe(400);
    expect((await form(owner, '')).status).toBe(403);
    expect((await form(owner, 'guessed')).status).toBe(403);
    expect((await poll()).status).not.toBe(200);
    expect((await form(owner)).status).toBe(200);
    expect((await poll()).status).toBe(200);
    const hostile = await platform.fetch(new Request(`${code.verificationUri}?user_code="><script>`));
    expect(await hostile.text()).not.toContain('"><script>');
  });
});
