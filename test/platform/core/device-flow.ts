import { randomBytes } from 'node:crypto';
import { createKey, hashOf } from '../auth/credentials.ts';
import type { Core } from './core.ts';
import { Refusal } from './refusal.ts';

const codeLifetimeMs = 10 * 60 * 1000;
const accessLifetimeMs = 60 * 60 * 1000;
const refreshLifetimeMs = 30 * 24 * 60 * 60 * 1000;
const intervalSeconds = 5;

interface CodeRow {
  readonly device_code: string;
  readonly user_code: string;
  readonly state: 'pending' | 'approved' | 'denied';
  readonly user_id: number | null;
  readonly last_poll: number;
  readonly expires_at: number;
}

export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly tokenType: 'Bearer';
  readonly expiresIn: number;
}

/** Starts a device sign-in (RFC 8628, 3.1 and 3.2, in camelCase). */
export function startDevice(core: Core, origin: string): object {
  const deviceCode = randomBytes(24).toString('base64url');
  const letters = 'BCDFGHJKLMNPQRSTVWXZ';
  const word = (): string => [...randomBytes(4)].map((byte) => letters[byte % letters.length]).join('');
  const userCode = `${word()}-${word()}`;
  core.db.run(
    "INSERT INTO device_codes (device_code, user_code, state, expires_at) VALUES (?, ?, 'pending', ?)",
    deviceCode,
    userCode,
    core.clock.now() + codeLifetimeMs,
  );
  return {
    deviceCode,
    userCode,
    verificationUri: `${origin}/auth/device`,
    verificationUriComplete: `${origin}/auth/device?user_code=${userCode}`,
    expiresIn: codeLifetimeMs / 1000,
    interval: intervalSeconds,
  };
}

/** What the user answered in the browser; false: the code is unknown, expired or used. */
export function decideDevice(core: Core, userCode: string, email: string | undefined): boolean {
  const user =
    email === undefined ? undefined : core.db.get<{ id: number }>('SELECT id FROM users WHERE email = ?', email);
  if (email !== undefined && user === undefined) return false;
  const { changes } = core.db.run(
    "UPDATE device_codes SET state = ?, user_id = ? WHERE user_code = ? AND state = 'pending' AND expires_at > ?",
    user === undefined ? 'denied' : 'approved',
    user?.id ?? null,
    userCode.trim().toUpperCase(),
    core.clock.now(),
  );
  return changes === 1;
}

/** Asks for the tokens of a device sign-in; until they are there, 400 with the code of RFC 8628, 3.5. */
export function pollDevice(core: Core, deviceCode: string): Tokens {
  const row = core.db.get<CodeRow>('SELECT * FROM device_codes WHERE device_code = ?', deviceCode);
  const now = core.clock.now();
  if (row === undefined || row.expires_at <= now) throw new Refusal(400, 'expired_token');
  core.db.run('UPDATE device_codes SET last_poll = ? WHERE device_code = ?', now, deviceCode);
  if (row.state === 'denied') throw new Refusal(400, 'access_denied');
  if (row.state === 'pending' || row.user_id === null) {
    const tooSoon = now - row.last_poll < intervalSeconds * 1000;
    throw new Refusal(400, tooSoon ? 'slow_down' : 'authorization_pending');
  }
  const userId = row.user_id;
  return core.db.transaction(() => {
    core.db.run('DELETE FROM device_codes WHERE device_code = ?', deviceCode);
    return issue(core, signInKey(core, userId));
  });
}

/** New tokens for a refresh token, which is used up. Dev mode continues: it belongs to the sign-in, not to one token. */
export function refreshTokens(core: Core, refreshToken: string): Tokens {
  const row = core.db.get<{ key_id: number }>(
    "SELECT key_id FROM access_tokens WHERE hash = ? AND kind = 'refresh' AND expires_at > ?",
    hashOf(refreshToken),
    core.clock.now(),
  );
  if (row === undefined) throw new Refusal(401, 'invalid_grant');
  return core.db.transaction(() => {
    core.db.run('DELETE FROM access_tokens WHERE hash = ?', hashOf(refreshToken));
    return issue(core, row.key_id);
  });
}

function issue(core: Core, keyId: number): Tokens {
  const now = core.clock.now();
  const add = (kind: 'access' | 'refresh', lifetime: number): string => {
    const token = randomBytes(32).toString('base64url');
    core.db.run(
      'INSERT INTO access_tokens (hash, key_id, kind, expires_at) VALUES (?, ?, ?, ?)',
      hashOf(token),
      keyId,
      kind,
      now + lifetime,
    );
    return token;
  };
  return {
    accessToken: add('access', accessLifetimeMs),
    refreshToken: add('refresh', refreshLifetimeMs),
    tokenType: 'Bearer',
    expiresIn: accessLifetimeMs / 1000,
  };
}

/** The credential behind a sign-in: a key that is never shown, which its tokens stand for. */
function signInKey(core: Core, userId: number): number {
  const user = core.db.get<{ tenant_id: number; email: string; is_admin: number }>(
    'SELECT tenant_id, email, is_admin FROM users WHERE id = ?',
    userId,
  );
  if (user === undefined) throw new Refusal(400, 'access_denied');
  core.audit({ tenantId: user.tenant_id, eventName: 'user.signedIn', userEmail: user.email });
  return createKey(core.db, {
    tenantId: user.tenant_id,
    userId,
    name: 'Browser sign-in',
    secret: randomBytes(32).toString('base64url'),
    ...(user.is_admin === 1 ? {} : { permissions: [] }),
  });
}
