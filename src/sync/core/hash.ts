/** SHA-1 of a file's raw bytes, 40 lower-case hex digits: what the platform's `file-hashes` answers. */
export type Hash = string;
