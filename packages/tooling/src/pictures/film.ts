import { writeFileSync } from 'node:fs'
import gifenc from 'gifenc'
import { PNG } from 'pngjs'

/** Number of colours of one frame. The pages are flat with a few glows, so more colours are not needed. */
const COLOURS = 96
const GAP = 8
const BETWEEN = [13, 17, 23, 255] as const

interface Frame {
  readonly at: number
  /** Screenshot of each window, as PNG. */
  readonly windows: readonly Buffer[]
}

/**
 * Screenshots of windows side by side, as a looping GIF. GitHub shows no other kind of animation from a file in a
 * repository.
 */
export class Film {
  private readonly frames: Frame[] = []

  add(windows: readonly Buffer[]): void {
    this.frames.push({ at: performance.now(), windows })
  }

  /** Seconds from the first frame to the last. */
  get seconds(): number {
    const [first, last] = [this.frames[0], this.frames.at(-1)]
    return first === undefined || last === undefined ? 0 : (last.at - first.at) / 1_000
  }

  /**
   * Writes the GIF in real time: each frame is shown until the next frame was taken, and the last frame for `restMs`
   * milliseconds.
   */
  write(file: string, restMs: number): void {
    const gif = gifenc.GIFEncoder()
    this.frames.forEach(({ at, windows }, index) => {
      const { data, width, height } = sideBySide(windows.map((png) => PNG.sync.read(png)))
      const palette = gifenc.quantize(data, COLOURS)
      const delay = (this.frames[index + 1]?.at ?? at + restMs) - at
      gif.writeFrame(gifenc.applyPalette(data, palette), width, height, { palette, delay })
    })
    gif.finish()
    writeFileSync(file, gif.bytes())
  }
}

function sideBySide(windows: readonly PNG[]): PNG {
  const width = windows.reduce((sum, one) => sum + one.width, GAP * (windows.length - 1))
  const height = Math.max(...windows.map((one) => one.height))
  const whole = new PNG({ width, height })
  for (let at = 0; at < whole.data.length; at += 4) whole.data.set(BETWEEN, at)
  let left = 0
  for (const one of windows) {
    PNG.bitblt(one, whole, 0, 0, one.width, one.height, left, 0)
    left += one.width + GAP
  }
  return whole
}
