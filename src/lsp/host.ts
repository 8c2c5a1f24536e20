/** What the server needs of the world; the Node entry reads disks, the browser entry asks the client. */
export interface LanguageHost {
  /** The URIs of all model files below a root (hidden and dependency folders left out). */
  listFiles(root: string): Promise<readonly string[]>;
  /** The text of a file, or undefined when it is gone or cannot be read. */
  readFile(uri: string): Promise<string | undefined>;
  /** Lets messages in: resolves in a later turn of the event loop. */
  yield(): Promise<void>;
  /** Milliseconds, monotonic. */
  now(): number;
}
