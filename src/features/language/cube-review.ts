import { Store } from '#base/store.ts';
import { baseName, dirName } from '#base/path.ts';
import { oneFileDocument, type ReviewSource } from '#features/review/index.ts';
import type { ReviewDocument } from '#features/review/messages.ts';
import { UserError } from '#shell/user-error.ts';

/** A file with a generated cube that does not exist yet. */
export interface NewCubeFile {
  readonly name: string;
  /** The table that the cube reads. */
  readonly relation: string;
  /** Relative to the folder of the window. */
  readonly path: string;
  readonly text: string;
}

/** The actions of the review page for a new cube's file. */
export interface CubeReviewPorts {
  /** Writes the file; resolves to whether it did. An existing file is not changed. */
  readonly create: () => Promise<boolean>;
  /** Opens the file that was created. */
  readonly show: () => Promise<unknown>;
  /** Shows the text in an editor, without a file. */
  readonly preview: () => Promise<unknown>;
}

/** Returns the review page on which the user reads a generated cube before its file is created. */
export function cubeReview(file: NewCubeFile, { create, show, preview }: CubeReviewPorts): ReviewSource {
  const { path, text } = file;
  const document = new Store<ReviewDocument | undefined>(documentOf(file));
  return {
    key: `generated-cube ${path}`,
    accountId: undefined,
    document,
    // The page has only this one file, so there is nothing to select.
    tick: () => undefined,
    texts: async () => Promise.resolve({ before: undefined, after: text }),
    diff: preview,
    apply: async () => {
      if (!(await create())) {
        throw new UserError(
          `${baseName(path)} was not created. If a file of that name exists now, generate the cube again to use another name.`,
        );
      }
      await show();
      return true;
    },
    close: () => undefined,
  };
}

function documentOf({ name, relation, path, text }: NewCubeFile): ReviewDocument {
  const size = new TextEncoder().encode(text).length;
  return oneFileDocument({
    title: `Generate Cube ${name}`,
    from: relation,
    to: dirName(path) || '.',
    action: { label: `Create ${baseName(path)}`, whyNot: '' },
    group: { id: 'files', label: 'New file' },
    row: { id: path, path, kind: 'add', size },
  });
}
