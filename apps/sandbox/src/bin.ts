#!/usr/bin/env node
import { startProgram } from '@speech-api/program/node-version';

await startProgram(import.meta.url, () => import('./main.ts'));
