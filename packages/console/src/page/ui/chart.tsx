import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type uPlot from 'uplot'
import type { ChartMark, Series } from './series'
import { effectiveTheme } from './theme'
import { minuteOf, zoneAt, zoneId } from './zone'

const NO_MARKS: readonly ChartMark[] = []

/** Chart over time or over another number. The chart library is loaded with the first chart. */
export function Chart({
  label,
  x,
  series,
  height = 180,
  time = true,
  unit = '',
  unitOfX = '',
  range,
  marks = NO_MARKS,
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
  /** Instants with vertical lines, in a chart over time. */
  readonly marks?: readonly ChartMark[]
}) {
  const place = useRef<HTMLDivElement>(null)
  /** Place of the values under the pointer. */
  const under = useSignal<number | undefined>(undefined)
  const isLost = useSignal(false)
  const theme = effectiveTheme.value
  const timeZone = zoneId.value
  useEffect(() => {
    const { current } = place
    if (current === null) return
    let plot: uPlot | undefined
    let over = false
    const sized = new ResizeObserver(() => plot?.setSize({ width: current.clientWidth, height }))
    import('./plot').then(
      ({ draw }) => {
        if (over) return
        const onPoint = (index: number | undefined) => {
          under.value = index
        }
        plot = draw(current, { x, series, height, time, timeZone, unit, unitOfX, range, marks, onPoint })
        sized.observe(current)
      },
      () => {
        isLost.value = true
      },
    )
    return () => {
      over = true
      under.value = undefined
      sized.disconnect()
      plot?.destroy()
    }
  }, [x, series, height, time, unit, unitOfX, range, marks, theme, timeZone])
  const index = under.value
  const at = index === undefined ? undefined : x[index]
  return (
    <figure class="chart" aria-label={label}>
      <div ref={place} style={{ height: `${height}px` }}>
        {isLost.value && <p class="quiet">The chart could not be loaded. Reload the page.</p>}
      </div>
      <figcaption class="line">
        {series.map((one) => (
          <span key={one.label} class={`key ${one.tone ?? 'accent'} ${lookOf(one)}`}>
            {one.label}
            {index !== undefined && <strong class="figures">{told(one.values[index], unit)}</strong>}
          </span>
        ))}
        {time && at !== undefined && (
          <span class="quiet figures chart-at">
            {minuteOf(at * 1_000)} {zoneAt(at * 1_000)}
          </span>
        )}
      </figcaption>
    </figure>
  )
}

const lookOf = ({ dashed, dots, bars }: Series): string =>
  `${bars ? 'bars' : (dots ?? 'line')}${dashed ? ' dashed' : ''}`

const told = (value: number | null | undefined, unit: string): string =>
  value === null || value === undefined
    ? '–'
    : `${value.toLocaleString('en-US', { maximumFractionDigits: Math.abs(value) < 10 ? 2 : 0 })}${unit}`
