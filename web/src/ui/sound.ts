// Sounds, synthesised: short wooden knocks and soft tones. There are no files to load.

import { settings } from "../core/settings";

export type Sound = "move" | "capture" | "check" | "end" | "start" | "low" | "wrong" | "right";

let context: AudioContext | null = null;

/** Browsers allow sound only after the person has done something. */
export function unlockSound(): void {
  const unlock = () => {
    context ??= new AudioContext();
    void context.resume();
  };
  addEventListener("pointerdown", unlock, { once: true });
  addEventListener("keydown", unlock, { once: true });
}

function knock(audio: AudioContext, at: number, pitch: number, loudness: number): void {
  const length = 0.09;
  const noise = audio.createBufferSource();
  const buffer = audio.createBuffer(1, Math.ceil(audio.sampleRate * length), audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i++)
    samples[i] = (Math.random() * 2 - 1) * Math.exp(-i / (samples.length * 0.12));
  noise.buffer = buffer;
  const filter = audio.createBiquadFilter();
  filter.type = "bandpass";
  filter.frequency.value = pitch;
  filter.Q.value = 3;
  const gain = audio.createGain();
  gain.gain.value = loudness;
  noise.connect(filter).connect(gain).connect(audio.destination);
  noise.start(at);
}

function tone(audio: AudioContext, at: number, pitch: number, length = 0.25): void {
  const oscillator = audio.createOscillator();
  oscillator.frequency.value = pitch;
  const gain = audio.createGain();
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(0.12, at + 0.015);
  gain.gain.exponentialRampToValueAtTime(0.0005, at + length);
  oscillator.connect(gain).connect(audio.destination);
  oscillator.start(at);
  oscillator.stop(at + length);
}

export function play(sound: Sound): void {
  const audio = context;
  if (audio?.state !== "running" || !settings().sound) return;
  const now = audio.currentTime;
  switch (sound) {
    case "move":
      knock(audio, now, 900, 1.4);
      break;
    case "capture":
      knock(audio, now, 1300, 1.6);
      knock(audio, now + 0.045, 700, 1.4);
      break;
    case "check":
      knock(audio, now, 900, 1.4);
      tone(audio, now + 0.03, 660, 0.22);
      break;
    case "start":
      tone(audio, now, 523);
      break;
    case "end":
      tone(audio, now, 523, 0.4);
      tone(audio, now + 0.14, 392, 0.6);
      break;
    case "low":
      tone(audio, now, 880, 0.12);
      break;
    case "right":
      tone(audio, now, 523);
      tone(audio, now + 0.1, 784, 0.35);
      break;
    case "wrong":
      tone(audio, now, 196, 0.3);
      break;
  }
}

/** The sound that goes with a move in SAN. */
export function soundOf(san: string): Sound {
  if (/[+#]$/.test(san)) return "check";
  return san.includes("x") ? "capture" : "move";
}
