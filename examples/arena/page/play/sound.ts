import type { Happening } from '../../game/protocol'

interface Tone {
  readonly from: number
  readonly to: number
  readonly seconds: number
  readonly volume: number
  readonly wave?: OscillatorType
}

const TONES = {
  pick: { from: 880, to: 1_320, seconds: 0.09, volume: 0.05 },
  gold: { from: 1_050, to: 2_100, seconds: 0.22, volume: 0.07, wave: 'triangle' },
  knock: { from: 210, to: 55, seconds: 0.26, volume: 0.2, wave: 'sawtooth' },
  clash: { from: 320, to: 140, seconds: 0.14, volume: 0.12, wave: 'square' },
  dash: { from: 240, to: 620, seconds: 0.12, volume: 0.05, wave: 'triangle' },
  gone: { from: 500, to: 90, seconds: 0.5, volume: 0.1, wave: 'triangle' },
  count: { from: 520, to: 520, seconds: 0.13, volume: 0.09 },
  start: { from: 780, to: 1_040, seconds: 0.4, volume: 0.11 },
  found: { from: 660, to: 990, seconds: 0.35, volume: 0.1 },
  over: { from: 700, to: 230, seconds: 0.7, volume: 0.11, wave: 'triangle' },
} as const satisfies Record<string, Tone>

const KEPT_AS = 'shardfall:muted'

/** Sounds of the game, computed when needed. */
export class Sounds {
  isMuted = read() === 'yes'
  private context: AudioContext | undefined

  constructor() {
    // Browsers let no page play a sound before the user's first touch or key.
    for (const touch of ['pointerdown', 'keydown']) {
      addEventListener(touch, () => this.wake(), { once: true })
    }
  }

  private wake(): void {
    this.context ??= new AudioContext()
    void this.context.resume()
  }

  mute(isMuted: boolean): void {
    this.isMuted = isMuted
    try {
      localStorage.setItem(KEPT_AS, isMuted ? 'yes' : 'no')
    } catch {}
  }

  play(name: keyof typeof TONES, volumeShare = 1): void {
    const { context } = this
    if (context === undefined || this.isMuted || context.state !== 'running') return
    const tone: Tone = TONES[name]
    const [at, oscillator, gain] = [context.currentTime, context.createOscillator(), context.createGain()]
    oscillator.type = tone.wave ?? 'sine'
    oscillator.frequency.setValueAtTime(tone.from, at)
    oscillator.frequency.exponentialRampToValueAtTime(tone.to, at + tone.seconds)
    gain.gain.setValueAtTime(tone.volume * volumeShare, at)
    gain.gain.exponentialRampToValueAtTime(0.0001, at + tone.seconds)
    oscillator.connect(gain).connect(context.destination)
    oscillator.start(at)
    oscillator.stop(at + tone.seconds)
  }

  /** Plays the sound of an event: loud for the player's own events, quiet for others. */
  happened([what, , , n]: Happening, me: number): void {
    const isMine = n === me
    if (!isMine && (what === 'pick' || what === 'dash')) return
    this.play(what, isMine ? 1 : 0.4)
  }
}

function read(): string | null {
  try {
    return localStorage.getItem(KEPT_AS)
  } catch {
    return null
  }
}
