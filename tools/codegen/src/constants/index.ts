import type { SpecDocument } from '../document.ts';
import { printConstants } from '../typescript-module.ts';
import { audioConstants } from './audio.ts';
import { documentationConstants } from './documentation.ts';
import { enumConstants } from './enums.ts';
import { limitConstants } from './limits.ts';
import { modelConstants } from './models.ts';
import { requestConstants } from './requests.ts';
import { transportConstants } from './transport.ts';

/** The module of constants: every value is read from the document, none is known here. */
export function generateConstants(document: SpecDocument): string {
  return printConstants([
    ...modelConstants(document),
    ...audioConstants(document),
    ...transportConstants(document),
    ...requestConstants(document),
    ...enumConstants(document),
    ...limitConstants(document),
    ...documentationConstants(document),
  ]);
}
