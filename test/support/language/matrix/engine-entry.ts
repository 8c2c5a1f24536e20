import * as validation from '@cubejs-backend/schema-compiler/dist/src/compiler/CubeValidator.js';
import Joi from 'joi';

import { rememberTranspiled } from './remember-transpiled.ts';

export { compile } from '#language-server/engine/realm/compile.ts';

rememberTranspiled();

interface Validated {
  readonly prototype: {
    validate(cube: object, reporter: object): unknown;
    validateViewGroup(group: object, reporter: object): unknown;
  };
}

/** Returns the descriptions of the engine's own schemas by its validator: for cubes, views, and groups of views. */
export function describeSchemas(): readonly unknown[] {
  const { prototype } = (validation as unknown as { readonly CubeValidator: Validated }).CubeValidator;
  const reporter = { inContext: () => reporter, error: () => undefined };
  const used: Joi.Schema[] = [];
  const base = prototypeOf(Joi.object());
  const validate: (this: Joi.Schema, ...rest: Parameters<Joi.Schema['validate']>) => Joi.ValidationResult = Reflect.get(
    base,
    'validate',
  );
  base.validate = function describing(this: Joi.Schema, ...rest: Parameters<Joi.Schema['validate']>) {
    used.push(this);
    return validate.apply(this, rest);
  } as Joi.Schema['validate'];
  const self = {
    cubeSymbols: {},
    validCubes: new Map(),
    validateGranularitySql: () => true,
    validateUniqueLeafCubes: () => undefined,
  };
  try {
    prototype.validate.call(self, { name: 'a' }, reporter);
    prototype.validate.call(self, { name: 'a', isView: true }, reporter);
    prototype.validateViewGroup.call(self, { name: 'a' }, reporter);
  } finally {
    base.validate = validate;
  }
  return used.map((schema) => schema.describe());
}

/** Returns the object from which all schemas of one type inherit `validate`. */
function prototypeOf(schema: Joi.Schema): Joi.Schema {
  let at: object = schema;
  while (!Object.hasOwn(at, 'validate')) at = Object.getPrototypeOf(at) as object;
  return at as Joi.Schema;
}
