import { execFile } from 'node:child_process';

/** What `POST …/python-run` answers. */
export type PythonResult =
  | { readonly status: 'succeeded'; readonly output: unknown }
  | { readonly status: 'failed'; readonly error: string };

/** Ends what hangs: on a machine with thirty times as much to do as cores, Python alone takes ten seconds to start. */
const timeoutMs = 120_000;

/** Runs a report's Python code with its input as JSON on stdin; what it prints is the output, read as JSON where it is. */
export function runPython(code: string, input: unknown): Promise<PythonResult> {
  return new Promise((resolve) => {
    const options = { timeout: timeoutMs, maxBuffer: 10_000_000, env: { PATH: process.env['PATH'] ?? '' } };
    const child = execFile('python3', ['-I', '-c', code], options, (error, stdout, stderr) => {
      if (error === null) resolve({ status: 'succeeded', output: parsed(stdout) });
      else resolve({ status: 'failed', error: reason(error, stderr) });
    });
    // A report that reads no input may end before it is written.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(JSON.stringify(input));
  });
}

function reason(error: Error & { code?: unknown; killed?: boolean }, stderr: string): string {
  if (error.code === 'ENOENT') return 'Python 3 is not installed on this machine.';
  if (error.killed === true) return `The report took longer than ${timeoutMs / 1000} seconds.`;
  return stderr.trim().split('\n').at(-1) ?? error.message;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
