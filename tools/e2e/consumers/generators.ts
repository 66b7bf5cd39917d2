import { readFileSync } from 'node:fs';
import { type Consumer, key, namedPackages, type Step } from './consumer.ts';

/** A tool that writes a client from one of our documents: three lines for the shell, and a program that uses the client. */
interface Tool {
  readonly generate: string;
  readonly compile?: string;
  readonly call: string;
  readonly program?: string;
}

const tsc =
  'tsc --noEmit --strict --skipLibCheck --allowImportingTsExtensions --types node --target es2023 --module esnext' +
  ' --moduleResolution bundler --lib es2023,dom,dom.iterable,dom.asynciterable';

/** The tools by the file of their program. Each program prints how many voices there are, and the bytes of a sentence. */
const tools: Readonly<Record<string, Tool>> = {
  'openapi-typescript.ts': {
    generate: 'openapi-typescript openapi.json -o paths.ts --default-non-nullable=false',
    compile: `${tsc} openapi-typescript.ts`,
    call: 'node openapi-typescript.ts',
    program: `
      import createClient from 'openapi-fetch';
      import type { paths } from './paths.ts';
      const { SPEECH_BASE_URL: baseUrl, SPEECH_API_KEY: key } = process.env;
      const client = createClient<paths>({ baseUrl, headers: { authorization: 'Bearer ' + key } });
      const list = await client.GET('/model');
      const speech = await client.POST('/v1/tts', {
        params: { header: { model: 's2-pro' } },
        body: { text: 'Hello.' },
        parseAs: 'arrayBuffer',
      });
      console.log(list.data?.total, speech.data?.byteLength);`,
  },
  'hey-api.ts': {
    generate: 'openapi-ts -i openapi-3.1.json -o hey-api',
    compile: `${tsc} hey-api.ts && esbuild hey-api.ts --bundle --platform=node --format=esm --outfile=hey-api.mjs`,
    call: 'node hey-api.mjs',
    program: `
      import { createClient } from './hey-api/client/index.ts';
      import { listModels, streamSpeechWithTimestamps } from './hey-api/index.ts';
      const client = createClient({ baseUrl: process.env.SPEECH_BASE_URL, auth: process.env.SPEECH_API_KEY });
      const list = await listModels({ client });
      const { stream } = await streamSpeechWithTimestamps({
        client,
        headers: { model: 's2-pro' },
        body: { text: 'Hello.' },
        sseMaxRetryAttempts: 1,
      });
      let bytes = 0;
      for await (const event of stream) bytes += atob(event.audio_base64).length;
      console.log(list.data?.total, bytes);`,
  },
  'redocly.ts': {
    generate: 'redocly generate-client openapi-3.1.json -o client.ts',
    compile: `${tsc} redocly.ts`,
    call: 'node redocly.ts',
    program: `
      import { configure, listModels, streamSpeechWithTimestamps } from './client.ts';
      configure({ serverUrl: process.env.SPEECH_BASE_URL, auth: { bearer: process.env.SPEECH_API_KEY ?? '' } });
      const { total } = await listModels();
      const stream = streamSpeechWithTimestamps(
        { body: { text: 'Hello.' }, headers: { model: 's2-pro' } },
        { reconnect: false },
      );
      let bytes = 0;
      for await (const { data } of stream) bytes += atob(data.audio_base64).length;
      console.log(total, bytes);`,
  },
  'postman.json': {
    generate: 'openapi2postmanv2 -s openapi.json -o collection.json -O parametersResolution=Example',
    call: `newman run collection.json --folder 'Turn text into audio' --env-var baseUrl=$SPEECH_BASE_URL \\
      --env-var bearerToken=$SPEECH_API_KEY --reporters json --reporter-json-export run.json
      node -p "const { response } = JSON.parse(fs.readFileSync('run.json')).run.executions[0]; response.code + ' ' + response.stream.data.length"`,
  },
  'python.py': {
    generate: `python3 -m venv venv && venv/bin/pip install -q openapi-python-client==0.29.1 &&
      venv/bin/openapi-python-client generate --path openapi-3.1.json --meta none --output-path generated`,
    compile: 'venv/bin/python -m compileall -q generated',
    call: 'venv/bin/python python.py',
    program: `
import os
from generated import AuthenticatedClient
from generated.api.speech import create_speech
from generated.api.voice_models import list_models
from generated.models import SingleSpeaker

client = AuthenticatedClient(base_url=os.environ["SPEECH_BASE_URL"], token=os.environ["SPEECH_API_KEY"])
speech = create_speech.sync_detailed(client=client, body=SingleSpeaker(text="Hello."), model="s2-pro")
print(list_models.sync(client=client).total, len(speech.content))`,
  },
  'main.go': {
    generate: `go mod init generated.test/client &&
      go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 \\
        -package main -generate types,client -o client.go openapi-3.1.json && go mod tidy`,
    compile: 'go build -o caller .',
    call: './caller',
    program: `
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	key := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("SPEECH_API_KEY"))
		return nil
	}
	client := must(NewClientWithResponses(os.Getenv("SPEECH_BASE_URL"), WithRequestEditorFn(key)))
	list := must(client.ListModelsWithResponse(context.Background(), &ListModelsParams{}))
	var body SynthesisRequest
	var model ModelHeader
	must(0, body.FromSingleSpeakerRequest(SingleSpeakerRequest{Text: "Hello."}))
	must(0, model.FromSynthesisModel1("s2-pro"))
	speech := must(client.CreateSpeechWithResponse(context.Background(), &CreateSpeechParams{Model: model}, body))
	fmt.Println(list.JSON200.Total, len(speech.Body))
}`,
  },
};

const documentText = (name: string): string =>
  readFileSync(new URL(`../../../spec/dist/${name}`, import.meta.url), 'utf8');

export const generators: Consumer = {
  id: 'generators',
  promise:
    'clients in TypeScript, Python and Go, and a collection of Postman, are generated, compiled and called',
  install: ({ packages }) => ({
    packages: packages.filter(namedPackages('mock')),
    others: {
      '@hey-api/openapi-ts': '0.99.0',
      '@redocly/cli': '2.77.0',
      '@types/node': '^24.0.0',
      esbuild: '^0.28.0',
      newman: '^6.0.0',
      'openapi-fetch': '^0.17.0',
      'openapi-to-postmanv2': '6.3.3',
      'openapi-typescript': '7.13.0',
      typescript: '^5.9.0',
    },
  }),
  files: () => ({
    'openapi.json': documentText('openapi.json'),
    'openapi-3.1.json': documentText('openapi-3.1.json'),
    ...Object.fromEntries(Object.entries(tools).map(([file, { program = '' }]) => [file, program])),
  }),
  steps: () => [
    { command: ['speech-mock', '--port', '0'], serves: { as: 'mock', answers: '/model' } },
    ...Object.values(tools).flatMap(({ generate, compile, call }): readonly Step[] => [
      { command: ['bash', '-ec', compile === undefined ? generate : `${generate}\n${compile}`] },
      {
        command: ['bash', '-ec', call],
        environment: { SPEECH_BASE_URL: '{mock}', SPEECH_API_KEY: key },
        prints: [/^(1|200) [1-9]\d{2,}$/m],
      },
    ]),
  ],
};
