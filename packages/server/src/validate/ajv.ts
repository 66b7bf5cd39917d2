import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenApiDocument, Schema } from '../spec/document.ts';
import { base64Problem } from './binary.ts';

/** Compiles schemas of one document. */
export interface SchemaCompiler {
  /** A schema that stands somewhere in the document, or is made of pieces of it. */
  compile(schema: Schema): CompiledSchema;
}

/**
 * What a compiled schema says of a value.
 *
 * @param form `json` when binary fields are base64 text, `raw` when bytes have been taken out before
 */
export type CompiledSchema = (value: unknown, form: 'json' | 'raw') => SchemaVerdict;

export interface SchemaVerdict {
  readonly errors: readonly ErrorObject[];
  /** JSON pointers of the values that the schema takes for binary. */
  readonly binaries: ReadonlySet<string>;
}

const documentId = 'speech:document';

/**
 * Makes a compiler. One Ajv a document: each schema is compiled on first use, and those it refers to only once.
 *
 * The keyword `x-binary` notes where bytes belong and, for JSON, checks that they are base64.
 */
export function createSchemaCompiler(document: OpenApiDocument): SchemaCompiler {
  let form: 'json' | 'raw' = 'json';
  let binaries = new Set<string>();

  // The document's own annotations (`x-`, `example`) are no keywords of JSON Schema; its lint has judged them.
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    strictNumbers: true,
    verbose: true,
    validateSchema: false,
  });
  addFormats.default(ajv);
  ajv.addFormat('binary', true);
  const checkBinary = Object.assign(
    (
      isBinary: boolean,
      data: unknown,
      _schema: unknown,
      place?: { readonly instancePath: string },
    ): boolean => {
      checkBinary.errors = [];
      if (!isBinary || typeof data !== 'string') return true;
      binaries.add(place?.instancePath ?? '');
      const reason = form === 'json' ? base64Problem(data) : data === '' ? 'must not be empty' : undefined;
      if (reason === undefined) return true;
      checkBinary.errors = [{ keyword: 'x-binary', message: reason, params: { reason } }];
      return false;
    },
    { errors: [] as Partial<ErrorObject>[] },
  );
  ajv.addKeyword({ keyword: 'x-binary', validate: checkBinary, errors: 'full' });
  ajv.addSchema({ components: absolute(document.components) }, documentId);

  return {
    compile(schema) {
      const validate: ValidateFunction = ajv.compile(absolute(schema) as Schema);
      return (value, valueForm) => {
        form = valueForm;
        binaries = new Set();
        validate(value);
        return { errors: validate.errors ?? [], binaries };
      };
    },
  };
}

/** A copy in which `#/...` points into the registered document, wherever the copy is compiled. */
function absolute(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(absolute);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, child]) =>
      name === '$ref' && typeof child === 'string' && child.startsWith('#/')
        ? [name, `${documentId}${child}`]
        : [name, absolute(child)],
    ),
  );
}
