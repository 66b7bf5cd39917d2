// # A level meter and a recording of what is played
// The player's `output` is a node of your audio graph: here an analyser, which goes to the listener and to a recorder.
import { openPlayer } from '@speech-api/audio/player';

/** Plays speech, shows its level in a `<meter>` (0 to 1), and returns what was played as a file. */
export async function playAndRecord(
  speech: AsyncIterable<Uint8Array>,
  meter: HTMLMeterElement,
): Promise<Blob> {
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  const recording = context.createMediaStreamDestination();
  analyser.connect(context.destination);
  analyser.connect(recording);
  const player = openPlayer('mp3', { output: analyser });
  const recorder = new MediaRecorder(recording.stream);
  const parts: Blob[] = [];
  recorder.ondataavailable = ({ data }) => parts.push(data);
  recorder.start();
  const samples = new Float32Array(analyser.fftSize);
  const timer = setInterval(() => {
    analyser.getFloatTimeDomainData(samples);
    meter.value = Math.max(...samples.map(Math.abs));
  }, 50);
  await player.play(speech);
  await player.drained;
  clearInterval(timer);
  await new Promise((resolve) => {
    recorder.onstop = resolve;
    recorder.stop();
  });
  await player.close();
  await context.close();
  return new Blob(parts, { type: recorder.mimeType });
}
