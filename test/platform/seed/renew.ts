import { hashOf } from '../auth/credentials.ts';
import type { Core } from '../core/core.ts';
import { demo, seededSecret } from './names.ts';

/**
 * Gives the seeded credentials the values of this start, so that those of an earlier start, or of a copied data folder,
 * open nothing. What a user has replaced since stays.
 */
export function renewCredentials({ db }: Core): void {
  db.transaction(() => {
    for (const [kind, name] of Object.entries(demo.keyNames)) {
      const secret = demo.keys[kind as keyof typeof demo.keys];
      db.run(
        'UPDATE api_keys SET hash = ? WHERE id = (SELECT min(id) FROM api_keys WHERE name = ?)',
        hashOf(secret),
        name,
      );
    }
    const seeded = db.all<{ deployment_id: number }>(
      "SELECT deployment_id FROM env_vars WHERE name = 'CUBEJS_API_SECRET' AND value LIKE 'demo-api-secret-%'",
    );
    for (const { deployment_id: id } of seeded) {
      db.run(
        "UPDATE env_vars SET value = ? WHERE name = 'CUBEJS_API_SECRET' AND deployment_id = ?",
        seededSecret(id),
        id,
      );
    }
  });
}
