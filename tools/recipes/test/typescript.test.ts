import { test } from 'vitest';
import { findSamples } from './sample-files.ts';
import { useSandbox } from './sample-run.ts';

const runSample = useSandbox();

test.each(findSamples('typescript.ts'))('$name runs', (sample) => runSample(sample, process.execPath));
