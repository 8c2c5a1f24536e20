/** When a JSON Web Token ends, from its own claims; `undefined` when it does not say. */
export function tokenExpiry(token: string): Date | undefined {
  const [, payload] = token.split('.');
  if (payload === undefined) return undefined;
  try {
    const json: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    const expiry = typeof json === 'object' && json !== null && 'exp' in json ? json.exp : undefined;
    return typeof expiry === 'number' ? new Date(expiry * 1000) : undefined;
  } catch {
    return undefined;
  }
}

/** Reads a lifetime as a user types it: `3600`, `90m`, `24h`, `7d`; seconds. */
export function parseLifetime(typed: string): number | undefined {
  const match = /^\s*(\d+)\s*([smhd]?)\s*$/i.exec(typed);
  if (!match) return undefined;
  const seconds = { '': 1, s: 1, m: 60, h: 3600, d: 86_400 }[(match[2] ?? '').toLowerCase()] ?? 1;
  const lifetime = Number(match[1]) * seconds;
  return lifetime > 0 && Number.isSafeInteger(lifetime) ? lifetime : undefined;
}
