import type { Call } from './route.ts';

/** Writes what a caller did to the audit log. */
export function record(
  call: Pick<Call, 'core' | 'caller'>,
  eventName: string,
  data: Readonly<Record<string, unknown>> = {},
  deploymentId?: number,
): void {
  call.core.audit({
    tenantId: call.caller.tenantId,
    eventName,
    userEmail: call.caller.userEmail,
    deploymentId: deploymentId === undefined ? undefined : String(deploymentId),
    data,
  });
}
