import { afterAll } from 'vitest';
import * as vscode from './fake-vscode.ts';
import { putBack } from './put-back.ts';

// Runs in each test file. What it puts into the stand-in for VS Code, which all files of a worker share, is gone after it.
afterAll(putBack(vscode));
