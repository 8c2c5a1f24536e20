/** Checks whether the server indicates in one of the usual ways that its list of files continues: what the list lacks may be there. */
export function saysMore(answer: { readonly files: object; readonly [key: string]: unknown }): boolean {
  const { truncated, hasMore, nextCursor, pageInfo, total } = answer;
  if (truncated === true || hasMore === true) return true;
  if (typeof nextCursor === 'string' && nextCursor !== '') return true;
  if (typeof pageInfo === 'object' && pageInfo !== null && 'hasNextPage' in pageInfo && pageInfo.hasNextPage === true) {
    return true;
  }
  return typeof total === 'number' && total > Object.keys(answer.files).length;
}
