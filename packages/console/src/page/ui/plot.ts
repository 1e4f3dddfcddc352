import 'uplot/dist/uPlot.min.css'
import UPlot from 'uplot'
import type { Series } from './series'

interface Drawn {
  readonly x: readonly number[]
  readonly series: readonly Series[]
  readonly height: number
  readonly time: boolean
  readonly unit: string
  readonly unitOfX: string
  readonly range: readonly [least: number, most: number] | undefined
}

/** Draws a chart in the colours of the present theme. */
export function draw(place: HTMLElement, { x, series, height, time, unit, unitOfX, range }: Drawn): UPlot {
  const sheet = getComputedStyle(document.documentElement)
  const colour = (name: string) => sheet.getPropertyValue(`--${name}`).trim()
  const axis: UPlot.Axis = {
    stroke: colour('ink-3'),
    grid: { stroke: colour('line-soft'), width: 1 },
    ticks: { show: false },
    font: `11px ${sheet.getPropertyValue('--font')}`,
  }
  const said = (of: string) => ({ values: (_: UPlot, ticks: number[]) => ticks.map((tick) => `${tick}${of}`) })
  const fixed = range === undefined ? {} : { range: [...range] as [number, number] }
  const data = [[...x], ...series.map(({ values }) => [...values])] as unknown as UPlot.AlignedData
  return new UPlot(
    {
      width: place.clientWidth,
      height,
      legend: { show: false },
      cursor: { points: { size: 6 }, drag: { x: false, y: false } },
      scales: { x: { time, ...fixed }, y: fixed },
      axes: [
        { ...axis, ...(time ? {} : { size: 32, ...said(unitOfX) }) },
        { ...axis, size: 48, ...said(unit) },
      ],
      series: [
        {},
        ...series.map(({ label, tone = 'accent', dashed, dots }) => ({
          label,
          stroke: colour(tone),
          width: 1.5,
          ...(dots === undefined
            ? { points: { show: false } }
            : {
                paths: () => null,
                points: { show: true, size: 9, fill: colour(dots === 'filled' ? tone : 'surface') },
              }),
          ...(dashed ? { dash: [4, 4] } : {}),
        })),
      ],
    },
    data,
    place,
  )
}
