import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { type Proxy, proxyOf } from '#api/client/proxy.ts';

/**
 * Returns the proxy that VS Code uses for a request; `undefined`: none. Reads the settings at each call because they may change.
 */
export function usedProxy(target: URL): Proxy | undefined {
  const settings = vscode.workspace.getConfiguration('http');
  if (settings.get<string>('proxySupport') === 'off') return undefined;
  return proxyOf(target, {
    proxy: settings.get<string>('proxy'),
    noProxy: settings.get<readonly string[]>('noProxy'),
    environment: process.env,
  });
}
