import type { Happening } from '../../game/protocol'
import { lightSprite, ring, type Sprite } from './sprites'

interface Spark {
  x: number
  y: number
  vx: number
  vy: number
  /** Remaining share of the particle's life, from 1 to 0. */
  left: number
  readonly seconds: number
  readonly size: number
  readonly light: Sprite
}

interface Wave {
  readonly x: number
  readonly y: number
  readonly reach: number
  readonly hue: number
  left: number
}

interface Words {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly colour: string
  left: number
}

const MOST = 420

/** Short effects without meaning for the game: sparks, waves, numbers. */
export class Particles {
  /** Strength of the picture's shake, from 1 to 0. */
  shake = 0
  private readonly sparks: Spark[] = []
  private readonly waves: Wave[] = []
  private readonly words: Words[] = []
  private readonly lights = new Map<number, Sprite>()

  light(hue: number): Sprite {
    const known = this.lights.get(hue)
    if (known !== undefined) return known
    const made = lightSprite(hue)
    this.lights.set(hue, made)
    return made
  }

  add([what, x, y, , amount]: Happening, hue: number, isMine: boolean): void {
    if (what === 'pick' || what === 'gold') {
      const colour = what === 'gold' ? 44 : 190
      this.burst(x, y, colour, what === 'gold' ? 14 : 6, 170, 0.4)
      if (isMine) this.words.push({ text: `+${amount}`, x, y: y - 26, colour: `hsl(${colour} 100% 78%)`, left: 1 })
    } else if (what === 'knock') {
      this.burst(x, y, hue, 26, 420, 0.6)
      this.waves.push({ x, y, reach: 150, hue, left: 1 })
      if (amount > 0) this.words.push({ text: `−${amount}`, x, y: y - 40, colour: '#ff8ea0', left: 1 })
      this.shake = Math.max(this.shake, isMine ? 1 : 0.45)
    } else if (what === 'clash') {
      this.burst(x, y, 210, 18, 360, 0.45)
      this.waves.push({ x, y, reach: 110, hue: 210, left: 1 })
    } else if (what === 'dash') {
      this.waves.push({ x, y, reach: 76, hue, left: 1 })
    } else {
      this.burst(x, y, hue, 40, 330, 0.9)
      this.waves.push({ x, y, reach: 190, hue, left: 1 })
    }
  }

  /** Adds a trail behind a moving ball. */
  trail(x: number, y: number, hue: number, speed: number, isDashing: boolean): void {
    if (this.sparks.length >= MOST) return
    const size = isDashing ? 58 : 30
    const spread = isDashing ? 10 : 5
    const place = { x: x + (Math.random() - 0.5) * spread, y: y + (Math.random() - 0.5) * spread }
    if (speed > 120)
      this.sparks.push({
        ...place,
        vx: 0,
        vy: 0,
        left: 1,
        seconds: isDashing ? 0.42 : 0.3,
        size,
        light: this.light(hue),
      })
  }

  burst(x: number, y: number, hue: number, count: number, speed: number, seconds: number): void {
    const light = this.light(hue)
    for (let index = 0; index < count && this.sparks.length < MOST; index++) {
      const [angle, fast] = [Math.random() * 2 * Math.PI, speed * (0.35 + Math.random() * 0.8)]
      const size = 12 + Math.random() * 20
      this.sparks.push({
        x,
        y,
        vx: Math.cos(angle) * fast,
        vy: Math.sin(angle) * fast,
        left: 1,
        seconds: seconds * (0.6 + Math.random() * 0.6),
        size,
        light,
      })
    }
  }

  step(seconds: number): void {
    this.shake = Math.max(0, this.shake - seconds * 4)
    for (const spark of this.sparks) {
      spark.left -= seconds / spark.seconds
      spark.x += spark.vx * seconds
      spark.y += spark.vy * seconds
      spark.vx *= 1 - 2.6 * seconds
      spark.vy *= 1 - 2.6 * seconds
    }
    for (const wave of this.waves) wave.left -= seconds * 2.4
    for (const word of this.words) word.left -= seconds * 1.2
    for (const list of [this.sparks, this.waves, this.words] as { left: number }[][]) {
      let kept = 0
      for (const one of list) if (one.left > 0) list[kept++] = one
      list.length = kept
    }
  }

  /** Draws the effects below the balls. */
  drawLights(context: CanvasRenderingContext2D): void {
    context.globalCompositeOperation = 'lighter'
    for (const { x, y, left, size, light } of this.sparks) {
      context.globalAlpha = left * 0.75
      const wide = size * (0.4 + 0.6 * left)
      context.drawImage(light, x - wide, y - wide, wide * 2, wide * 2)
    }
    for (const { x, y, reach, hue, left } of this.waves) {
      context.globalAlpha = left * 0.7
      context.strokeStyle = `hsl(${hue} 100% 72%)`
      context.lineWidth = 1 + 7 * left
      ring(context, x, y, reach * (1 - left * left * 0.85))
    }
    context.globalAlpha = 1
    context.globalCompositeOperation = 'source-over'
  }

  /** Draws the effects above the balls. */
  drawWords(context: CanvasRenderingContext2D): void {
    context.font = '800 30px ui-rounded, system-ui, sans-serif'
    context.textAlign = 'center'
    for (const { text, x, y, colour, left } of this.words) {
      context.globalAlpha = Math.min(1, left * 2)
      context.fillStyle = colour
      context.fillText(text, x, y - (1 - left) * 46)
    }
    context.globalAlpha = 1
  }
}
