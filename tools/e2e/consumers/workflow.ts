import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { type Consumer, key, namedPackages, type Step } from './consumer.ts';

const path = new URL('../../../.github/workflows/contract.yml', import.meta.url);
const workflow = parse(readFileSync(path, 'utf8')) as {
  readonly on: {
    readonly workflow_call: { readonly inputs: { readonly version: { readonly default: string } } };
  };
  readonly jobs: {
    readonly judge: { readonly steps: readonly { readonly name?: string; readonly run?: string }[] };
  };
};

const scriptOf = (name: string): string =>
  workflow.jobs.judge.steps.find((step) => step.name === name)?.run ?? `exit 99 # no step ${name}`;

/** The script as the hosted runner starts it, with the files that it leaves. */
const play = `bash -eo pipefail judge.sh
echo "judged with $?"
cat summary.md
ls contract-report
if grep -rl "$SPEECH_API_KEY" .; then echo 'the key is in a file'; fi`;

/** Runs the workflow in an empty folder that knows only the registry address from its input. */
function judged(target: string, ...prints: readonly (string | RegExp)[]): Step {
  return {
    command: ['bash', '-c', play],
    alone: ['judge.sh'],
    environment: {
      GITHUB_STEP_SUMMARY: 'summary.md',
      SPEECH_API_KEY: key,
      VERSION: workflow.on.workflow_call.inputs.version.default,
      REGISTRY: '{registry}',
      TARGET: target,
      LIVE: '',
      OPTIONS: '--only wallet-own --timeout 120',
    },
    prints: [...prints, 'junit.xml\nreport.json\nsummary.txt'],
    printsNo: /the key is in a file/,
  };
}

export const reusableWorkflow: Consumer = {
  id: 'workflow',
  promise: 'the reusable workflow takes the judge from the registry: exit codes, reports and summary',
  install: ({ packages }) => ({ packages: packages.filter(namedPackages('mock')) }),
  files: () => ({ 'judge.sh': scriptOf('Judge it') }),
  steps: ({ url }) => [
    {
      command: ['speech-mock', '--port', '0', '--fault', 'GET /wallet/self/package status=500'],
      serves: { as: 'faulty', answers: '/model' },
    },
    judged(url, 'judged with 0', /^## Speech contract\n\n( {4}.*\n)+junit/m),
    judged('{faulty}', 'judged with 1', /^## Speech contract\n\n {4}Errors \(\d+\)/m),
  ],
};
