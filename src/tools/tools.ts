import { branches } from './branches.ts';
import { builds } from './builds.ts';
import { check } from './check.ts';
import { commit } from './commit.ts';
import { deploy } from './deploy.ts';
import { diff } from './diff.ts';
import { graph } from './graph.ts';
import { impact } from './impact.ts';
import { logs } from './logs.ts';
import { merge } from './merge.ts';
import { plan } from './plan.ts';
import { query } from './query.ts';
import { read } from './read.ts';
import { resolve } from './resolve.ts';
import { restore } from './restore.ts';
import { search } from './search.ts';
import { sql } from './sql.ts';
import { status } from './status.ts';
import { test } from './test.ts';
import type { Tool } from './tool.ts';
import { pull, push } from './transfer.ts';
import { undo } from './undo.ts';
import { validate } from './validate.ts';
import { write } from './write.ts';

/** Every tool, in the order in which help texts list them. */
export const tools: readonly Tool[] = [
  check,
  search,
  read,
  graph,
  diff,
  impact,
  status,
  branches,
  builds,
  validate,
  query,
  sql,
  test,
  logs,
  write,
  undo,
  restore,
  plan,
  push,
  pull,
  resolve,
  commit,
  merge,
  deploy,
];
