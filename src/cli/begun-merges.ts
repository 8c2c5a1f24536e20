import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { parsedJson } from '#base/json.ts';
import { realFolder } from '#sync/disk/real-path.ts';
import type { BegunMerge, BegunMerges, SyncedBranch } from '#tools/ports.ts';
import { storageName } from './open-sync.ts';

const schema = v.record(
  v.string(),
  v.object({
    base: v.optional(v.string()),
    local: v.optional(v.string()),
    remote: v.optional(v.string()),
    theirs: v.string(),
    size: v.number(),
  }),
);

/**
 * Returns the merges of a linked folder with a branch that are not finished. They are in the user's state folder; a record that
 * cannot be read counts as none.
 */
export function begunMerges(folder: string, state: string, { access, deployment, branch }: SyncedBranch): BegunMerges {
  const file = join(state, 'merges', `${storageName(access.tenantUrl, deployment, branch, realFolder(folder))}.json`);
  const read = (): Readonly<Record<string, BegunMerge>> => {
    try {
      const parsed = v.safeParse(schema, parsedJson(readFileSync(file, 'utf8')));
      return parsed.success ? parsed.output : {};
    } catch {
      return {};
    }
  };
  const write = (all: Readonly<Record<string, BegunMerge>>): void => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(`${file}.tmp`, JSON.stringify(all), { mode: 0o600, flush: true });
    renameSync(`${file}.tmp`, file);
  };
  return {
    of: async (path) => Promise.resolve(Object.entries(read()).find(([name]) => name === path)?.[1]),
    keep: async (path, merge) => Promise.resolve(write({ ...read(), [path]: merge })),
    end: async (path) => {
      const all = read();
      if (Object.hasOwn(all, path)) write(Object.fromEntries(Object.entries(all).filter(([name]) => name !== path)));
      return Promise.resolve();
    },
  };
}
