import { describe, expect, it } from 'vitest';
import type { Connection } from 'vscode-languageserver';
import { refreshViews } from '#language-server/client/refresh.ts';

describe('what the client shows of open documents', () => {
  it('comes again, as far as the client knows how', () => {
    const asked: string[] = [];
    const sendRequest = (type: { readonly method: string }): Promise<void> => {
      asked.push(type.method);
      return Promise.reject(new Error('The connection is gone.'));
    };
    const connection = { sendRequest } as unknown as Connection;
    refreshViews(connection, undefined);
    refreshViews(connection, { codeLens: { refreshSupport: false } });
    expect(asked).toEqual([]);
    refreshViews(connection, { codeLens: { refreshSupport: true }, semanticTokens: { refreshSupport: true } });
    expect(asked).toEqual(['workspace/codeLens/refresh', 'workspace/semanticTokens/refresh']);
  });
});
