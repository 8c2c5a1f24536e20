import { deploymentKey, type DeploymentTarget } from '#shell/targets.ts';
import { deploymentOnly, type Session } from './session.ts';

/** A deployment that this window works on. */
export interface LinkedDeployment {
  readonly target: DeploymentTarget;
  /** The names of the folders that are linked to it. */
  readonly folders: readonly string[];
}

/** Returns the deployments that folders of this window are linked to, the shown one first. */
export function linkedDeployments(
  session: Pick<Session, 'active' | 'links' | 'targetOf'>,
): readonly LinkedDeployment[] {
  const found = new Map<string, { readonly target: DeploymentTarget; readonly folders: string[] }>();
  for (const folder of session.links.value) {
    const target = session.targetOf(folder);
    if (!target) continue;
    const known = found.get(deploymentKey(target));
    if (known) known.folders.push(folder.name);
    else found.set(deploymentKey(target), { target: deploymentOnly(target), folders: [folder.name] });
  }
  const shown = session.active.value && found.get(deploymentKey(session.active.value));
  return shown ? [shown, ...[...found.values()].filter((other) => other !== shown)] : [...found.values()];
}
