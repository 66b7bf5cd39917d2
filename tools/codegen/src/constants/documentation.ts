import type { SpecDocument } from '../document.ts';
import type { Constant } from '../typescript-module.ts';

/** Where the project explains itself. */
export function documentationConstants(document: SpecDocument): Constant[] {
  return [
    {
      name: 'documentationUrl',
      comment: 'The published site of this project, without a slash at its end; errors lead to places on it.',
      value: document.stringAt('/externalDocs/url').replace(/\/$/, ''),
    },
  ];
}
