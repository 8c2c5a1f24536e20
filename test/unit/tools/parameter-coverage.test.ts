import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { operation } from '#api/operation.ts';
import { localisedManifest } from '#support/manifest.ts';
import { contributedTitles } from '../../tools/coverage.ts';
import { contributedSettings, parameterGaps, type ParameterTables } from '../../tools/parameter-coverage.ts';
import type { ParameterPlace } from '../../tools/parameter-places.ts';
import { parameterKey, parametersOf } from '../../tools/parameters.ts';

const manifest = localisedManifest();
const contributed = new Set([...contributedTitles(manifest).keys(), ...contributedSettings(manifest)]);

describe('the parameters of the APIs', () => {
  it('have a place each, and the operations have every documented parameter', () => {
    expect(parameterGaps(contributed)).toEqual([]);
  });
});

const op = operation({
  id: 'setGadget',
  method: 'PUT',
  path: '/gadgets/{id}',
  tag: 'Gadgets',
  summary: 'Set it.',
  answerKind: 'none',
  params: v.strictObject({ id: v.string() }),
  query: v.strictObject({ branch: v.optional(v.string()) }),
  body: v.strictObject({
    parts: v.array(v.strictObject({ name: v.string(), size: v.nullish(v.strictObject({ x: v.number() })) })),
    free: v.record(v.string(), v.unknown()),
  }),
});
const place: ParameterPlace = { by: 'product', how: 'x' };
const complete: ParameterTables = {
  table: [op],
  places: {
    setGadget: {
      'query branch': { by: 'user', at: 'modelbench.push', as: 'branch' },
      'body parts[].name': place,
      'body parts[].size.x': place,
      'body free': place,
    },
  },
  common: { 'path id': place },
  documented: { setGadget: ['path id', 'query branch', 'body parts'] },
};
const commands = new Set(['modelbench.push']);
const gaps = (changes: Partial<ParameterTables>) => parameterGaps(commands, { ...complete, ...changes });
const placed = complete.places['setGadget'] ?? {};

describe('the gate of parameters', () => {
  it('names path, query and body parameters, those inside of others too', () => {
    expect(parametersOf(op).map(parameterKey)).toEqual([
      'path id',
      'query branch',
      'body parts[].name',
      'body parts[].size.x',
      'body free',
    ]);
  });

  it('lets pass what is complete', () => {
    expect(gaps({})).toEqual([]);
  });

  it('stops a parameter without a place', () => {
    const { 'body free': _, ...rest } = placed;
    expect(gaps({ places: { setGadget: rest } })).toEqual(['setGadget: body free has no place']);
    expect(gaps({ common: {} })).toEqual(['setGadget: path id has no place']);
  });

  it('stops a place whose command does not exist', () => {
    expect(parameterGaps(new Set(), complete)).toEqual([
      'setGadget: query branch is placed at modelbench.push, which is not in the manifest',
    ]);
  });

  it('stops a place for a parameter or an operation that does not exist', () => {
    expect(gaps({ places: { setGadget: { ...placed, 'body gone': place } } })).toEqual([
      'setGadget: a place is given for body gone, which is no parameter of it',
    ]);
    expect(gaps({ places: { ...complete.places, gone: { 'body x': place } } }).join()).toContain('gone: a place');
    expect(gaps({ common: { ...complete.common, 'query gone': place } })).toEqual(['query gone is in no operation']);
  });

  it('stops an operation that lacks a documented parameter', () => {
    const documented = { setGadget: ['query colour'], other: ['path id'] };
    expect(gaps({ documented })).toEqual([
      'setGadget: the documented API names query colour, and the operation lacks it',
      'other: the documented API names path id, and the operation lacks it',
    ]);
  });
});
