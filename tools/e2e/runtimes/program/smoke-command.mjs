// The program for runtimes with a command line: the address comes as the one argument.
import { smoke } from './smoke.mjs';

const process = globalThis.process;
console.log(await smoke(process.argv[2]));
