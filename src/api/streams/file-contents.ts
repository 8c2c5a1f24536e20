import { readBytes } from './byte-stream.ts';
import type { Client } from '#api/client/client.ts';
import { listDataModelFiles } from '#api/resources/data-model.ts';
import { PlatformError } from '#api/errors.ts';
import { plainName } from '#api/client/failure.ts';
import { type FileContent, FileScanner } from './file-scanner.ts';
import { isHtml } from '#api/client/web-page.ts';

interface BranchToRead {
  readonly deploymentId: string | number;
  readonly branchName: string;
}

/**
 * Yields the contents of the files of a branch as they arrive (docs/platform-api.md#listdatamodelfiles), in the
 * server's order. Decodes only the files in `wanted` and holds only one in memory at a time, so a branch may have any
 * size. Ends as soon as all of them were read. A file that the branch does not have is never yielded; a file that the
 * server lists without content (because it is not text) is yielded last, without bytes. Throws `PlatformError`;
 * `network` also when the response was cut off.
 */
export async function* fileContents(
  client: Client,
  { deploymentId, branchName }: BranchToRead,
  wanted: ReadonlySet<string>,
  signal?: AbortSignal,
): AsyncGenerator<FileContent, void> {
  if (wanted.size === 0) return;
  const request = { params: { deploymentId }, query: { branchName, withContent: true } };
  const response = await client.open(listDataModelFiles, request, { signal });
  if (isHtml(response))
    throw unreadable('it is a web page, not data. Check the tenant URL; a proxy may have answered.');
  const left = new Set(wanted);
  const bare = new Set<string>();
  const scanner = new FileScanner((path) => left.has(path));
  for await (const chunk of readBytes(response, listDataModelFiles, { signal })) {
    for (const file of scanner.push(chunk)) {
      if (file.bytes) {
        left.delete(file.path);
        yield file;
      } else bare.add(file.path);
    }
    if (left.size === 0) return;
  }
  if (scanner.end === 'notJson') throw unreadable('it is not JSON. Try again; a proxy may have changed it.');
  if (scanner.end === 'cutOff') throw cutOff();
  if (bare.size > 0 && !scanner.sawContent) throw unreadable('it lists files without their content.');
  for (const path of bare) yield { path, bytes: undefined };
}

function unreadable(why: string): PlatformError {
  const operation = listDataModelFiles.id;
  const message = `The answer to ${plainName(listDataModelFiles)} cannot be read: ${why}`;
  return new PlatformError({ kind: 'invalidResponse', operation, message });
}

function cutOff(): PlatformError {
  const operation = listDataModelFiles.id;
  const message = `The answer to ${plainName(listDataModelFiles)} was cut off. Try again.`;
  return new PlatformError({ kind: 'network', operation, message, retryable: true });
}
