import openapiTypeScript, { astToString, type OpenAPI3, type OpenAPITSOptions } from 'openapi-typescript';
import ts from 'typescript';
import type { JsonObject } from './document.ts';
import { marks, prepareDocument } from './prepare-document.ts';

/** `paths`, `operations` and `components` of the document as TypeScript, not yet formatted. */
export async function generateOpenApiTypes(document: JsonObject): Promise<string> {
  const prepared = prepareDocument(document);
  // The generator's own type of a document is narrower than JSON; it checks the value itself.
  const nodes = await openapiTypeScript(prepared as unknown as OpenAPI3, {
    // A field with a default may be left out of a request.
    defaultNonNullable: false,
    emptyObjectsUnknown: true,
    silent: true,
    transform: typeOfMark,
  });
  const types = astToString(nodes);
  const imports = ['BinaryInput', 'BinaryOutput'].filter((name) => new RegExp(`\\b${name}\\b`).test(types));
  const statement =
    imports.length > 0 ? `import type { ${imports.join(', ')} } from '../binary.ts';\n\n` : '';
  return statement + types;
}

const typeOfMark: NonNullable<OpenAPITSOptions['transform']> = (schema) => {
  const marked = new Map<string, unknown>(Object.entries(schema));
  if (marked.get(marks.never)) return ts.factory.createKeywordTypeNode(ts.SyntaxKind.NeverKeyword);
  if (marked.get(marks.open)) return anyString();
  const binary = marked.get(marks.binary) ?? (marked.get('format') === 'binary' || undefined);
  if (binary !== undefined)
    return ts.factory.createTypeReferenceNode(binary === 'received' ? 'BinaryOutput' : 'BinaryInput');
  return undefined;
};

/** `(string & {})`: any string, without swallowing the literals beside it that an editor offers. */
function anyString(): ts.TypeNode {
  const string = ts.factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword);
  const empty = ts.factory.createTypeLiteralNode([]);
  return ts.factory.createParenthesizedType(ts.factory.createIntersectionTypeNode([string, empty]));
}
