import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Icon } from './icons'
import { now } from './time'
import { ago } from './words'
import { clockOf, dayOf, inBothZones, zoneAt } from './zone'

/** Maximum number of characters that are shown: a longer text could freeze the page. */
const MOST = 2_000

/**
 * Text from another person. It is never markup, its text direction does not affect the surroundings, and it is cut at
 * `lines` lines.
 */
export function Text({ children, lines = 1 }: { readonly children: string; readonly lines?: number }) {
  const shown = children.length > MOST ? `${children.slice(0, MOST)}…` : children
  return (
    <bdi
      class={lines === 1 ? 'text one' : 'text several'}
      style={lines === 1 ? {} : { '-webkit-line-clamp': `${lines}` }}
      title={shown.slice(0, 200)}
    >
      {shown}
    </bdi>
  )
}

/** Id in a fixed-width font, with a button that copies all of it. `short` shows its first 4 and last 6 characters. */
export function Id({
  children,
  href,
  short = false,
}: {
  readonly children: string
  readonly href?: string
  readonly short?: boolean
}) {
  const text = short && children.length > 14 ? `${children.slice(0, 4)}…${children.slice(-6)}` : children
  return (
    <span class="id">
      {href === undefined ? (
        <bdi class="mono text one" title={children.slice(0, 200)}>
          {text}
        </bdi>
      ) : (
        <a class="mono text one" href={href} title={children.slice(0, 200)}>
          <bdi>{text}</bdi>
        </a>
      )}
      <Copy text={children} of="id" />
    </span>
  )
}

export function Copy({ text, of, label }: { readonly text: string; readonly of: string; readonly label?: string }) {
  const done = useSignal(false)
  const copy = async (event: Event) => {
    event.stopPropagation()
    event.preventDefault()
    await navigator.clipboard?.writeText(text)
    done.value = true
    setTimeout(() => {
      done.value = false
    }, 1_500)
  }
  return (
    <button
      type="button"
      class={label === undefined ? 'copy' : 'button plain small'}
      onClick={copy}
      aria-label={label === undefined ? `Copy ${of}` : undefined}
    >
      <Icon name={done.value ? 'check' : 'copy'} size={14} />
      {label !== undefined && (done.value ? 'Copied' : label)}
      <span class="unseen" role="status">
        {done.value ? `${of} copied` : ''}
      </span>
    </button>
  )
}

/** Text that users copy, such as a command, a configuration or a log. */
export function Code({
  children,
  label,
  wrap = false,
}: {
  readonly children: string
  readonly label: string
  readonly wrap?: boolean
}) {
  return (
    <figure class="code">
      <figcaption>
        <span>{label}</span>
        <Copy text={children} of={label} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <pre class={wrap ? 'wrap' : ''} tabIndex={0}>
        <code>{children.length > 64_000 ? `${children.slice(0, 64_000)}…` : children}</code>
      </pre>
    </figure>
  )
}

/** Shows an instant as the time since then, such as `3 min ago`; the tooltip has the full time in both zones. */
export function Time({ at }: { readonly at: string | number | null }) {
  if (at === null) return <span class="quiet">–</span>
  const then = new Date(at)
  return (
    <time dateTime={then.toISOString()} title={inBothZones(then)}>
      {ago(now.value - then.getTime())}
    </time>
  )
}

/**
 * Time of day with seconds and the name of the zone. The day is added when it is not today. With `exact`, milliseconds
 * stand in place of the name, because the lines of a log have one zone, which their card names.
 */
export function Clock({ at, exact = false }: { readonly at: string; readonly exact?: boolean }) {
  const then = new Date(at)
  const isToday = dayOf(now.peek()) === dayOf(then)
  return (
    <time class="clock" dateTime={at} title={inBothZones(then)}>
      {isToday ? '' : `${dayOf(then)} `}
      {clockOf(then, exact)}
      {exact ? '' : ` ${zoneAt(then)}`}
    </time>
  )
}

/** Sentence that names the zone of the times in a card. */
export const ZoneNote = () => <span class="quiet small">Times: {zoneAt(now.peek())}</span>

/** List of names and values. */
export function Facts({ of }: { readonly of: readonly (readonly [name: string, value: ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {of.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
