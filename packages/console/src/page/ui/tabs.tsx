import { useEffect, useRef } from 'preact/hooks'
import { number } from './words'

/** Pixels of the tab before the shown one that stay in sight. */
const EDGE_PX = 48

export interface Tab<T extends string> {
  readonly id: T
  readonly label: string
  readonly count?: number
}

/** Tabs of a view. The arrow keys left and right move to the next tab. In a narrow window the tabs scroll, and the shown tab is in sight. */
export function Tabs<T extends string>({
  tabs,
  now,
  onChange,
  label,
}: {
  readonly tabs: readonly Tab<T>[]
  readonly now: T
  readonly onChange: (tab: T) => void
  readonly label: string
}) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const shown = list.current?.querySelector<HTMLElement>('[aria-selected="true"]')
    // Only the list scrolls: scrollIntoView would also move the page.
    if (shown && list.current) list.current.scrollLeft = shown.offsetLeft - list.current.offsetLeft - EDGE_PX
  }, [now])
  const key = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    const index = tabs.findIndex(({ id }) => id === now)
    const next = tabs[(index + step + tabs.length) % tabs.length]
    if (next === undefined) return
    onChange(next.id)
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>('[aria-selected="true"]')?.focus())
  }
  return (
    <div class="tabs" ref={list} role="tablist" aria-label={label} onKeyDown={key}>
      {tabs.map(({ id, label: text, count }) => (
        <button
          key={id}
          type="button"
          role="tab"
          aria-selected={id === now}
          tabIndex={id === now ? 0 : -1}
          onClick={() => onChange(id)}
        >
          {text}
          {count !== undefined && <span class="count figures">{number(count)}</span>}
        </button>
      ))}
    </div>
  )
}
