import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import * as v from 'valibot';
import { asError } from '#base/async.ts';
import { silentLogger } from '#base/log.ts';
import { isInside } from '#base/path.ts';
import { createFolderPorts, type FolderPorts, nodeHasher } from '#sync/disk/folder-ports.ts';
import type { Edit, ToolPorts } from '#tools/ports.ts';
import { ToolError } from '#tools/tool.ts';
import { isModelFilePath, modelRootOf, shownFolder } from './model-folder.ts';
import type { SyncPaths } from './open-sync.ts';
import { writeProblem } from './writable-file.ts';

/** The contents of a token: the file, its former version (absent if there was no file), and the written one. */
const tokenSchema = v.strictObject({
  path: v.string(),
  kept: v.optional(v.pipe(v.string(), v.regex(/^[a-z0-9]+-[a-z0-9]+$/))),
  now: v.optional(v.string()),
});
type Token = v.InferOutput<typeof tokenSchema>;

/**
 * Edits files of a model with the disk layer of sync: durably, not through links, only if a file is unchanged since it was read,
 * and with the former version in a trash. Throws `ToolError` if the path is not that of a model file, or if the file changed
 * meanwhile.
 */
export function fileEdits(folder: string, from: string, paths: SyncPaths): Pick<ToolPorts, 'edit' | 'undo'> {
  const withDisk = async <T>(work: (disk: FolderPorts, root: string) => Promise<T>): Promise<T> => {
    const { root } = modelRootOf(folder);
    const disk = await createFolderPorts({
      folder: root,
      remoteFolder: '',
      storage: join(paths.state, 'edits', createHash('sha256').update(root).digest('hex').slice(0, 16)),
      worker: paths.hashWorker,
      logger: silentLogger,
    });
    try {
      return await work(disk, root);
    } finally {
      disk.dispose();
    }
  };
  return {
    edit: async (given, change) =>
      withDisk(async (disk, root) => {
        const path = pathIn(given, root, from);
        const shown = `${shownFolder(root, from)}${path}`;
        const before = await disk.files.read(path);
        const text = change(before && textOf(before.bytes));
        requireWritable({ path, shown, root }, before?.bytes, text, folder);
        const bytes = text === undefined ? undefined : new TextEncoder().encode(text);
        if (!before && !bytes) throw new ToolError('usage', `There is no file “${shown}”.`);
        const kept = await put(disk, { path, shown, root }, before?.hash, bytes);
        const hash = bytes && nodeHasher.hash(bytes);
        const token: Token = {
          path,
          ...(kept === undefined ? {} : { kept }),
          ...(hash === undefined ? {} : { now: hash }),
        };
        return {
          path: shown,
          inFolder: relative(folder, join(root, path)).split(sep).join('/'),
          change: before ? (bytes ? 'change' : 'delete') : 'add',
          hash,
          undo: Buffer.from(JSON.stringify(token)).toString('base64url'),
        } satisfies Edit;
      }),
    undo: async (text) =>
      withDisk(async (disk, root) => {
        const { path, kept, now } = tokenIn(text);
        const shown = `${shownFolder(root, from)}${path}`;
        if (!isModelFilePath(path)) throw new ToolError('usage', 'This is not a token of a file of this model.');
        const bytes = kept === undefined ? undefined : await formerVersion(disk, path, kept);
        if (kept !== undefined && !bytes)
          throw new ToolError('usage', `The former version of “${shown}” is no longer stored.`);
        const present = await disk.files.read(path);
        // A file that “write” removed had its name before.
        if (present) requireWritable({ path, shown, root }, present.bytes, bytes && textOf(bytes), folder);
        await put(disk, { path, shown, root }, now, bytes);
        return shown;
      }),
  };
}

/** Throws `ToolError` unless a tool may give a file a new text, or remove it. */
function requireWritable(
  { path, shown, root }: EditedFile,
  bytes: Uint8Array | undefined,
  after: string | undefined,
  folder: string,
): void {
  if (bytes && after !== undefined && !isWritable(after, bytes))
    throw new ToolError('usage', `“${shown}” is not UTF-8 text. Save it with this encoding first.`);
  const whole = resolve(root) === resolve(folder) ? resolve(root) : undefined;
  const problem = writeProblem({ path, before: bytes && textOf(bytes), after }, whole);
  if (problem !== undefined) throw new ToolError('usage', `“${shown}” was left as it is. ${problem}`);
}

/** Resolves to a version in the trash if it is one of this file: a token can name any. */
async function formerVersion({ trash }: FolderPorts, path: string, id: string): Promise<Uint8Array | undefined> {
  const isOfFile = (await trash.list()).some((item) => item.id === id && item.path === path);
  return isOfFile ? trash.read(id) : undefined;
}

/** Decodes a file with its byte order mark, which is written again. */
function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/** Whether the text of these bytes lost none of them: bytes that are not UTF-8 were decoded to U+FFFD. */
function isWritable(text: string, bytes: Uint8Array): boolean {
  return isUtf8(bytes) || !text.includes('\u{fffd}');
}

/** Writes a version of a file, or removes the file; returns the key of the replaced version in the trash. */
async function put(
  { files }: FolderPorts,
  file: EditedFile,
  expected: string | undefined,
  bytes: Uint8Array | undefined,
): Promise<string | undefined> {
  const result = await named(file, async () => replaced(files, file.path, expected, bytes));
  if (result.kind === 'changed')
    throw new ToolError(
      'usage',
      `“${file.shown}” was changed by someone else, so it was left as it is. Read it again.`,
    );
  await named(file, async () => files.sync([file.path]));
  return result.backup;
}

/** A file of the model: relative to the model's folder, as answers show it, and that folder. */
interface EditedFile {
  readonly path: string;
  readonly shown: string;
  readonly root: string;
}

/** Whether a path of a system error is in a folder; also where the error has none. */
function isBelow(folder: string, path: string | undefined): boolean {
  return path === undefined || (resolve(path) !== resolve(folder) && isInside(resolve(path), resolve(folder), sep));
}

/** Does work on a file; where the disk refuses it, the error has the path as answers show it. */
async function named<T>({ path, shown, root }: EditedFile, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { message, cause } = asError(error);
    // The former version could not be stored: the file itself is not the reason.
    if (cause instanceof Error && !isBelow(root, (cause as NodeJS.ErrnoException).path)) throw cause;
    throw message.startsWith(`${path}: `)
      ? new ToolError('platform', `“${shown}”: ${message.slice(path.length + 2)}`)
      : error;
  }
}

async function replaced(
  files: FolderPorts['files'],
  path: string,
  expected: string | undefined,
  bytes: Uint8Array | undefined,
) {
  return bytes
    ? files.replace(await files.stage(path, bytes, nodeHasher.hash(bytes)), expected, 'agentProposal')
    : expected === undefined
      ? { kind: 'done' as const, backup: undefined }
      : files.remove(path, expected, 'agentProposal');
}

/** Returns the path inside the model; throws `ToolError` if it is not that of a model file. */
function pathIn(given: string, root: string, from: string): string {
  const path = relative(root, resolve(from, given.replaceAll('\\', '/')))
    .split(sep)
    .join('/');
  if (!isAbsolute(path) && isModelFilePath(path)) return path;
  const shown = shownFolder(root, from);
  throw new ToolError(
    'usage',
    `“${given}” is not a file of the data model: its path ${shown === '' ? '' : `begins with “${shown}” and `}ends in .yml, .yaml, .jinja or .js.`,
  );
}

function tokenIn(text: string): Token {
  try {
    return v.parse(tokenSchema, JSON.parse(Buffer.from(text, 'base64url').toString()));
  } catch {
    throw new ToolError('usage', 'This token is not one that “write” returned.');
  }
}
