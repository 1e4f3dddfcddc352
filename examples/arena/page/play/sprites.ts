import { BALL_RADIUS, HEIGHT, PILLARS, SHARD_RADIUS, WIDTH } from '../../game/rules'

/** A glow that is painted once and then copied. One blur per glow and picture would make the game stutter. */
export type Sprite = HTMLCanvasElement

export function sprite(width: number, height: number, paint: (context: CanvasRenderingContext2D) => void): Sprite {
  const canvas = document.createElement('canvas')
  canvas.width = Math.ceil(width)
  canvas.height = Math.ceil(height)
  const context = canvas.getContext('2d')
  if (context !== null) paint(context)
  return canvas
}

/** Returns the picture of a ball with its glow. It is drawn at four times the ball's radius. */
export const ballSprite = (hue: number): Sprite =>
  sprite(BALL_RADIUS * 8, BALL_RADIUS * 8, (context) => {
    const middle = BALL_RADIUS * 4
    const radius = BALL_RADIUS * 2
    const glow = context.createRadialGradient(middle, middle, radius * 0.7, middle, middle, middle)
    glow.addColorStop(0, `hsl(${hue} 95% 60% / 0.5)`)
    glow.addColorStop(0.45, `hsl(${hue} 95% 55% / 0.15)`)
    glow.addColorStop(1, `hsl(${hue} 95% 55% / 0)`)
    context.fillStyle = glow
    context.fillRect(0, 0, middle * 2, middle * 2)
    const body = context.createRadialGradient(
      middle - radius * 0.35,
      middle - radius * 0.42,
      radius * 0.08,
      middle,
      middle,
      radius,
    )
    body.addColorStop(0, `hsl(${hue} 100% 92%)`)
    body.addColorStop(0.32, `hsl(${hue} 96% 66%)`)
    body.addColorStop(0.82, `hsl(${hue} 85% 44%)`)
    body.addColorStop(1, `hsl(${hue} 80% 30%)`)
    context.fillStyle = body
    context.beginPath()
    context.arc(middle, middle, radius, 0, 2 * Math.PI)
    context.fill()
    context.strokeStyle = `hsl(${hue} 100% 82% / 0.55)`
    context.lineWidth = 3
    context.beginPath()
    context.arc(middle, middle, radius - 2, 0, 2 * Math.PI)
    context.stroke()
  })

/** Returns a light of one colour for trails, sparks and rings. */
export const lightSprite = (hue: number): Sprite =>
  sprite(64, 64, (context) => {
    const light = context.createRadialGradient(32, 32, 0, 32, 32, 32)
    light.addColorStop(0, `hsl(${hue} 100% 80% / 0.9)`)
    light.addColorStop(0.35, `hsl(${hue} 100% 60% / 0.38)`)
    light.addColorStop(1, `hsl(${hue} 100% 55% / 0)`)
    context.fillStyle = light
    context.fillRect(0, 0, 64, 64)
  })

export const shardSprite = (isGold: boolean): Sprite =>
  sprite(SHARD_RADIUS * 8, SHARD_RADIUS * 8, (context) => {
    const middle = SHARD_RADIUS * 4
    const hue = isGold ? 44 : 190
    const glow = context.createRadialGradient(middle, middle, 2, middle, middle, middle)
    glow.addColorStop(0, `hsl(${hue} 100% 65% / 0.55)`)
    glow.addColorStop(1, `hsl(${hue} 100% 60% / 0)`)
    context.fillStyle = glow
    context.fillRect(0, 0, middle * 2, middle * 2)
    const reach = SHARD_RADIUS * (isGold ? 2.1 : 1.75)
    facet(context, middle, reach, -1, `hsl(${hue} 100% ${isGold ? 78 : 86}%)`)
    facet(context, middle, reach, 1, `hsl(${hue} 95% ${isGold ? 55 : 60}%)`)
  })

function facet(context: CanvasRenderingContext2D, middle: number, reach: number, side: number, colour: string): void {
  context.fillStyle = colour
  context.beginPath()
  context.moveTo(middle, middle - reach)
  context.lineTo(middle + side * reach * 0.72, middle)
  context.lineTo(middle, middle + reach)
  context.closePath()
  context.fill()
}

/** Paints the parts that never move: floor, wall and pillars. */
export function paintFloor(context: CanvasRenderingContext2D, scale: number, left: number, top: number): void {
  const { width, height } = context.canvas
  context.fillStyle = '#080c1c'
  context.fillRect(0, 0, width, height)
  context.setTransform(scale, 0, 0, scale, left, top)
  const floor = context.createRadialGradient(WIDTH / 2, HEIGHT / 2, 60, WIDTH / 2, HEIGHT / 2, WIDTH * 0.62)
  floor.addColorStop(0, '#1a2450')
  floor.addColorStop(0.6, '#111a3b')
  floor.addColorStop(1, '#0b1129')
  context.fillStyle = floor
  context.beginPath()
  context.roundRect(0, 0, WIDTH, HEIGHT, 26)
  context.fill()
  context.save()
  context.clip()
  context.strokeStyle = 'rgb(140 165 255 / 6%)'
  context.lineWidth = 1.5
  for (let x = 50; x < WIDTH; x += 100) line(context, x, 0, x, HEIGHT)
  for (let y = 50; y < HEIGHT; y += 100) line(context, 0, y, WIDTH, y)
  context.strokeStyle = 'rgb(140 165 255 / 11%)'
  context.lineWidth = 4
  ring(context, WIDTH / 2, HEIGHT / 2, 128)
  ring(context, WIDTH / 2, HEIGHT / 2, 300)
  context.restore()
  context.shadowColor = '#4d7dff'
  context.shadowBlur = 26 * scale
  context.strokeStyle = '#7fa2ff'
  context.lineWidth = 5
  context.beginPath()
  context.roundRect(0, 0, WIDTH, HEIGHT, 26)
  context.stroke()
  for (const { x, y, radius } of PILLARS) {
    context.shadowColor = '#a06bff'
    context.shadowBlur = 30 * scale
    const stone = context.createRadialGradient(x - radius * 0.3, y - radius * 0.35, 4, x, y, radius)
    stone.addColorStop(0, '#5b4aa8')
    stone.addColorStop(0.75, '#2d2563')
    stone.addColorStop(1, '#1d1847')
    context.fillStyle = stone
    ring(context, x, y, radius, true)
    context.shadowBlur = 0
    context.strokeStyle = '#b595ff'
    context.lineWidth = 4
    ring(context, x, y, radius - 2)
    context.strokeStyle = 'rgb(181 149 255 / 35%)'
    context.lineWidth = 3
    ring(context, x, y, radius * 0.62)
  }
  context.setTransform(1, 0, 0, 1, 0, 0)
}

function line(context: CanvasRenderingContext2D, x1: number, y1: number, x2: number, y2: number): void {
  context.beginPath()
  context.moveTo(x1, y1)
  context.lineTo(x2, y2)
  context.stroke()
}

export function ring(context: CanvasRenderingContext2D, x: number, y: number, radius: number, filled = false): void {
  context.beginPath()
  context.arc(x, y, radius, 0, 2 * Math.PI)
  if (filled) context.fill()
  else context.stroke()
}
