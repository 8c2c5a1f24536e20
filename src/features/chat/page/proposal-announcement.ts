import type { ViewProposal } from '#features/chat/messages.ts';

type Files = readonly ViewProposal[];
type Known = ReadonlyMap<string, ViewProposal>;

/** Returns what changed of proposed files, for screen readers: what was decided, and what the engine found; empty if nothing did. */
export function proposalAnnouncement(before: Files, now: Files): string {
  const known = new Map(before.map((file) => [file.path, file]));
  return [decisionIn(known, now), verdictIn(known, now)].filter((news) => news !== '').join('. ');
}

function decisionIn(before: Known, files: Files): string {
  const changed = files.filter(({ path, state }) => (before.get(path)?.state ?? state) !== state);
  const [first] = changed;
  if (!first) return '';
  return `${changed.length === 1 ? first.path : `${changed.length} files`} ${WORDS[first.state]}`;
}

/** Returns the engine’s verdict on what was being checked; a refusal goes before everything else. */
function verdictIn(before: Known, files: Files): string {
  const wasChecking = (path: string): boolean => before.get(path)?.engine?.state === 'checking';
  const checked = files.filter(({ path, engine }) => engine && engine.state !== 'checking' && wasChecking(path));
  return (checked.find(({ engine }) => engine?.state === 'refused') ?? checked[0])?.engine?.text ?? '';
}

const WORDS = {
  open: 'open again',
  accepted: 'accepted',
  partly: 'partly accepted',
  rejected: 'rejected',
  draft: 'open again',
  refused: 'refused',
} as const;
