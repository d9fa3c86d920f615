/** What people hear and feel who look at shelves rather than at a screen. */
let audio: AudioContext | undefined;

function tone(frequency: number, seconds: number): void {
  // A browser allows sound only after somebody touched the page.
  if (!navigator.userActivation?.hasBeenActive) return;
  audio ??= new AudioContext();
  const oscillator = audio.createOscillator();
  const volume = audio.createGain();
  oscillator.frequency.value = frequency;
  volume.gain.value = 0.2;
  oscillator.connect(volume).connect(audio.destination);
  oscillator.start();
  oscillator.stop(audio.currentTime + seconds);
}

function vibrate(pattern: number | number[]): void {
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(pattern);
}

export function right(): void {
  tone(1_200, 0.12);
  vibrate(60);
}

export function wrong(): void {
  tone(220, 0.5);
  vibrate([200, 100, 200]);
}
