import type { Outcome, TimelinePoint } from '@matchyard/matchmaking/simulation'

const WIDTH = 800
const HEIGHT = 240
const MARGIN = 48
const COLOURS = ['#2563eb', '#d97706', '#059669', '#dc2626']

/**
 * Draws the waiting time and the spread (how far the players of a match differ in the first numeric field) over time.
 * Returns an SVG picture with one line per run.
 */
export function plot(outcomes: readonly Outcome[]): string {
  const wait = chart('Wait in seconds', outcomes, ({ timelines }) => timelines.wait, 0)
  const spread = chart('Spread of the first numeric field', outcomes, ({ timelines }) => timelines.spread, HEIGHT)
  const size = `width="${WIDTH}" height="${2 * HEIGHT}" viewBox="0 0 ${WIDTH} ${2 * HEIGHT}"`
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="white"/>
${wait}
${spread}
</svg>
`
}

function chart(
  title: string,
  outcomes: readonly Outcome[],
  of: (outcome: Outcome) => readonly TimelinePoint[],
  top: number,
): string {
  const lines = outcomes.map((outcome) => of(outcome))
  const lastSecond = Math.max(1, ...lines.flat().map(({ seconds }) => seconds))
  const highest = Math.max(1e-9, ...lines.flat().map(({ value }) => value))
  const x = (seconds: number) => MARGIN + (seconds / lastSecond) * (WIDTH - 2 * MARGIN)
  const y = (value: number) => top + HEIGHT - MARGIN - (value / highest) * (HEIGHT - 2 * MARGIN)
  const paths = lines.map((points, index) => {
    const path = points.map(({ seconds, value }) => `${x(seconds).toFixed(1)},${y(value).toFixed(1)}`).join(' ')
    return `<polyline points="${path}" fill="none" stroke="${COLOURS[index % COLOURS.length]}" stroke-width="1.5"/>`
  })
  const legend = outcomes.map(
    ({ scenario }, index) =>
      `<text x="${WIDTH - MARGIN}" y="${top + 20 + 14 * index}" text-anchor="end" fill="${COLOURS[index % COLOURS.length]}">${escaped(scenario)}</text>`,
  )
  const ground = top + HEIGHT - MARGIN
  return `<text x="${MARGIN}" y="${top + 20}" font-weight="bold">${title}</text>
<path d="M${MARGIN},${top + MARGIN} V${ground} H${WIDTH - MARGIN}" fill="none" stroke="#999"/>
<text x="${MARGIN - 6}" y="${top + MARGIN + 4}" text-anchor="end">${highest.toPrecision(3)}</text>
<text x="${MARGIN - 6}" y="${ground + 4}" text-anchor="end">0</text>
<text x="${WIDTH - MARGIN}" y="${ground + 16}" text-anchor="end">${lastSecond.toFixed(0)} s</text>
${[...paths, ...legend].join('\n')}`
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`)
