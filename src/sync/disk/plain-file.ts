import { close, fdatasync, fsync, open, write } from 'node:fs';
import { called } from './called.ts';

/** A file that is open for writing. */
export interface WritableFile {
  appendFile(data: string | Uint8Array): Promise<void>;
  sync(): Promise<void>;
  datasync(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a file for writing. */
export async function openPlain(file: string, flags: number, mode?: number): Promise<WritableFile> {
  return new PlainFile(await called((done) => open(file, flags, mode, done)));
}

class PlainFile implements WritableFile {
  readonly #descriptor: number;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  async appendFile(data: string | Uint8Array): Promise<void> {
    const bytes = typeof data === 'string' ? Buffer.from(data) : data;
    // The system may accept fewer bytes than it was given.
    for (let at = 0; at < bytes.length;) at += await this.#write(bytes, at);
  }

  sync(): Promise<void> {
    return called((done) => fsync(this.#descriptor, done));
  }

  datasync(): Promise<void> {
    return called((done) => fdatasync(this.#descriptor, done));
  }

  close(): Promise<void> {
    return called((done) => close(this.#descriptor, done));
  }

  #write(bytes: Uint8Array, from: number): Promise<number> {
    return called((done) => write(this.#descriptor, bytes, from, bytes.length - from, null, done));
  }
}
