import type { Explanation } from '../problem/explanation.ts';

/** What a browser may record as, the best decodable first. */
const types = ['audio/webm;codecs=opus', 'audio/ogg;codecs=opus', 'audio/mp4', ''];

/** A recording that is being made. */
export interface MicrophoneRecording {
  /** Ends it. @returns what was recorded */
  stop(): Promise<File>;
}

/**
 * Begins to record. Rejects with the errors of `getUserMedia`, which {@link explainMicrophone} explains.
 *
 * @param ended told when the microphone goes away by itself
 */
export async function startRecording(ended: () => void): Promise<MicrophoneRecording> {
  const stream = await navigator.mediaDevices.getUserMedia({
    // What is best to read is what was said, not what was made of it for a call.
    audio: { echoCancellation: false, noiseSuppression: false, autoGainControl: false },
  });
  const mimeType = types.find((type) => type === '' || MediaRecorder.isTypeSupported(type)) ?? '';
  const recorder = new MediaRecorder(stream, mimeType === '' ? {} : { mimeType });
  const pieces: Blob[] = [];
  const stopped = new Promise<void>((resolve) => {
    recorder.addEventListener('stop', () => resolve());
  });
  recorder.addEventListener('dataavailable', ({ data }) => pieces.push(data));
  for (const track of stream.getTracks()) track.addEventListener('ended', ended);
  recorder.start(1000);
  return {
    async stop() {
      if (recorder.state !== 'inactive') recorder.stop();
      await stopped;
      for (const track of stream.getTracks()) track.stop();
      const [type = 'audio/webm'] = recorder.mimeType.split(';');
      return new File(pieces, `recording.${type.split('/')[1] ?? 'webm'}`, { type });
    },
  };
}

/** Why there is no recording. */
export function explainMicrophone(error: unknown): Explanation {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  if (navigator.mediaDevices === undefined) {
    return {
      title: 'This page may not record',
      advice: 'Browsers let pages record over https and from this machine (http://127.0.0.1) alone.',
    };
  }
  if (name === 'NotAllowedError') {
    return {
      title: 'The microphone is not allowed',
      advice: 'Allow it in the settings of this site, at the left of the address, then press Record again.',
      detail: message,
    };
  }
  if (name === 'NotFoundError') {
    return {
      title: 'There is no microphone',
      advice: 'Plug one in and press Record again, or choose a file.',
      detail: message,
    };
  }
  return {
    title: 'The microphone cannot be used',
    advice: 'Another program may be holding it. Close that, then press Record again.',
    detail: message,
  };
}
