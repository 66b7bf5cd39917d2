import fc from 'fast-check';
import { isObject, type JsonObject, objectAt, openApi, resolve } from '../../specification/document.ts';
import type { CallStep } from '../step.ts';

/** A family of requests that a seed chooses from. */
export interface CaseFamily<Value> {
  /** Kebab-case, the beginning of the scenario's name. */
  readonly name: string;
  readonly about: string;
  readonly arbitrary: fc.Arbitrary<Value>;
  /** The request that a value represents. */
  readonly toStep: (value: Value) => CallStep;
}

/** Returns true if a request is answered wrongly; undefined if it may not be sent any more. */
type IsBroken = (step: CallStep) => Promise<boolean | undefined>;

/** A request chosen by a seed, and the way to a smaller one that is answered wrongly too. */
export interface GeneratedCase {
  readonly step: CallStep;
  /** Tries smaller and smaller requests. @returns the smallest that was answered wrongly, if there is a smaller one */
  readonly makeSmaller: (isBroken: IsBroken) => Promise<CallStep | undefined>;
}

/** The case of a family that a seed chooses: the same seed, the same request. */
export function chooseCase<Value>(family: CaseFamily<Value>, seed: number): GeneratedCase {
  const [value] = fc.sample(family.arbitrary, { seed, numRuns: 1 });
  if (value === undefined) throw new Error(`${family.name} has no values`);
  return {
    step: family.toStep(value),
    async makeSmaller(isBroken) {
      let first = true;
      const property = fc.asyncProperty(family.arbitrary, async (candidate) => {
        // The first is the request that was sent already: a POST is never sent twice.
        if (first) {
          first = false;
          return false;
        }
        return (await isBroken(family.toStep(candidate))) !== true;
      });
      const { counterexample, numShrinks } = await fc.check(property, { seed, numRuns: 1 });
      const smallest = counterexample?.[0];
      return numShrinks === 0 || smallest === null || smallest === undefined
        ? undefined
        : family.toStep(smallest);
    },
  };
}

/** The fields of a request, whatever schemas they are put together from. */
export interface Shape {
  readonly fields: readonly Field[];
  /** Fields beside these are refused. */
  readonly closed: boolean;
}

export interface Field {
  readonly name: string;
  readonly required: boolean;
  readonly schema: JsonObject;
}

/** The fields of a schema of the spec, those of its `allOf` included. */
export function shapeOf(schemaName: string): Shape {
  const document = openApi();
  const schema = resolve(document, objectAt(objectAt(document.components, 'schemas'), schemaName));
  const parts = [schema, ...partsOf(schema)];
  const required = parts.flatMap((part) => (Array.isArray(part.required) ? part.required : []));
  const fields = parts.flatMap((part) =>
    Object.entries(objectAt(part, 'properties')).map(([name, value]) => ({
      name,
      required: required.includes(name),
      schema: resolve(document, value),
    })),
  );
  return {
    fields,
    closed: parts.some((part) => part.additionalProperties === false || part.unevaluatedProperties === false),
  };
}

/** The query parameters of an operation, as fields. */
export function queryOf(path: string, method: string): Shape {
  const document = openApi();
  const operation = objectAt(objectAt(document.paths, path), method);
  const parameters = Array.isArray(operation.parameters) ? operation.parameters : [];
  const fields = parameters.flatMap((parameter): Field[] => {
    const { name, in: place, schema, required } = resolve(document, parameter);
    if (place !== 'query' || typeof name !== 'string') return [];
    return [{ name, required: required === true, schema: resolve(document, schema) }];
  });
  return { fields, closed: false };
}

function partsOf(schema: JsonObject): JsonObject[] {
  if (!Array.isArray(schema.allOf)) return [];
  return schema.allOf.flatMap((part) => {
    const resolved = resolve(openApi(), part);
    return [resolved, ...partsOf(resolved)];
  });
}

/** The types that a schema allows, those of its choices included. */
export function typesOf(schema: JsonObject): readonly string[] {
  const choices = choicesOf(schema);
  const own = [schema.type ?? []].flat().filter((type) => typeof type === 'string');
  return [...own, ...choices.flatMap(typesOf)];
}

/** The entries of `anyOf` and `allOf`. */
export function choicesOf(schema: JsonObject): readonly JsonObject[] {
  return [schema.anyOf, schema.allOf]
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .filter(isObject)
    .map((choice) => resolve(openApi(), choice));
}
