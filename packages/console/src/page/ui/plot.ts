import 'uplot/dist/uPlot.min.css'
import UPlot from 'uplot'
import type { Series } from './series'

interface Drawn {
  readonly x: readonly number[]
  readonly series: readonly Series[]
  readonly height: number
  readonly time: boolean
  readonly unit: string
}

/** Draws a chart in the colours of the present theme. */
export function draw(place: HTMLElement, { x, series, height, time, unit }: Drawn): UPlot {
  const sheet = getComputedStyle(document.documentElement)
  const colour = (name: string) => sheet.getPropertyValue(`--${name}`).trim()
  const axis: UPlot.Axis = {
    stroke: colour('ink-3'),
    grid: { stroke: colour('line-soft'), width: 1 },
    ticks: { show: false },
    font: `11px ${sheet.getPropertyValue('--font')}`,
  }
  const data = [[...x], ...series.map(({ values }) => [...values])] as unknown as UPlot.AlignedData
  return new UPlot(
    {
      width: place.clientWidth,
      height,
      legend: { show: false },
      cursor: { points: { size: 6 }, drag: { x: false, y: false } },
      scales: { x: { time } },
      axes: [axis, { ...axis, size: 48, values: (_, ticks) => ticks.map((tick) => `${tick}${unit}`) }],
      series: [
        {},
        ...series.map(({ label, tone = 'accent', dashed }) => ({
          label,
          stroke: colour(tone),
          width: 1.5,
          points: { show: false },
          ...(dashed ? { dash: [4, 4] } : {}),
        })),
      ],
    },
    data,
    place,
  )
}
