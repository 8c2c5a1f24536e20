/** Returns when a JSON Web Token expires, from its own claims; `undefined` if it has no such claim. */
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

/** Parses a lifetime that the user typed (`3600`, `90m`, `24h`, `7d`); returns seconds, or `undefined` if it is not one. */
export function parseLifetime(typed: string): number | undefined {
  const match = /^\s*(\d+)\s*([smhd]?)\s*$/i.exec(typed);
  if (!match) return undefined;
  const seconds = { '': 1, s: 1, m: 60, h: 3600, d: 86_400 }[(match[2] ?? '').toLowerCase()] ?? 1;
  const lifetime = Number(match[1]) * seconds;
  return lifetime > 0 && Number.isSafeInteger(lifetime) ? lifetime : undefined;
}
