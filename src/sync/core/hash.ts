/** SHA-1 of a file's raw bytes as 40 lower-case hex digits, as in the platform's `file-hashes`. */
export type Hash = string;
