/** The platform's names for the states of a build. */
const platformPhases = ['built', 'building', 'warmup', 'failed', 'cancelled', 'stopped', 'none'] as const;

/**
 * The platform's states, and two that only the client uses. `inactive`: nothing is built for the branch. `unknown`: a state of a
 * newer platform.
 */
export const buildPhases = [...platformPhases, 'inactive', 'unknown'] as const;
export type BuildPhase = (typeof buildPhases)[number];

/** The last known build state of a branch. */
export interface BuildState {
  readonly phase: BuildPhase;
  /** The platform’s own name for a state that we do not know. */
  readonly unknownStatus?: string | undefined;
  readonly errorText: string | undefined;
  /** When the state was read, in milliseconds since the epoch. */
  readonly at: number;
}

const phases: ReadonlySet<string> = new Set(platformPhases);

/**
 * Parses a build status. For an inactive or unknown branch the platform returns `building` with an error text; the client must
 * then stop polling.
 */
export function buildState(
  answer: { readonly status: string; readonly errorText?: string | null | undefined },
  now: number,
): BuildState {
  const errorText = answer.errorText ?? undefined;
  if (errorText !== undefined && /^(branch is not active|bad branch)\b/i.test(errorText.trim())) {
    return { phase: 'inactive', errorText, at: now };
  }
  const phase = phases.has(answer.status) ? (answer.status as BuildPhase) : 'unknown';
  const unknownStatus =
    phase === 'unknown' && answer.status.trim() !== '' ? answer.status.trim().slice(0, 60) : undefined;
  const text = errorText === '' ? undefined : errorText;
  return { phase, errorText: text, at: now, ...(unknownStatus === undefined ? {} : { unknownStatus }) };
}

/** Whether the build is still in progress, so that polling makes sense. */
export function isBuilding(state: BuildState): boolean {
  return state.phase === 'building' || state.phase === 'warmup';
}

interface BuildAppearance {
  readonly icon: string;
  readonly color?: string;
  readonly label: string;
}

const appearances: Readonly<Record<BuildPhase, BuildAppearance>> = {
  built: { icon: 'pass', color: 'testing.iconPassed', label: 'built' },
  building: { icon: 'loading~spin', label: 'building' },
  warmup: { icon: 'loading~spin', label: 'warming up' },
  failed: { icon: 'error', color: 'testing.iconFailed', label: 'build failed' },
  cancelled: { icon: 'circle-slash', label: 'build cancelled' },
  stopped: { icon: 'debug-stop', label: 'build stopped' },
  none: { icon: 'circle-outline', label: 'not built' },
  inactive: { icon: 'circle-outline', label: 'not active' },
  unknown: { icon: 'question', label: 'build state unknown' },
};

/** Returns the icon and text of a build state, the same everywhere. An unknown state is shown under its own name. */
export function buildAppearance({
  phase,
  unknownStatus,
}: Pick<BuildState, 'phase' | 'unknownStatus'>): BuildAppearance {
  return unknownStatus === undefined ? appearances[phase] : { ...appearances[phase], label: unknownStatus };
}
