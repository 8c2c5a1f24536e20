import * as v from 'valibot';

/** The content of `modelbench.json`, as in `media/schema/modelbench.schema.json`, which VS Code uses. */
export const linkSchema = v.looseObject({
  tenant: v.pipe(v.string('"tenant" must be the tenant URL as text.'), v.minLength(1, '"tenant" is empty.')),
  deployment: v.pipe(
    v.union([v.string(), v.number()], '"deployment" must be the deployment id.'),
    v.transform(String),
    v.minLength(1, '"deployment" is empty.'),
  ),
  modelPath: v.optional(v.string('"modelPath" must be a folder inside the linked one, as text.'), 'model'),
});
