/** Whether a file belongs to the proposals of a thread and is deleted with it. */
export function isProposalFile(name: string, thread: string): boolean {
  return ['.', '-'].some((end) => name.startsWith(`${proposalFiles(thread)}${end}`));
}

/** Returns the beginning of the names of the files with the proposals of a thread. */
export function proposalFiles(thread: string): string {
  return `proposal-${thread}`;
}
