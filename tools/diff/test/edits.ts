import { isObject, type Json, type JsonObject, pointerNames } from '@speech-api/spec/read';
import type { Impact } from '../src/finding.ts';
import type { Snapshot } from '../src/snapshot.ts';

/** One scripted change of the specification, and the expected finding of the gate. */
export interface Edit {
  readonly name: string;
  readonly part: 'openapi' | 'asyncapi' | 'data';
  /** `set` writes a value, `remove` deletes it, `append` adds to a list, `move` moves an item to the front. */
  readonly do: 'set' | 'remove' | 'append' | 'move';
  /** JSON pointer; an entry of a list may be named by its id. */
  readonly pointer: string;
  readonly value?: Json;
  readonly rule: string;
  readonly subject: string;
  readonly impact: Impact;
}

const settings = '/components/schemas/SynthesisSettings/properties';
const formats = '/components/schemas/AudioFormat/x-audio-formats';
const plausible = '/rules/answers/audio-length-plausible/limits';
const failed = '/components/responses/ValidationFailed/content/application~1json/examples';
const streamed = '/paths/~1v1~1tts~1stream~1with-timestamp/post/responses/200/content/text~1event-stream';
const textRule = '{"id":"text-in-english","field":"/text","when":[],"require":[],"effect":"refuse"}';

// Two lines an edit: what is done where (`=` and a value), then the finding. Of the rules of redocly diff there is one
// of each kind, to show that its report is read; the rest of them is its own business.
const breaking = `
remove openapi /paths/~1model~1{id}/delete
  redocly/operation-removed deleteModel
remove openapi ${settings}/temperature
  removed temperature
append openapi /components/schemas/SynthesisSettings/required = "format"
  redocly/required-properties-added SynthesisSettings
remove openapi ${streamed}/itemSchema
  removed streamSpeechWithTimestamps
append openapi /components/schemas/Visibility/enum = "friends"
  redocly/enum-values-added Visibility
set openapi /components/parameters/PageSize/name = "limit"
  redocly/parameter-removed limit
set openapi /components/schemas/VoiceModelList/properties/total/type = "number"
  redocly/schema-type-changed total
set openapi ${settings}/chunk_length/default = 200
  changed-default chunk_length
remove openapi ${settings}/max_new_tokens/default
  changed-default max_new_tokens
set openapi /components/schemas/Transcription/properties/duration/x-unit = "millisecond"
  changed-unit duration
set openapi /components/requestBodies/SynthesisBody/x-limits/bytes/maximum = 1000000
  changed-range SynthesisBody
remove openapi ${formats}/mp3/sampleRates/0
  changed-format AudioFormat
set openapi ${formats}/wav/defaultSampleRate = 24000
  changed-default AudioFormat
remove openapi ${failed}/audioMissing
  removed-example ValidationFailed
remove asyncapi /components/schemas/AudioMessage/properties/audio
  redocly/property-removed audio
set openapi ${settings}/top_p/maximum = 0.5
  redocly/schema-constraint-changed top_p
set data /unknowns/prosody-volume-unit/choice = "A factor."
  changed-unknown prosody-volume-unit
remove data /unknowns/credit-precision
  changed-unknown credit-precision
append data /rules/synthesis = ${textRule}
  changed-synthesis-rule text-in-english
set data /rules/refusals/schema/status = 400
  changed-refusal schema
move data /rules/refusals/credit
  changed-refusal credit
remove data /rules/streams/body-ends-cleanly
  changed-judged-rule body-ends-cleanly
append data /rules/streams = {"id":"quick-first-chunk","kept_by":"service","severity":"error"}
  changed-judged-rule quick-first-chunk
remove data /transcripts/one-chunk
  changed-transcript one-chunk
remove data /tolerances/bracketed-query-arrays
  changed-tolerance bracketed-query-arrays
set data /rules/streams/no-end-marker/severity = "error"
  changed-judged-rule no-end-marker
set data ${plausible}/tolerance_seconds = 1
  changed-judged-rule audio-length-plausible
`;

const compatible = `
set openapi ${settings}/seed = {"description":"Repeats a delivery.","type":"integer","examples":[7]}
  added seed
append openapi /paths/~1model/get/parameters = {"name":"region","in":"query","schema":{"type":"string"}}
  added region
set openapi ${settings}/normalize/type = ["boolean","null"]
  changed-shape normalize
set openapi /paths/~1health = {"get":{"operationId":"getHealth","responses":{"204":{"description":"Well."}}}}
  added /health
set openapi ${settings}/temperature/maximum = 2
  changed-shape temperature
set openapi /components/requestBodies/SynthesisBody/x-limits/bytes/maximum = 100000000
  changed-range SynthesisBody
append openapi /components/schemas/SynthesisModel/anyOf/0/enum = "s3-pro"
  changed-values SynthesisModel
set openapi /components/parameters/ModelHeader/required = false
  changed-shape model
append openapi ${formats}/wav/sampleRates = 48000
  changed-format AudioFormat
set openapi ${failed}/another = {"value":[{"loc":["body"],"type":"missing","msg":"text is required","ctx":"{}"}]}
  added ValidationFailed
set openapi /components/schemas/UpdateModelRequest/additionalProperties = true
  changed-shape UpdateModelRequest
remove data /rules/streams/null-changes-nothing
  changed-judged-rule null-changes-nothing
set asyncapi /components/schemas/FinishMessage/properties/cost = {"type":"number","examples":[1.5]}
  added cost
append data /unknowns = {"id":"colour-of-sound","kind":"addition","choice":"White."}
  changed-unknown colour-of-sound
append data /rules/streams = {"id":"quick-first-chunk","kept_by":"service","severity":"warning"}
  changed-judged-rule quick-first-chunk
append data /rules/answers = {"id":"kind-words","kept_by":"service","severity":"error","since":"9.9.0"}
  changed-judged-rule kind-words
set data /rules/answers/audio-not-empty/severity = "warning"
  changed-judged-rule audio-not-empty
set data ${plausible}/tolerance_seconds = 30
  changed-judged-rule audio-length-plausible
append data /tolerances = {"id":"capital-formats","accepts":"MP3 for mp3"}
  changed-tolerance capital-formats
`;

const wording = `
set openapi ${settings}/text/description = "The spoken text."
  documentation text
set data /unknowns/prosody-volume-unit/reason = "Measured."
  changed-unknown prosody-volume-unit
`;

function parseEdits(table: string, impact: Impact): Edit[] {
  return table
    .trim()
    .split(/\n(?! )/)
    .map((entry) => {
      const [edit = '', finding = ''] = entry.split('\n  ');
      const [place = '', value] = edit.split(' = ');
      const [deed, part, pointer = ''] = place.split(' ') as [Edit['do'], Edit['part'], string];
      const [rule = '', subject = ''] = finding.split(' ');
      const change = value === undefined ? {} : { value: JSON.parse(value) as Json };
      return { name: edit, do: deed, part, pointer, rule, subject, impact, ...change };
    });
}

/** Edits that break working callers or change the answer to the same call. */
export const breakingEdits: readonly Edit[] = parseEdits(breaking, 'major');
/** Edits that no existing caller notices. */
export const compatibleEdits: readonly Edit[] = [
  ...parseEdits(compatible, 'minor'),
  ...parseEdits(wording, 'patch'),
];

/** A copy of the specification with one change in it. */
export function applyEdit(snapshot: Snapshot, edit: Edit): Snapshot {
  const changed = change(snapshot[edit.part], pointerNames(edit.pointer), edit);
  if (!isObject(changed)) throw new TypeError('A part of the specification is an object.');
  return { ...snapshot, [edit.part]: changed };
}

function change(holder: Json | undefined, [name = '', ...rest]: readonly string[], edit: Edit): Json {
  if (Array.isArray(holder)) {
    const index = holder.findIndex(
      (item, at) => (isObject(item) ? item.id === name : false) || String(at) === name,
    );
    const item: Json | undefined = holder[index];
    if (item === undefined) throw new Error(`${edit.pointer} leads nowhere: there is no ${name}.`);
    if (rest.length > 0) return holder.with(index, change(item, rest, edit));
    const others = holder.toSpliced(index, 1);
    if (edit.do === 'remove') return others;
    return edit.do === 'move' ? [item, ...others] : holder.with(index, edit.value ?? null);
  }
  if (!isObject(holder)) throw new Error(`${edit.pointer} leads nowhere: ${name} would be in no object.`);
  if (rest.length > 0) return { ...holder, [name]: change(holder[name], rest, edit) };
  return replaceMember(holder, name, edit);
}

function replaceMember(
  holder: JsonObject,
  name: string,
  { do: deed, value = null, pointer }: Edit,
): JsonObject {
  const { [name]: old, ...others } = holder;
  if (deed === 'set') return { ...holder, [name]: value };
  if (old === undefined) throw new Error(`${pointer} leads nowhere: there is no ${name}.`);
  if (deed === 'remove') return others;
  if (!Array.isArray(old)) throw new Error(`${pointer} is not a list.`);
  return { ...holder, [name]: [...old, value] };
}
