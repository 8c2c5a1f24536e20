/** The platform's words for the state of a build. */
const platformPhases = ['built', 'building', 'warmup', 'failed', 'cancelled', 'stopped', 'none'] as const;

/** Those, and two that only the client knows. `inactive`: nothing is built for the branch. `unknown`: a word of a newer platform. */
export const buildPhases = [...platformPhases, 'inactive', 'unknown'] as const;
export type BuildPhase = (typeof buildPhases)[number];

/** The build state of one branch as it was last heard of. */
export interface BuildState {
  readonly phase: BuildPhase;
  /** The platform’s own word where it is none that we know. */
  readonly said?: string | undefined;
  readonly errorText: string | undefined;
  /** Milliseconds since the epoch when the platform said so. */
  readonly at: number;
}

const phases: ReadonlySet<string> = new Set(platformPhases);

/** Reads a build status answer; an inactive or unknown branch says `building` with a text that means: stop asking. */
export function buildState(
  answer: { readonly status: string; readonly errorText?: string | null | undefined },
  now: number,
): BuildState {
  const errorText = answer.errorText ?? undefined;
  if (errorText !== undefined && /^(branch is not active|bad branch)\b/i.test(errorText.trim())) {
    return { phase: 'inactive', errorText, at: now };
  }
  const phase = phases.has(answer.status) ? (answer.status as BuildPhase) : 'unknown';
  const said = phase === 'unknown' && answer.status.trim() !== '' ? answer.status.trim().slice(0, 60) : undefined;
  const text = errorText === '' ? undefined : errorText;
  return { phase, errorText: text, at: now, ...(said === undefined ? {} : { said }) };
}

/** Whether the platform is still at it, so that asking again makes sense. */
export function isBuilding(state: BuildState): boolean {
  return state.phase === 'building' || state.phase === 'warmup';
}

interface BuildAppearance {
  readonly icon: string;
  readonly color?: string;
  readonly words: string;
}

const appearances: Readonly<Record<BuildPhase, BuildAppearance>> = {
  built: { icon: 'pass', color: 'testing.iconPassed', words: 'built' },
  building: { icon: 'loading~spin', words: 'building' },
  warmup: { icon: 'loading~spin', words: 'warming up' },
  failed: { icon: 'error', color: 'testing.iconFailed', words: 'build failed' },
  cancelled: { icon: 'circle-slash', words: 'build cancelled' },
  stopped: { icon: 'debug-stop', words: 'build stopped' },
  none: { icon: 'circle-outline', words: 'not built' },
  inactive: { icon: 'circle-outline', words: 'not active' },
  unknown: { icon: 'question', words: 'build state unknown' },
};

/** How a build state is drawn and said, the same everywhere. A word of a newer platform is shown as it is. */
export function buildAppearance({ phase, said }: Pick<BuildState, 'phase' | 'said'>): BuildAppearance {
  return said === undefined ? appearances[phase] : { ...appearances[phase], words: said };
}
