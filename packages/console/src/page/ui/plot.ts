import 'uplot/dist/uPlot.min.css'
import UPlot from 'uplot'
import type { ChartMark, Series } from './series'

interface Drawn {
  readonly x: readonly number[]
  readonly series: readonly Series[]
  readonly height: number
  readonly time: boolean
  /** Time zone of the x axis; undefined for the zone of the browser. */
  readonly timeZone: string | undefined
  readonly unit: string
  readonly unitOfX: string
  readonly range: readonly [least: number, most: number] | undefined
  readonly marks: readonly ChartMark[]
  /** Called with the place of the values under the pointer; undefined when the pointer leaves the chart. */
  readonly onPoint: (index: number | undefined) => void
}

/** Share of a slot that a bar fills, and the greatest width of a bar in pixels. */
const BARS = UPlot.paths.bars?.({ size: [0.7, 48] })

/** Draws a chart in the colours of the present theme. */
export function draw(place: HTMLElement, drawn: Drawn): UPlot {
  const { x, series, height, time, timeZone, unit, unitOfX, range, marks, onPoint } = drawn
  const sheet = getComputedStyle(document.documentElement)
  const colour = (name: string) => sheet.getPropertyValue(`--${name}`).trim()
  const font = `11px ${sheet.getPropertyValue('--font')}`
  const axis: UPlot.Axis = {
    stroke: colour('ink-3'),
    grid: { stroke: colour('line-soft'), width: 1 },
    ticks: { show: false },
    font,
  }
  const said = (of: string) => ({
    values: (_: UPlot, ticks: number[]) => ticks.map((tick) => `${short(tick)}${of}`),
  })
  const fixed = range === undefined ? {} : { range: [...range] as [number, number] }
  // Charts over time show figures that are never negative, so their y axis begins at zero.
  const ofY = time && range === undefined ? { range: (_: UPlot, __: number, most: number) => fromZero(most) } : fixed
  const data = [[...x], ...series.map(({ values }) => [...values])] as unknown as UPlot.AlignedData
  return new UPlot(
    {
      width: place.clientWidth,
      height,
      ...(timeZone === undefined
        ? {}
        : { tzDate: (at: number) => UPlot.tzDate(new Date(at * 1_000), timeZone === 'UTC' ? 'Etc/UTC' : timeZone) }),
      legend: { show: false },
      cursor: { points: { size: 6 }, drag: { x: false, y: false } },
      ...(time ? { padding: [12, 18, 0, 0] as UPlot.Padding } : {}),
      scales: { x: { time, ...fixed, ...(time ? { range: () => widened(drawn) } : {}) }, y: ofY },
      axes: [
        { ...axis, ...(time ? { size: 36, values: TIMES } : { size: 32, ...said(unitOfX) }) },
        { ...axis, size: 48, ...said(unit) },
      ],
      series: [{}, ...series.map((one) => drawnSeries(one, colour))],
      hooks: {
        setCursor: [({ cursor }) => onPoint(cursor.idx ?? undefined)],
        ...(marks.length === 0 ? {} : { draw: [(plot) => drawMarks(plot, marks, colour, font)] }),
      },
    },
    data,
    place,
  )
}

/** Returns the range of a time axis: all slots to their ends, and half a slot before the first bar. */
function widened({ x, series }: Drawn): [number, number] {
  const [first = 0, last = 1] = [x[0], x.at(-1)]
  const slot = x.length < 2 ? 60 : (last - first) / (x.length - 1)
  const hasBars = series.some(({ bars }) => bars)
  return [first - (hasBars ? slot / 2 : 0), last + slot / (hasBars ? 2 : 1)]
}

const fromZero = (most: number): [number, number] => [0, most > 0 ? most * 1.1 : 1]

/** Returns a number of an axis in few characters: `1.2k`. */
const short = (value: number): string =>
  Math.abs(value) < 1_000 ? String(Number(value.toFixed(3))) : `${Number((value / 1_000).toFixed(1))}k`

function drawnSeries(
  { label, tone = 'accent', dashed, dots, bars }: Series,
  colour: (name: string) => string,
): UPlot.Series {
  const base = { label, stroke: colour(tone), width: 1.5, points: { show: false }, spanGaps: false }
  if (bars) return { ...base, fill: colour(tone), width: 0, ...(BARS === undefined ? {} : { paths: BARS }) }
  if (dots === undefined) return { ...base, ...(dashed ? { dash: [4, 4] } : {}) }
  const fill = colour(dots === 'filled' ? tone : 'surface')
  return { ...base, paths: () => null, points: { show: true, size: 9, fill } }
}

/** Formats of the times of an axis, by the distance of its lines. The columns are those of uPlot's `axis.values`. */
const TIMES: UPlot.Axis.StaticValues | (string | number | null)[][] = [
  [86_400, '{D} {MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  [3_600, '{HH}:{mm}', '\n{D} {MMM}', null, '\n{D} {MMM}', null, null, null, 1],
  [60, '{HH}:{mm}', '\n{D} {MMM}', null, '\n{D} {MMM}', null, null, null, 1],
  [1, ':{ss}', '\n{HH}:{mm}', null, '\n{HH}:{mm}', null, '\n{HH}:{mm}', null, 1],
]

/** Draws a dashed vertical line for each mark, with the letter of the mark above. */
function drawMarks(plot: UPlot, marks: readonly ChartMark[], colour: (name: string) => string, font: string): void {
  const { ctx, bbox } = plot
  const { min = 0, max = 0 } = plot.scales.x ?? {}
  const ratio = devicePixelRatio
  ctx.save()
  ctx.lineWidth = ratio
  ctx.textAlign = 'center'
  ctx.font = font.replace('11px', `600 ${9 * ratio}px`)
  let lettered = Number.POSITIVE_INFINITY
  for (const { at, letter, tone } of marks) {
    const seconds = at / 1_000
    if (min === null || max === null || seconds < min) continue
    // The newest events are later than the last counted slot. They are drawn at the end of the chart.
    const x = Math.round(plot.valToPos(Math.min(seconds, max), 'x', true))
    ctx.strokeStyle = ctx.fillStyle = colour(tone)
    ctx.setLineDash([3 * ratio, 3 * ratio])
    ctx.beginPath()
    ctx.moveTo(x, bbox.top + 12 * ratio)
    ctx.lineTo(x, bbox.top + bbox.height)
    ctx.stroke()
    // The letters of marks that stand close together would overlap; the newest mark shows its letter.
    if (Math.abs(x - lettered) < 10 * ratio) continue
    lettered = x
    ctx.fillText(letter, x, bbox.top + 9 * ratio)
  }
  ctx.restore()
}
