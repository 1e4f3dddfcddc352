import type { Input } from '../../game/physics'

const KEYS: Readonly<Record<string, readonly [number, number]>> = {
  KeyW: [0, -1],
  ArrowUp: [0, -1],
  KeyS: [0, 1],
  ArrowDown: [0, 1],
  KeyA: [-1, 0],
  ArrowLeft: [-1, 0],
  KeyD: [1, 0],
  ArrowRight: [1, 0],
}
const DASH_KEYS = ['Space', 'ShiftLeft', 'ShiftRight']
/** Movement of a finger, in pixels, that steers at full speed. */
const STICK = 56
/** Maximum duration of a tap, in milliseconds. */
const TAP_MS = 180

/** Input of the player: keys, or a finger anywhere on the screen as a stick. A tap or a click dashes. */
export class Controls {
  private readonly down = new Set<string>()
  private finger: { readonly id: number; readonly x: number; readonly y: number; readonly at: number } | undefined
  private stick: readonly [number, number] = [0, 0]
  private dash = false

  constructor(surface: HTMLElement) {
    addEventListener('keydown', (event) => {
      if (event.target instanceof HTMLInputElement) return
      if (DASH_KEYS.includes(event.code) && !event.repeat) this.dash = true
      if (event.code in KEYS) this.down.add(event.code)
      if (document.body.dataset.screen === 'play' && (event.code in KEYS || event.code === 'Space'))
        event.preventDefault()
    })
    addEventListener('keyup', (event) => this.down.delete(event.code))
    // A window without focus gets no event for a released key.
    addEventListener('blur', () => this.down.clear())
    surface.addEventListener('pointerdown', (event) => this.press(event))
    surface.addEventListener('pointermove', (event) => this.move(event))
    for (const end of ['pointerup', 'pointercancel'] as const)
      surface.addEventListener(end, (event) => this.lift(event))
  }

  /** Returns the input for one tick. Each dash is returned once. */
  take(): Input {
    let [x, y] = this.stick
    for (const code of this.down) {
      const [right, under] = KEYS[code] ?? [0, 0]
      x += right
      y += under
    }
    const { dash } = this
    this.dash = false
    return { x: clamp(x), y: clamp(y), dash }
  }

  private press(event: PointerEvent): void {
    if (event.pointerType === 'mouse' || this.finger !== undefined) {
      this.dash = true
      return
    }
    this.finger = { id: event.pointerId, x: event.clientX, y: event.clientY, at: event.timeStamp }
  }

  private move(event: PointerEvent): void {
    const { finger } = this
    if (finger === undefined || finger.id !== event.pointerId) return
    this.stick = [clamp((event.clientX - finger.x) / STICK), clamp((event.clientY - finger.y) / STICK)]
  }

  private lift(event: PointerEvent): void {
    const { finger } = this
    if (finger === undefined || finger.id !== event.pointerId) return
    if (event.timeStamp - finger.at < TAP_MS) this.dash = true
    this.finger = undefined
    this.stick = [0, 0]
  }
}

const clamp = (value: number): number => Math.max(-1, Math.min(1, value))
