import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Returns what the platform's command line would upload from a folder: path → SHA-1. Its rules are repeated here, because
 * `npm test` installs nothing; `npm run test:deploy` compares them with the published program. Throws where that ends with an error:
 * for a link to nothing or to its own folder, and for a name that is not UTF-8.
 */
export function commandLineFiles(root: string, folder = root): Readonly<Record<string, string>> {
  const found: [path: string, hash: string][] = [];
  for (const name of readdirSync(folder)) {
    if (!isUploaded(name)) continue;
    const file = path.join(folder, name);
    if (statSync(file).isDirectory()) found.push(...Object.entries(commandLineFiles(root, file)));
    else {
      const at = path.relative(root, file).split(path.sep).join('/');
      found.push([at, createHash('sha1').update(readFileSync(file)).digest('hex')]);
    }
  }
  return Object.fromEntries(found);
}

function isUploaded(name: string): boolean {
  if (name === '.gitignore') return true;
  return name !== 'dashboard-app' && name !== 'node_modules' && !name.startsWith('.');
}
