// What unit tests get for `vscode`. It is not the stand-in itself: a test that mocks `vscode` makes its own of that one.
export * from './fake-vscode.ts';
