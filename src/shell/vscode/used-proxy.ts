import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { type Proxy, proxyOf } from '#api/proxy.ts';

/** The proxy that VS Code sends a request through, read at each call because settings change; nothing for a direct one. */
export function usedProxy(target: URL): Proxy | undefined {
  const settings = vscode.workspace.getConfiguration('http');
  if (settings.get<string>('proxySupport') === 'off') return undefined;
  return proxyOf(target, {
    proxy: settings.get<string>('proxy'),
    noProxy: settings.get<readonly string[]>('noProxy'),
    environment: process.env,
  });
}
