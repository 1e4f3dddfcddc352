import { useEffect, useRef } from 'preact/hooks'
import type uPlot from 'uplot'
import type { Series } from './series'
import { effectiveTheme } from './theme'

/** Line chart over time or over another number. The chart library is loaded with the first chart. */
export function Chart({
  label,
  x,
  series,
  height = 180,
  time = true,
  unit = '',
  unitOfX = '',
  range,
}: {
  /** Description for screen readers. */
  readonly label: string
  /** Values of the x axis. When `time` is set, they are in seconds since 1970. */
  readonly x: readonly number[]
  readonly series: readonly Series[]
  readonly height?: number
  readonly time?: boolean
  readonly unit?: string
  /** Unit of the x axis, when `time` is not set. */
  readonly unitOfX?: string
  /** Fixed range of both axes; the default is the range of the values. */
  readonly range?: readonly [least: number, most: number]
}) {
  const place = useRef<HTMLDivElement>(null)
  const theme = effectiveTheme.value
  useEffect(() => {
    const { current } = place
    if (current === null) return
    let plot: uPlot | undefined
    let over = false
    const sized = new ResizeObserver(() => plot?.setSize({ width: current.clientWidth, height }))
    void import('./plot').then(({ draw }) => {
      if (over) return
      plot = draw(current, { x, series, height, time, unit, unitOfX, range })
      sized.observe(current)
    })
    return () => {
      over = true
      sized.disconnect()
      plot?.destroy()
    }
  }, [x, series, height, time, unit, unitOfX, range, theme])
  return (
    <figure class="chart" aria-label={label}>
      <div ref={place} style={{ height: `${height}px` }} />
      <figcaption class="line">
        {series.map(({ label: name, tone = 'accent', dashed, dots = 'line' }) => (
          <span key={name} class={`key ${tone} ${dots}${dashed ? ' dashed' : ''}`}>
            {name}
          </span>
        ))}
      </figcaption>
    </figure>
  )
}
