import { expect, test } from 'vitest';
import { fieldViolations } from './field-violations.ts';

test('says at each call why a schema does not compile', () => {
  const document = { components: { schemas: {} } };
  const violations = () => fieldViolations(document, { $ref: '#/components/schemas/Gone' }, 'a value');
  expect(violations).toThrow("can't resolve reference speech:document#/components/schemas/Gone");
  expect(violations).toThrow("can't resolve reference speech:document#/components/schemas/Gone");
});
