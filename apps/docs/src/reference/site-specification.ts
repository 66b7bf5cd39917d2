import { describeOperations } from './model/operations.ts';
import { readSpecification } from './model/specification.ts';

/** The specification the site is built from, read once. */
export const specification = await readSpecification();

/** The pages of its operations, in the order of the document. */
export const operations = describeOperations(specification);
