import type { Answer } from '../answer/answer.ts';
import type { Rule } from '../judge/rule.ts';
import type { ExchangeGroup } from '../subjects/exchange-group.ts';
import type { Fields } from '../subjects/fields.ts';
import type { JudgedAudio } from '../subjects/judged-audio.ts';
import type { LiveSession } from '../subjects/live-session.ts';
import type { JudgedModels } from '../subjects/models.ts';
import type { Timestamps } from '../subjects/timestamps.ts';
import type { JudgedTranscription } from '../subjects/transcription.ts';
import { audioIsDeliveredWhileMade } from './answer/audio-is-delivered-while-made.ts';
import { audioIsNotText } from './answer/audio-is-not-text.ts';
import { audioMediaType } from './answer/audio-media-type.ts';
import { bodyComplete } from './answer/body-complete.ts';
import { errorBodyShape } from './answer/error-body-shape.ts';
import { errorBodyStatus } from './answer/error-body-status.ts';
import { errorMediaType } from './answer/error-media-type.ts';
import { headerValues } from './answer/header-values.ts';
import { issuesAreListed } from './answer/issues-are-listed.ts';
import { issuesNameTheirPart } from './answer/issues-name-their-part.ts';
import { keyChecked } from './answer/key-checked.ts';
import { mediaTypeDocumented } from './answer/media-type-documented.ts';
import { refusalExpected } from './answer/refusal-expected.ts';
import { refusalHeaders } from './answer/refusal-headers.ts';
import { refusalShape } from './answer/refusal-shape.ts';
import { refusalStatus } from './answer/refusal-status.ts';
import { serverFault } from './answer/server-fault.ts';
import { statusDocumented } from './answer/status-documented.ts';
import { streamIsChunked } from './answer/stream-is-chunked.ts';
import { streamMediaType } from './answer/stream-media-type.ts';
import { successExpected } from './answer/success-expected.ts';
import { successStatus } from './answer/success-status.ts';
import { traceIsContinued } from './answer/trace-is-continued.ts';
import { workflowCriterion } from './answer/workflow-criterion.ts';
import { audioChannels } from './audio/audio-channels.ts';
import { audioDecodes } from './audio/audio-decodes.ts';
import { audioEndsWhole } from './audio/audio-ends-whole.ts';
import { audioFormat } from './audio/audio-format.ts';
import { audioLengthPlausible } from './audio/audio-length-plausible.ts';
import { audioNotEmpty } from './audio/audio-not-empty.ts';
import { audioNotSilent } from './audio/audio-not-silent.ts';
import { audioRateOfFormat } from './audio/audio-rate-of-format.ts';
import { audioSampleRate } from './audio/audio-sample-rate.ts';
import { audioSampleSize } from './audio/audio-sample-size.ts';
import { mp3Bitrate } from './audio/mp3-bitrate.ts';
import { opusBitrate } from './audio/opus-bitrate.ts';
import { pcmByteOrder } from './audio/pcm-byte-order.ts';
import { wavHeaderSizes } from './audio/wav-header-sizes.ts';
import { answersRepeat } from './exchanges/answers-repeat.ts';
import { audioIsRepeatable } from './exchanges/audio-is-repeatable.ts';
import { createdModelIsKept } from './exchanges/created-model-is-kept.ts';
import { createdModelSpeaks } from './exchanges/created-model-speaks.ts';
import { deletedModelIsGone } from './exchanges/deleted-model-is-gone.ts';
import { encodingsAgree } from './exchanges/encodings-agree.ts';
import { pagesEnd } from './exchanges/pages-end.ts';
import { pagesLeaveNothingOut } from './exchanges/pages-leave-nothing-out.ts';
import { pagesRepeatNothing } from './exchanges/pages-repeat-nothing.ts';
import { traceChangesNothing } from './exchanges/trace-changes-nothing.ts';
import { updateIsKept } from './exchanges/update-is-kept.ts';
import { bodyDecodes } from './fields/body-decodes.ts';
import { dateTimeFormat } from './fields/date-time-format.ts';
import { fieldKnown } from './fields/field-known.ts';
import { fieldPresent } from './fields/field-present.ts';
import { fieldType } from './fields/field-type.ts';
import { listedValues } from './fields/listed-values.ts';
import { liveAudioJoins } from './live/live-audio-joins.ts';
import { liveCloseCode } from './live/live-close-code.ts';
import { liveErrorEnds } from './live/live-error-ends.ts';
import { liveFinishAfterStop } from './live/live-finish-after-stop.ts';
import { liveFinishComes } from './live/live-finish-comes.ts';
import { liveFinishReason } from './live/live-finish-reason.ts';
import { liveFrames } from './live/live-frames.ts';
import { liveKnownMessages } from './live/live-known-messages.ts';
import { liveMessageFields } from './live/live-message-fields.ts';
import { liveStartsWithStart } from './live/live-starts-with-start.ts';
import { liveUpgrade } from './live/live-upgrade.ts';
import { createdAsAsked } from './models/created-as-asked.ts';
import { fastModelIsTrained } from './models/fast-model-is-trained.ts';
import { listCounts } from './models/list-counts.ts';
import { listFilters } from './models/list-filters.ts';
import { listIsDistinct } from './models/list-is-distinct.ts';
import { listOrder } from './models/list-order.ts';
import { listPageSize } from './models/list-page-size.ts';
import { modelCounts } from './models/model-counts.ts';
import { modelIsTheOneAskedFor } from './models/model-is-the-one-asked-for.ts';
import { modelTimes } from './models/model-times.ts';
import { alignmentCoversTheAudio } from './timestamps/alignment-covers-the-audio.ts';
import { bodyEndsCleanly } from './timestamps/body-ends-cleanly.ts';
import { chunkSeqDoesNotDecrease } from './timestamps/chunk-seq-does-not-decrease.ts';
import { chunkSeqHasNoGaps } from './timestamps/chunk-seq-has-no-gaps.ts';
import { chunksJoinToTheAudio } from './timestamps/chunks-join-to-the-audio.ts';
import { contentBelongsToTheChunk } from './timestamps/content-belongs-to-the-chunk.ts';
import { everyEventCarriesAudio } from './timestamps/every-event-carries-audio.ts';
import { noEndMarker } from './timestamps/no-end-marker.ts';
import { offsetBelongsToTheChunk } from './timestamps/offset-belongs-to-the-chunk.ts';
import { offsetDoesNotDecrease } from './timestamps/offset-does-not-decrease.ts';
import { offsetFollowsTheChunks } from './timestamps/offset-follows-the-chunks.ts';
import { onePayloadAnEvent } from './timestamps/one-payload-an-event.ts';
import { onlyDataLines } from './timestamps/only-data-lines.ts';
import { segmentsHaveText } from './timestamps/segments-have-text.ts';
import { segmentsInOrder } from './timestamps/segments-in-order.ts';
import { snapshotCoversTheLastOne } from './timestamps/snapshot-covers-the-last-one.ts';
import { streamHasEvents } from './timestamps/stream-has-events.ts';
import { streamTellsTimes } from './timestamps/stream-tells-times.ts';
import { noSegmentsUnlessAsked } from './transcription/no-segments-unless-asked.ts';
import { timedSegmentsWhenAsked } from './transcription/timed-segments-when-asked.ts';
import { transcriptionDuration } from './transcription/transcription-duration.ts';
import { transcriptionDurationUnit } from './transcription/transcription-duration-unit.ts';
import { transcriptionSegmentsInOrder } from './transcription/transcription-segments-in-order.ts';
import { transcriptionSegmentsInside } from './transcription/transcription-segments-inside.ts';
import { creditIsDecimal } from './wallet/credit-is-decimal.ts';
import { walletIsTheOneAskedFor } from './wallet/wallet-is-the-one-asked-for.ts';
import { walletTimes } from './wallet/wallet-times.ts';

// In the order of the spec; a test compares the two.

export const answerRules: readonly Rule<Answer>[] = [
  successExpected,
  refusalExpected,
  keyChecked,
  successStatus,
  statusDocumented,
  refusalStatus,
  serverFault,
  bodyComplete,
  mediaTypeDocumented,
  audioIsNotText,
  audioMediaType,
  streamMediaType,
  streamIsChunked,
  audioIsDeliveredWhileMade,
  headerValues,
  refusalHeaders,
  traceIsContinued,
  errorBodyShape,
  errorBodyStatus,
  errorMediaType,
  refusalShape,
  issuesNameTheirPart,
  issuesAreListed,
  workflowCriterion,
];

export const fieldsRules: readonly Rule<Fields>[] = [
  bodyDecodes,
  fieldPresent,
  fieldType,
  listedValues,
  dateTimeFormat,
  fieldKnown,
];

export const audioRules: readonly Rule<JudgedAudio>[] = [
  audioFormat,
  audioDecodes,
  audioEndsWhole,
  audioSampleRate,
  audioRateOfFormat,
  audioChannels,
  audioSampleSize,
  pcmByteOrder,
  mp3Bitrate,
  opusBitrate,
  audioNotEmpty,
  audioNotSilent,
  audioLengthPlausible,
  wavHeaderSizes,
];

export const transcriptionRules: readonly Rule<JudgedTranscription>[] = [
  transcriptionDurationUnit,
  transcriptionDuration,
  transcriptionSegmentsInOrder,
  transcriptionSegmentsInside,
  timedSegmentsWhenAsked,
  noSegmentsUnlessAsked,
];

export const modelsRules: readonly Rule<JudgedModels>[] = [
  modelIsTheOneAskedFor,
  modelCounts,
  modelTimes,
  createdAsAsked,
  fastModelIsTrained,
  listPageSize,
  listCounts,
  listIsDistinct,
  listFilters,
  listOrder,
];

export const walletRules: readonly Rule<Answer>[] = [walletIsTheOneAskedFor, creditIsDecimal, walletTimes];

export const timestampsRules: readonly Rule<Timestamps>[] = [
  onePayloadAnEvent,
  everyEventCarriesAudio,
  chunksJoinToTheAudio,
  offsetBelongsToTheChunk,
  bodyEndsCleanly,
  snapshotCoversTheLastOne,
  segmentsInOrder,
  chunkSeqDoesNotDecrease,
  offsetDoesNotDecrease,
  noEndMarker,
  streamHasEvents,
  offsetFollowsTheChunks,
  alignmentCoversTheAudio,
  chunkSeqHasNoGaps,
  contentBelongsToTheChunk,
  streamTellsTimes,
  segmentsHaveText,
  onlyDataLines,
];

export const liveRules: readonly Rule<LiveSession>[] = [
  liveUpgrade,
  liveFrames,
  liveMessageFields,
  liveKnownMessages,
  liveFinishReason,
  liveStartsWithStart,
  liveFinishAfterStop,
  liveFinishComes,
  liveAudioJoins,
  liveErrorEnds,
  liveCloseCode,
];

export const exchangesRules: readonly Rule<ExchangeGroup>[] = [
  encodingsAgree,
  traceChangesNothing,
  audioIsRepeatable,
  answersRepeat,
  pagesRepeatNothing,
  pagesLeaveNothingOut,
  pagesEnd,
  createdModelIsKept,
  createdModelSpeaks,
  updateIsKept,
  deletedModelIsGone,
];
