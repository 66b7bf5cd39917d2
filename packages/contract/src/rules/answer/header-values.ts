import type { Answer } from '../../answer/answer.ts';
import type { Rule } from '../../judge/rule.ts';
import { type JsonObject, openApi, resolve } from '../../specification/document.ts';
import { fieldViolations } from '../../specification/field-violations.ts';

export const headerValues: Rule<Answer> = {
  id: 'header-values',
  judge: ({ documented, headers }) => {
    const present = [...(documented?.headers ?? [])].filter(([name]) => headers[name] !== undefined);
    // Rules of their own speak about these two.
    const judged = present.filter(([name]) => name !== 'transfer-encoding' && name !== 'connection');
    if (judged.length === 0) return undefined;
    return judged.flatMap(([name, schema]) =>
      fieldViolations(openApi(), schema, readHeader(headers[name] ?? '', schema)).map(({ message }) => ({
        message: `The header ${name} has a wrong value: ${message.replace('The body', 'it')}`,
        where: `header ${name}`,
        actual: headers[name] ?? '',
      })),
    );
  },
};

/** Headers are text; where a number is due, text that is one. */
function readHeader(text: string, schema: JsonObject): unknown {
  const { type } = resolve(openApi(), schema);
  return type === 'integer' && /^-?\d+$/.test(text) ? Number(text) : text.toLowerCase();
}
