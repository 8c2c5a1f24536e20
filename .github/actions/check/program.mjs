// Where the action has its program from: never from a registry, where anyone may own a name.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Windows would start “git.exe” and “tar.exe” of the checked-out project before those of the machine.
process.env.NoDefaultCurrentDirectoryInExePath = '1';

/**
 * The path of the command line: the one beside the action, as the tag of a release has it, else the one in an archive of exactly this
 * digest, which is unpacked outside of the project. Throws where there is neither.
 */
export function commandLine({ archive, digest }) {
  if (archive !== '') return unpacked(archive, digest);
  const own = fileURLToPath(new URL('dist/cli.js', import.meta.url));
  if (existsSync(own)) return own;
  throw new Error(
    'This is the source of the action, which has no program. Use the tag of a release that begins with “check-v”, or name the archive of a release with “package” and “digest”.',
  );
}

function unpacked(archive, digest) {
  const bytes = readFileSync(archive);
  const found = createHash('sha256').update(bytes).digest('hex');
  if (found !== digest.toLowerCase())
    throw new Error(`“${archive}” was not run: “digest” is not its SHA-256, which is ${found}.`);
  const folder = mkdtempSync(join(process.env.RUNNER_TEMP ?? tmpdir(), 'modelbench-'));
  // The bytes that were judged, whatever becomes of the file meanwhile.
  writeFileSync(join(folder, 'package.tgz'), bytes);
  const { status, error, stderr } = spawnSync('tar', ['-xzf', 'package.tgz'], { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw error ?? new Error(`The archive cannot be unpacked. ${stderr}`);
  return join(folder, 'package/dist/cli.js');
}
