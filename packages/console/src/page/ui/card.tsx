import type { ComponentChildren } from 'preact'

/** Part of a view with its own heading. */
export function Card({
  title,
  help,
  note,
  actions,
  children,
  flush = false,
}: {
  readonly title?: string
  /** Link to the documents (`HelpLink`). */
  readonly help?: ComponentChildren
  readonly note?: ComponentChildren
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
  /** Whether the content has no padding, as for tables and logs. */
  readonly flush?: boolean
}) {
  return (
    <section class={`card${flush ? ' flush' : ''}`} aria-label={title}>
      {title !== undefined && (
        <header>
          <h2>{title}</h2>
          {help}
          {note !== undefined && <span class="quiet small">{note}</span>}
          {actions !== undefined && <div class="line actions">{actions}</div>}
        </header>
      )}
      <div class="card-body">{children}</div>
    </section>
  )
}

/** One value with its label, and optionally its trend. */
export function Figure({
  label,
  value,
  unit,
  note,
  trend,
  href,
  tone,
}: {
  readonly label: string
  readonly value: string | number | null
  readonly unit?: string
  readonly note?: ComponentChildren
  /** Values of the last hour, oldest first. */
  readonly trend?: readonly number[]
  readonly href?: string
  /** Tone of a value that needs attention. */
  readonly tone?: 'wait' | 'bad' | undefined
}) {
  const inside = (
    <>
      <span class="figure-label">{label}</span>
      <span class={`figure-value figures ${tone ?? ''}`}>
        {value === null ? '–' : value}
        {unit !== undefined && value !== null && <small> {unit}</small>}
      </span>
      {note !== undefined && <span class="quiet small figures">{note}</span>}
      {trend !== undefined && <Sparkline points={trend} label={`${label}, the last hour`} />}
    </>
  )
  if (href !== undefined) {
    return (
      <a class="figure" href={href}>
        {inside}
      </a>
    )
  }
  return <div class="figure">{inside}</div>
}

/** Row of values (`Figure`). */
export function Figures({ children }: { readonly children: ComponentChildren }) {
  return <div class="figures-row">{children}</div>
}

const WIDTH = 120
const HEIGHT = 28

/** Small line chart without axes. */
export function Sparkline({ points, label }: { readonly points: readonly number[]; readonly label: string }) {
  const most = Math.max(1, ...points)
  const step = WIDTH / Math.max(1, points.length - 1)
  const at = (value: number, index: number) =>
    `${(index * step).toFixed(1)} ${(HEIGHT - 2 - (value / most) * (HEIGHT - 4)).toFixed(1)}`
  const line = points.map(at).join('L')
  const said = `${label}: between ${Math.min(...points, most)} and ${Math.max(...points, 0)}`
  if (points.length < 2) return <span class="sparkline-none" />
  return (
    <svg class="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={said}>
      <path class="area" d={`M0 ${HEIGHT}L${line}L${WIDTH} ${HEIGHT}Z`} />
      <path class="stroke" d={`M${line}`} vector-effect="non-scaling-stroke" />
    </svg>
  )
}

/** Bar that shows a part of a maximum. */
export function Meter({
  value,
  most,
  label,
  isLimit = true,
}: {
  readonly value: number
  readonly most: number
  readonly label: string
  /** Whether the maximum is a limit. The bar then has another colour when the value is near it. */
  readonly isLimit?: boolean
}) {
  const share = most <= 0 ? 0 : Math.min(1, value / most)
  return (
    <span class={`meter${isLimit && share >= 0.9 ? ' near' : ''}`} role="img" aria-label={label}>
      <span style={{ width: `${(share * 100).toFixed(1)}%` }} />
    </span>
  )
}
