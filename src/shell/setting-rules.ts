import type { SettingName, Settings } from './settings.ts';

/** The values of one setting, from the lowest precedence to the highest in VS Code. */
export interface SettingLayers<T> {
  /** From the manifest. */
  readonly default: T;
  /** From the user settings. */
  readonly user?: T | undefined;
  /** From the repository: a `.code-workspace` file, or the `.vscode/settings.json` of a window with one folder. */
  readonly workspace?: T | undefined;
  /** From the repository: the `.vscode/settings.json` of a folder. */
  readonly folder?: T | undefined;
}

/**
 * What a repository may do to a setting. `application`: nothing, its values are ignored. `tighten`: `merge` returns the value
 * with the repository's wish applied where that is stricter; `current` is undefined if only the default applies. `free`: it may
 * choose, because the setting protects nothing.
 */
export type SettingRule<T> =
  | { readonly kind: 'application' | 'free' }
  | { readonly kind: 'tighten'; readonly merge: (current: T | undefined, wish: T, fallback: T) => T | undefined };

/** Every setting with its rule; a setting without one does not compile. */
export const settingRules: { readonly [K in SettingName]: SettingRule<Settings[K]> } = {
  'sync.onSave': { kind: 'tighten', merge: (current, wish) => (wish ? current : false) },
  'sync.useGitignore': { kind: 'tighten', merge: (current, wish) => (wish ? true : current) },
  // A pattern with `!` would upload files that the user ignores.
  'sync.ignore': {
    kind: 'tighten',
    merge: (current, wish, fallback) =>
      union(
        current ?? fallback,
        wish.filter((pattern) => !pattern.trim().startsWith('!')),
      ),
  },
  'sync.refreshSeconds': { kind: 'free' },
  'scm.enabled': { kind: 'free' },
  'protected.branches': { kind: 'tighten', merge: (current, wish, fallback) => union(current ?? fallback, wish) },
  'protected.deployments': { kind: 'tighten', merge: (current, wish, fallback) => union(current ?? fallback, wish) },
  'build.notifyOnFailure': { kind: 'tighten', merge: (current, wish) => (wish ? true : current) },
  'language.severity': { kind: 'tighten', merge: stricterSeverities },
  'language.codeLens': { kind: 'free' },
  'language.lensForUnused': { kind: 'free' },
  'language.inlayHints': { kind: 'free' },
  // Lower is stricter: the engine runs the model.
  'language.engineCheck.run': {
    kind: 'tighten',
    merge: (current, wish, fallback) => lower(engineRuns, current ?? fallback, wish),
  },
  'language.engineCheck.limit': {
    kind: 'tighten',
    merge: (current, wish, fallback) => Math.min(current ?? fallback, wish),
  },
  // Off is stricter: validation sends requests.
  'language.validateOnSave': { kind: 'tighten', merge: (current, wish) => (wish ? current : false) },
  'language.compareWithDeployBranch': { kind: 'tighten', merge: (current, wish) => (wish ? true : current) },
  'documents.openAs': { kind: 'free' },
  'administration.enabled': { kind: 'free' },
  'apiExplorer.enabled': { kind: 'free' },
  'chat.sendWith': { kind: 'free' },
  'chat.fontSize': { kind: 'free' },
  'chat.notifyWhenReady': { kind: 'free' },
  // Less is stricter: the context leaves the machine.
  'chat.context': {
    kind: 'tighten',
    merge: (current, wish, fallback) => (current ?? fallback).filter((kind) => wish.includes(kind)),
  },
  // A repository must not delete the user's threads.
  'chat.keepThreads': { kind: 'application' },
  'chat.url': { kind: 'application' },
  'chat.externalId': { kind: 'application' },
  'chat.internalId': { kind: 'application' },
  'chat.session': { kind: 'application' },
  'chat.serviceTokenHeader': { kind: 'application' },
};

/**
 * Returns the effective value, or `undefined` if only the manifest has one. Ignores values whose type differs from the default's.
 */
export function mergedSetting<K extends SettingName>(
  name: K,
  layers: SettingLayers<Settings[K]>,
): Settings[K] | undefined {
  const rule: SettingRule<Settings[K]> = settingRules[name];
  const usable = (value: Settings[K] | undefined): value is Settings[K] =>
    value !== undefined && isLike(value, layers.default);
  const user = usable(layers.user) ? layers.user : undefined;
  return [layers.workspace, layers.folder].filter(usable).reduce<Settings[K] | undefined>((current, wish) => {
    switch (rule.kind) {
      case 'application':
        return current;
      case 'free':
        return wish;
      case 'tighten':
        return rule.merge(current, wish, layers.default);
      default:
        return rule satisfies never;
    }
  }, user);
}

const engineRuns = ['off', 'onCommand', 'onSave'] as const;
const severities = ['off', 'hint', 'information', 'warning', 'error'] as const;

type Severities = Settings['language.severity'];

/** Keeps the more severe value for each code: a repository may not hide a problem. `fallback` has the default severities. */
function stricterSeverities(
  current: Severities | undefined,
  wish: Severities,
  fallback: Severities,
): Severities | undefined {
  const stricter = Object.entries(wish).filter(([code, severity]) => {
    const now = current?.[code] ?? fallback[code] ?? 'error';
    return severities.indexOf(severity) > severities.indexOf(now);
  });
  return stricter.length === 0 ? current : { ...current, ...Object.fromEntries(stricter) };
}

/** Returns the value that comes first in the order; ignores a wish that is not in it. */
function lower<T>(order: readonly T[], current: T, wish: T): T {
  return order.includes(wish) && order.indexOf(wish) < order.indexOf(current) ? wish : current;
}

function union(current: readonly string[], more: readonly string[]): readonly string[] {
  return [...new Set([...current, ...more])];
}

/** Whether a value has the type of the default; VS Code passes on whatever a settings file contains. */
function isLike(value: unknown, example: unknown): boolean {
  if (Array.isArray(example)) return Array.isArray(value) && value.every((each) => typeof each === 'string');
  if (typeof value === 'number' && !Number.isFinite(value)) return false;
  return typeof value === typeof example && value !== null && !Array.isArray(value);
}
