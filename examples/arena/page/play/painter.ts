import { BALL_RADIUS, HEIGHT, SHARD_RADIUS, WIDTH } from '../../game/rules'
import { Particles } from './particles'
import type { Scene, Shown, ShownBall } from './scene'
import { ballSprite, paintFloor, type Sprite, shardSprite, sprite } from './sprites'

/**
 * Canvas pixels per page pixel, from the screen's number downwards for machines that cannot paint 60 pictures per
 * second. Never below one: enlarging the picture costs more than it saves (11 ms instead of 9 ms of a core, without a
 * graphics card).
 */
const SHARPNESS = [2, 1.5, 1.25, 1]
/** Milliseconds after which a picture is late. */
const LATE_MS = 20
const LATE_PICTURES = 12
const MARGIN = 26
/** Page pixels above and below the arena, for the display during a match. */
const ROOM_ABOVE = 62
const ROOM_BELOW = 40
/** Smallest text, in pixels of the canvas. */
const SMALLEST_TEXT = 11

/** Paints a scene sixty times a second. */
export class Painter {
  readonly particles = new Particles()
  /** Called with the content of each picture and the milliseconds since the picture before. */
  onFrame: (shown: Shown, elapsedMs: number) => void = () => {}
  private scene: Scene | undefined
  private readonly context: CanvasRenderingContext2D
  private floor: Sprite | undefined
  private readonly balls = new Map<number, Sprite>()
  private readonly labels = new Map<string, Sprite>()
  private readonly shards: readonly [Sprite, Sprite] = [shardSprite(false), shardSprite(true)]
  /** Time at which each shard appeared, so that it grows into the picture. */
  private born = new Map<number, number>()
  private sharpness = SHARPNESS.findIndex((ratio) => ratio <= Math.max(1, devicePixelRatio))
  private late = 0
  private before = performance.now()
  private scale = 1
  private left = 0
  private top = 0
  private isPlaying = false
  /** Whether the user's system asks for less motion. */
  readonly isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches

  constructor(private readonly canvas: HTMLCanvasElement) {
    const context = canvas.getContext('2d', { alpha: false })
    if (context === null) throw new Error('this browser cannot paint')
    this.context = context
    new ResizeObserver(() => this.fit()).observe(canvas)
    this.fit()
    const paint = (now: number) => {
      requestAnimationFrame(paint)
      this.paint(now)
    }
    requestAnimationFrame(paint)
  }

  look(scene: Scene): void {
    this.scene = scene
    this.born = new Map()
  }

  /** Draws the floor only and stops the pictures, which costs no time. */
  rest(): void {
    this.scene = undefined
    this.drawFloor()
  }

  /** Reserves the space above and below the arena during a match, or releases it. */
  reserve(isPlaying: boolean): void {
    this.isPlaying = isPlaying
    this.fit()
  }

  private fit(): void {
    const ratio = SHARPNESS[this.sharpness] ?? 1
    const { clientWidth, clientHeight } = this.canvas
    const [width, height] = [Math.round(clientWidth * ratio), Math.round(clientHeight * ratio)]
    if (width === 0 || height === 0) return
    this.canvas.width = width
    this.canvas.height = height
    const [above, below] = this.isPlaying ? [ROOM_ABOVE * ratio, ROOM_BELOW * ratio] : [0, 0]
    const margin = this.isPlaying ? 10 : MARGIN
    const room = height - above - below
    this.scale = Math.min(width / (WIDTH + 2 * margin), room / (HEIGHT + 2 * margin))
    this.left = (width - WIDTH * this.scale) / 2
    this.top = above + (room - HEIGHT * this.scale) / 2
    this.labels.clear()
    this.floor = sprite(width, height, (context) => paintFloor(context, this.scale, this.left, this.top))
    this.drawFloor()
  }

  private paint(now: number): void {
    const elapsed = Math.min(100, now - this.before)
    this.before = now
    if (this.scene === undefined || this.floor === undefined) return
    this.adapt(elapsed)
    const shown = this.scene.frame(now, elapsed)
    const hues = new Map(shown.balls.map(({ n, hue, isMe }) => [n, { hue, isMe }]))
    for (const happening of shown.happened) {
      const who = hues.get(happening[3])
      this.particles.add(happening, who?.hue ?? 200, who?.isMe ?? false)
    }
    for (const { x, y, vx, vy, hue, dash } of shown.balls) this.particles.trail(x, y, hue, Math.hypot(vx, vy), dash > 0)
    this.particles.step(elapsed / 1_000)
    this.draw(shown, now)
    this.onFrame(shown, elapsed)
  }

  private draw(shown: Shown, now: number): void {
    const { context, particles } = this
    this.drawFloor()
    const shake = this.isCalm ? 0 : particles.shake * particles.shake * 9 * this.scale
    const [right, down] = [(Math.random() - 0.5) * shake, (Math.random() - 0.5) * shake]
    context.setTransform(this.scale, 0, 0, this.scale, this.left + right, this.top + down)
    this.drawShards(shown, now)
    particles.drawLights(context)
    const leader = leaderOf(shown.balls)
    for (const ball of shown.balls) if (!ball.isMe) this.drawBall(ball, now, ball.n === leader)
    for (const ball of shown.balls) if (ball.isMe) this.drawBall(ball, now, ball.n === leader)
    particles.drawWords(context)
  }

  private drawFloor(): void {
    this.context.setTransform(1, 0, 0, 1, 0, 0)
    if (this.floor !== undefined) this.context.drawImage(this.floor, 0, 0)
  }

  private drawShards({ shards }: Shown, now: number): void {
    const { context } = this
    const born = new Map<number, number>()
    for (const { id, x, y, isGold } of shards) {
      const since = this.born.get(id) ?? now
      born.set(id, since)
      const grown = Math.min(1, (now - since) / 260)
      const beat = 1 + 0.08 * Math.sin(now / 260 + id)
      const wide = SHARD_RADIUS * 2 * beat * (1 - (1 - grown) * (1 - grown))
      const turned = Math.abs(Math.cos(now / 700 + id * 1.7)) * 0.5 + 0.5
      context.drawImage(this.shards[isGold ? 1 : 0], x - wide * turned, y - wide, wide * 2 * turned, wide * 2)
    }
    this.born = born
  }

  private drawBall(ball: ShownBall, now: number, isLeader: boolean): void {
    const { context } = this
    const { x, y, vx, vy, hue, dash, stun, isMe, isHere } = ball
    context.globalAlpha = isHere ? 1 : 0.4
    if (isMe) {
      context.strokeStyle = `rgb(255 255 255 / ${0.55 + 0.25 * Math.sin(now / 220)})`
      context.lineWidth = 4
      context.beginPath()
      context.arc(x, y, BALL_RADIUS + 8, 0, 2 * Math.PI)
      context.stroke()
    }
    const wide = BALL_RADIUS * 2
    context.save()
    context.translate(x + (stun > 0 ? Math.sin(now / 18) * 4 : 0), y)
    // A fast ball is drawn longer than wide.
    const stretch = Math.min(0.32, Math.hypot(vx, vy) / (dash > 0 ? 2_600 : 5_200))
    context.rotate(Math.atan2(vy, vx))
    context.scale(1 + stretch, 1 - stretch * 0.7)
    context.rotate(-Math.atan2(vy, vx))
    context.drawImage(this.ball(hue), -wide, -wide, wide * 2, wide * 2)
    context.restore()
    if (isLeader) crown(context, x, y - BALL_RADIUS - 30)
    this.drawLabel(ball)
    context.globalAlpha = 1
  }

  private drawLabel({ x, y, name, score, isMe }: ShownBall): void {
    const { context, scale } = this
    // The text must be readable on a phone.
    context.font = `800 ${Math.min(40, Math.max(25, SMALLEST_TEXT / scale))}px ui-rounded, system-ui, sans-serif`
    context.textAlign = 'center'
    context.textBaseline = 'middle'
    context.fillStyle = 'rgb(4 10 28 / 82%)'
    context.fillText(String(score), x, y + 1)
    context.textBaseline = 'alphabetic'
    const label = this.label(name, isMe)
    const [wide, high] = [label.width / scale, label.height / scale]
    // The label is below the ball, or above it at the lower edge of the arena.
    const isLow = y + BALL_RADIUS + high + 6 > HEIGHT
    context.drawImage(label, x - wide / 2, isLow ? y - BALL_RADIUS - high - 8 : y + BALL_RADIUS + 6, wide, high)
  }

  private ball(hue: number): Sprite {
    const known = this.balls.get(hue) ?? ballSprite(hue)
    this.balls.set(hue, known)
    return known
  }

  private label(name: string, isMe: boolean): Sprite {
    const key = `${isMe} ${name}`
    const known = this.labels.get(key)
    if (known !== undefined) return known
    // The text has as many pixels as the screen shows, so that it is sharp.
    const size = Math.max(SMALLEST_TEXT, 20 * this.scale)
    const made = sprite(size * 11, size * 1.7, (context) => {
      context.font = `${isMe ? 800 : 650} ${size}px ui-rounded, system-ui, sans-serif`
      context.textAlign = 'center'
      context.lineWidth = size / 5
      context.lineJoin = 'round'
      context.strokeStyle = 'rgb(6 10 26 / 80%)'
      context.strokeText(name, size * 5.5, size * 1.2)
      context.fillStyle = isMe ? '#ffffff' : '#c9d6f5'
      context.fillText(name, size * 5.5, size * 1.2)
    })
    this.labels.set(key, made)
    return made
  }

  /** Lowers the resolution after twelve recent pictures were late: smooth motion matters more than sharp edges. */
  private adapt(elapsed: number): void {
    this.late = elapsed > LATE_MS && elapsed < 100 ? this.late + 1 : Math.max(0, this.late - 0.25)
    if (this.late < LATE_PICTURES || this.sharpness >= SHARPNESS.length - 1) return
    this.late = 0
    this.sharpness += 1
    this.fit()
  }
}

/** Returns the number of the player with the most shards; undefined when several have the most. */
function leaderOf(balls: readonly ShownBall[]): number | undefined {
  const [first, second] = [...balls].sort((a, b) => b.score - a.score)
  return first !== undefined && first.score > (second?.score ?? 0) ? first.n : undefined
}

function crown(context: CanvasRenderingContext2D, x: number, y: number): void {
  context.fillStyle = '#ffd65c'
  context.beginPath()
  context.moveTo(x - 17, y + 12)
  for (const [dx, dy] of [
    [-19, -9],
    [-9, 1],
    [0, -14],
    [9, 1],
    [19, -9],
    [17, 12],
  ] as const)
    context.lineTo(x + dx, y + dy)
  context.closePath()
  context.fill()
}
