import { appendFile, mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '#base/system-error.ts';
import type { ChatFiles } from '#chat-core/ports.ts';

/** Returns access to a folder on disk, which the first write creates. Its files are private to their owner. */
export function diskFiles(folder: string): ChatFiles {
  const at = (name: string): string => join(folder, name);
  const ready = async (): Promise<void> => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  };
  return {
    read: async (name) => {
      try {
        return await readFile(at(name), 'utf8');
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return undefined;
        throw error;
      }
    },
    append: async (name, text) => {
      await ready();
      await appendFile(at(name), text, { mode: 0o600 });
    },
    replace: async (name, text) => {
      await ready();
      const draft = at(`${name}.${process.pid}.tmp`);
      await writeFile(draft, text, { mode: 0o600, flush: true });
      await rename(draft, at(name));
    },
    names: async () => {
      try {
        return await readdir(folder);
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return [];
        throw error;
      }
    },
    remove: async (name) => {
      await rm(at(name), { force: true });
    },
  };
}
