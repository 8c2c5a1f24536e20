/** A version is a small number; its bytes and hash follow from it. 0 is the empty file that a crash leaves. */
export type Version = number;

export const TORN: Version = 0;

export const bytesOf = (version: Version): Uint8Array =>
  version === TORN ? new Uint8Array(0) : new Uint8Array([version >> 8, version & 255]);

export const versionOfBytes = (bytes: Uint8Array): Version => ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0);

export const hashOfVersion = (version: Version): string => `h${version}`;

export const versionOfHash = (hash: string): Version => Number(hash.slice(1));

export const sizeOfVersion = (version: Version): number => (version === TORN ? 0 : 2);
