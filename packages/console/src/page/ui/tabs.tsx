import { number } from './words'

export interface Tab<T extends string> {
  readonly id: T
  readonly label: string
  readonly count?: number
}

/** Tabs of a view. The arrow keys left and right move to the next tab. */
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
  const key = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    const index = tabs.findIndex(({ id }) => id === now)
    const next = tabs[(index + step + tabs.length) % tabs.length]
    if (next === undefined) return
    onChange(next.id)
    const list = event.currentTarget as HTMLElement
    requestAnimationFrame(() => list.querySelector<HTMLElement>('[aria-selected="true"]')?.focus())
  }
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={key}>
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
